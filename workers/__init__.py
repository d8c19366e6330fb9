"""The processes behind the API: workers that play AI turns, and the relay that hands out what is due."""
