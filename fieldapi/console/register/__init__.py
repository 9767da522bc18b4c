"""The pound's half of the console: the register of a pound, a case at the counter, every official
act by one form, papers and books. The views stand in files by noun; what they show is made by
Flask-free builders beside them.
"""
