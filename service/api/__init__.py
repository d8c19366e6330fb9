"""The HTTP API: Flask, and nowhere else."""
