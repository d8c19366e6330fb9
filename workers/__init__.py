"""The processes that act on what is due: turns, clocks, tournaments, webhooks, and the relay that hands them out."""
