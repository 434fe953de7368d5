"""The native half of the package. Its functions are not for users: `sudoku_batch` has theirs."""

from typing import Any, TypeAlias, final

__all__ = [
    "Array",
    "Column",
    "STATUSES",
    "Sets",
    "Statuses",
    "Stream",
    "__version__",
    "ask",
    "augment",
    "dedup",
    "definitions",
    "generate",
    "npy_head",
    "puzzles",
    "solutions",
    "split",
    "stats",
    "texts",
    "trace",
    "training_sets",
]

__version__: str

#: The statuses of records. A code is a place in this list.
STATUSES: list[str]

#: An object with `__arrow_c_array__`, `__arrow_c_stream__` or the buffer protocol.
_Records: TypeAlias = Any

#: A `Column`, or an array of numpy.
_Cells: TypeAlias = Any

@final
class Array:
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class Column:
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def arrays(self) -> list[Array]: ...
    def is_text(self) -> bool: ...
    def numbers(self) -> tuple[bytearray, str]: ...
    def to_list(self) -> list[Any]: ...

@final
class Statuses:
    def __len__(self) -> int: ...
    def names(self) -> Column: ...
    def codes(self) -> bytearray: ...

@final
class Stream:
    def __new__(
        cls, records: _Records, solutions: _Records, seed: int, weights: Any
    ) -> Stream: ...
    def __len__(self) -> int: ...
    def pairs(self, first: int, count: int) -> tuple[Any, Any]: ...

@final
class Sets:
    def puzzles(self) -> list[int]: ...
    def statuses(self) -> dict[str, int]: ...
    def rows(
        self,
        set: int,
        first: int,
        count: int,
        copies: int,
        seed: int,
        include: list[str],
        number: int | None,
    ) -> tuple[list[bytes], list[bytes], list[int]]: ...

def training_sets(
    records: _Records,
    subsample: int | None,
    test: float,
    seed: int,
    number_of_threads: int | None,
) -> Sets: ...
def npy_head(has_cells: bool, length: int) -> bytes: ...
def texts(list: list[Any]) -> Array: ...
def ask(
    question: str,
    records: _Records,
    settings: list[tuple[str, str]],
    answers: _Records | None,
    threads: int | None,
) -> tuple[list[tuple[str, str, Any]], Statuses]: ...
def definitions() -> list[dict[str, Any]]: ...
def split(
    records: _Records,
    names: list[str],
    weights: list[float],
    seed: int,
    by: str,
    threads: int | None,
) -> tuple[Column, Statuses]: ...
def augment(
    records: _Records,
    solutions: _Records | None,
    copies: int,
    seed: int,
    include: list[str],
    keep: bool,
    threads: int | None,
) -> tuple[Column, _Cells, _Cells | None]: ...
def dedup(
    records: _Records, by: str, threads: int | None
) -> tuple[Column, Column, Statuses]: ...
def solutions(
    records: _Records, limit: int, threads: int | None
) -> tuple[Column, _Cells, Column, Statuses]: ...
def stats(records: _Records, threads: int | None) -> dict[str, Any]: ...
def trace(
    records: _Records, wanted: dict[str, Any], threads: int | None
) -> tuple[Column, Column, Column | None, bytearray | None, Statuses]: ...
def generate(
    n: int,
    seed: int,
    start: int,
    uniform: bool,
    in_order: bool,
    first_digit: int | None,
    digits: bool,
    threads: int | None,
) -> _Cells: ...
def puzzles(
    n: int,
    wanted: dict[str, Any],
    seed: int,
    start: int,
    uniform: bool,
    first_digit: int | None,
    digits: bool,
    threads: int | None,
) -> tuple[_Cells, _Cells, Column]: ...
