"""The inner loops, the only folder that imports numba: flat arrays in, flat arrays out."""

from .jit import kernel as kernel  # first of all: it tells numba where the cache is, before anything imports numba
