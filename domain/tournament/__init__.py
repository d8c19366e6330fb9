"""Tournaments: a decider like a table, with pairing, seating, points, tie-breaks and a sequential test."""
