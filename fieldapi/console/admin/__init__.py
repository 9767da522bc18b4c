"""The admin's pages: people and their roles, cards that enrol phones, the dated register of scales
and appointments, pounds and limits, closed days, values of the statute to be confirmed, health.
"""
