"""The reliability scenarios of one installation under faults; `sim_chaos` runs them by number."""
