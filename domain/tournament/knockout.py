"""Knockout: who goes on from each table, and the draw of the next round."""

from domain.tournament.events import Pairing
from domain.tournament.history import met
from domain.tournament.pairing import sizes
from domain.tournament.points import played
from domain.tournament.state import Round, Tournament


def ranked(t: Tournament, one: Round, pairing: Pairing) -> list[str]:
    """Give a table's entries, best first: points of its legs, then game scores, then the earlier entry."""
    points = dict.fromkeys(pairing.entries, 0)
    scores = dict.fromkeys(pairing.entries, 0)
    forfeits = dict.fromkeys(pairing.entries, 0)
    for each in played(t.plan, [one]):
        if each.game in pairing.games:
            points[each.entry] += each.points
            scores[each.entry] += each.score or 0
            forfeits[each.entry] += each.forfeited
    place = {entry: i for i, entry in enumerate(t.roster)}
    return sorted(pairing.entries, key=lambda entry: (forfeits[entry], -points[entry], -scores[entry], place[entry]))


def advancing(t: Tournament, pairing: Pairing) -> int:
    """Give how many go on from a table: as planned, else one of two or three, two of four or five, three of six."""
    size = len(pairing.entries)
    return min(t.plan.advance or max(1, t.plan.seats_per_table // 2), size - 1)


def survivors(t: Tournament) -> tuple[str, ...]:
    """Give who is still in after all closed rounds, in the order of entry; the last table leaves one."""
    alive = t.roster
    for one in t.rounds:
        if not one.closed:
            break
        if len(one.tables) == 1 and not one.byes:
            alive = (ranked(t, one, one.tables[0])[0],)
        else:
            on = {*one.byes}
            for pairing in one.tables:
                on.update(ranked(t, one, pairing)[: advancing(t, pairing)])
            alive = tuple(entry for entry in t.roster if entry in on)
    return tuple(entry for entry in alive if not t.entrants[entry].withdrawn)


def draw(t: Tournament) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """Give tables and byes: by the order of entry, the best against the last, spread like a snake.

    For two seats the first round leaves a power of two, so that there are byes in no other round.
    """
    alive = list(survivors(t))
    seats = t.plan.seats_per_table
    if len(alive) < 2:  # noqa: PLR2004 - it takes two
        return (), tuple(alive)
    if seats == 2:  # noqa: PLR2004 - pairs
        power = 1 << (len(alive) - 1).bit_length()
        free = power - len(alive)
    else:
        free = len(alive) - sum(sizes(len(alive), seats))
    had = met(t.rounds).byes
    byes = sorted(alive, key=lambda entry: (had.get(entry, 0), alive.index(entry)))[:free]
    rest = [entry for entry in alive if entry not in byes]
    wanted = sizes(len(rest), seats)
    tables: list[list[str]] = [[] for _ in wanted]
    forward = True
    while rest:
        row = [i for i in range(len(wanted)) if len(tables[i]) < wanted[i]]
        for i in row if forward else reversed(row):
            if rest:
                tables[i].append(rest.pop(0))
        forward = not forward
    return tuple(tuple(table) for table in tables), tuple(entry for entry in alive if entry in byes)
