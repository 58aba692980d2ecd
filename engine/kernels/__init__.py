"""The inner loops, the only folder that imports numba: flat arrays in, flat arrays out."""
