"""The grid of a colony: 4 rows of 5 cells, the Base at the top centre, and sets of cells as bits.

Cell number i is `[i // 5, i % 5]`; bit i of a set of cells is cell i, so ascending bits go by row, then column.
"""

from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Meta

ROWS: Final = 4
COLUMNS: Final = 5
FULL: Final = ROWS * COLUMNS
"""How many cells a full grid has, the Base included (P2)."""

Row = Annotated[int, Meta(ge=0, le=ROWS - 1)]
Column = Annotated[int, Meta(ge=0, le=COLUMNS - 1)]
Cell = tuple[Row, Column]

CellSet = int
"""A set of cells, one bit each."""

CELLS: Final[tuple[Cell, ...]] = tuple((row, column) for row in range(ROWS) for column in range(COLUMNS))
NUMBER: Final[Mapping[Cell, int]] = {cell: number for number, cell in enumerate(CELLS)}
BASE: Final = 2
"""The number of the cell of the Base (P1)."""
ALL_CELLS: Final[CellSet] = (1 << FULL) - 1


def _beside(a: Cell, b: Cell) -> bool:
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1


NEIGHBOURS: Final[tuple[CellSet, ...]] = tuple(
    sum(1 << number for number, other in enumerate(CELLS) if _beside(cell, other)) for cell in CELLS
)
"""For each cell those beside, above and below it, never the diagonal ones (P9)."""

_HALF: Final = FULL // 2
_LOW_BITS: Final = (1 << _HALF) - 1
_LOW: Final = tuple(tuple(i for i in range(_HALF) if bits >> i & 1) for bits in range(1 << _HALF))
_HIGH: Final = tuple(tuple(i + _HALF for i in low) for low in _LOW)


def numbers_in(cells: CellSet) -> tuple[int, ...]:
    """Give the numbers of the cells of a set, ascending."""
    return _LOW[cells & _LOW_BITS] + _HIGH[cells >> _HALF]
