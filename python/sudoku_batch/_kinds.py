"""The kinds of objects that records come in, and how answers go out in the same kind.

==================  =============================================  ==================
comes in            to the engine                                  goes out
==================  =============================================  ==================
numpy, numbers      rows of 81 numbers, by the buffer protocol     the same shape
numpy, masked       rows of numbers, and which are missing         masked
numpy, text         a list                                         numpy, object
torch               the array of numpy in it                       tensors
pyarrow             Arrow arrays, by capsules                      Array, ChunkedArray
polars, pandas      Arrow arrays, by capsules                      Series
any other Arrow     Arrow arrays, by capsules                      an object with capsules
list, any Sequence  a list                                         list
of lists            rows of numbers, as numpy makes them           lists
str, bytes          a list of one item                             str, bytes
==================  =============================================  ==================

Texts of bytes go out as bytes, in a list and in an array of numpy. A table of one column is that column.

A Series has the name of the answer (`solution`, `status`, `er`, …), so that it stands next to the
records as a column of its own.

Nothing here is imported before somebody holds an object of it.
"""

from __future__ import annotations

import copyreg
import importlib.util
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from numbers import Integral
from operator import attrgetter, index
from typing import Any, Protocol, TypeAlias

from . import _engine

#: The kinds that the functions that make records can return.
MADE = ("list", "numpy", "arrow", "polars", "pandas")


class ArrowArray(Protocol):
    """An Arrow array of text, of any library."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[object, object]: ...


class ArrowStream(Protocol):
    """A stream of Arrow arrays of text, of any library: pyarrow, polars, pandas and others have it."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> object: ...


class ArrayLike(Protocol):
    """An array of numbers or text of numpy, or what numpy makes one of: a tensor of torch."""

    def __array__(self) -> Any: ...


#: The records that all functions take. None in a list is a record that is missing.
Records: TypeAlias = (
    str | bytes | Sequence[str | bytes | None] | Sequence[Sequence[Any]] | Sequence[int] | ArrowArray | ArrowStream | ArrayLike
)


def whole(name: str, value: Any, least: int = 0, most: int = 2**64 - 1) -> int:
    """A whole number of an argument. ValueError: it is out of its range."""
    try:
        number = index(value)
    except TypeError:
        kind = type(value).__name__
        raise TypeError(f"{name} is a whole number, not {value!r} of type {kind}") from None
    if not least <= number <= most:
        limit = f"from {least} to {most}" if most < 2**63 - 1 else f"of at least {least}"
        if number > most:
            limit = f"of at most {most}"
        raise ValueError(f"{name} is a whole number {limit}, not {number}")
    return number


def thread_count(threads: int | None) -> int | None:
    """A number of threads. ValueError: it is negative, or beyond what any machine has."""
    return None if threads is None else whole("threads", threads, most=2**16)


class Kind:
    """Records of some kind: what the engine takes of them, and how answers go out."""

    #: The records as the engine takes them.
    records: Any

    def cells(self, name: str, cells: Any) -> Any:
        """Solutions and other rows of 81 cells, as the records came.

        The name is that of the answer: it becomes the name of a Series.
        """
        return self.values(name, cells)

    def puzzles(self, name: str, puzzles: Any) -> Any:
        """Rows of 81 cells, or of 729 candidates where the records are given by them."""
        return self.cells(name, puzzles)

    def candidates(self, name: str, candidates: Any) -> Any:
        """Rows of 729 candidates, whatever the records are given by."""
        return self.texts(name, candidates)

    def values(self, name: str, column: _engine.Column) -> Any:
        """Names and numbers, a value for each record."""
        raise NotImplementedError

    def texts(self, name: str, column: _engine.Column) -> Any:
        """Long texts, a value for each record."""
        return self.values(name, column)

    def statuses(self, statuses: _engine.Statuses) -> Any:
        """The names of statuses."""
        return self.values("status", statuses.names())

    def other_cells(self, name: str, cells: Any) -> Any:
        """Rows of 81 cells that are more, or fewer, than the records."""
        return self.cells(name, cells)

    def other_puzzles(self, name: str, puzzles: Any) -> Any:
        """The same of 81 cells or 729 candidates."""
        return self.other_cells(name, puzzles)

    def other_candidates(self, name: str, candidates: Any) -> Any:
        """Rows of 729 candidates that are more, or fewer, than the records."""
        return self.other_texts(name, candidates)

    def other_values(self, name: str, column: _engine.Column) -> Any:
        """Values that are more, or fewer, than the records."""
        return self.values(name, column)

    def other_texts(self, name: str, column: _engine.Column) -> Any:
        """Long texts that are more, or fewer, than the records."""
        return self.other_values(name, column)

    def pairs(self, name: str, pairs: bytearray) -> Any:
        """Cells in the order in which they are filled, and their digits: an array of numpy."""
        return pairs_of(pairs)

    def candidate_counts(self, name: str, numbers: bytearray) -> Any:
        """Nine numbers for each cell of each record: an array of numpy."""
        return candidate_counts_of(numbers)


class Numbers(Kind):
    """An array of numpy with a number for each cell."""

    def __init__(self, array: Any) -> None:
        import numpy

        shape = array.shape
        candidates = array.ndim <= 2 and shape[-1:] == (729,)
        rows = array.ndim <= 2 and shape[-1:] == (81,) or candidates
        if not rows and (array.ndim > 3 or shape[-2:] != (9, 9)):
            raise ValueError(
                f"the array has the shape {shape}: (n, 81) or (n, 9, 9) is wanted, "
                "or (81,) or (9, 9) for one puzzle; or (n, 729) or (729,) for candidates"
            )
        self.is_bool = array.dtype == bool
        if self.is_bool:
            if not candidates:
                raise ValueError(
                    f"an array of bool says for each of 9 digits whether it is a candidate of a cell: the shape (n, 729) "
                    f"or (729,) is wanted, not {shape}. Digits are numbers"
                )
            array = array.view(numpy.uint8)
        self.single = shape in ((81,), (9, 9), (729,))
        # Answers to candidates are 81 cells.
        self.shape = (*shape[:-1], 81) if candidates else shape
        self.width = 729 if candidates else 81
        self.dtype = array.dtype
        if not array.dtype.isnative or array.dtype.itemsize > 8 or array.dtype == numpy.float16:
            # The engine has no such numbers. One that is no digit must not become one.
            digits = (array >= 0) & (array <= 9) & (array == numpy.floor(array))
            array = numpy.where(digits, array, 255).astype(numpy.uint8)
        self.records = numpy.require(array, requirements=["C", "A"]).reshape(-1, self.width)

    def _numbers(self, array: Any, shape: tuple[int, ...]) -> Any:
        """Numbers that the engine has made, in the type of the records and of a shape."""
        if array.dtype == bool:
            return array.reshape(shape)
        # The sign alone differs, and digits have none.
        same = array.dtype.kind == "u" and array.dtype.itemsize == self.dtype.itemsize and self.dtype.kind in "ui"
        return (array.view(self.dtype) if same else array.astype(self.dtype, copy=False)).reshape(shape)

    def cells(self, name: str, cells: Any) -> Any:
        return self._numbers(cells, self.shape)

    def puzzles(self, name: str, puzzles: Any) -> Any:
        if self.width == 81:
            return self.cells(name, puzzles)
        return self.candidates(name, puzzles)

    def candidates(self, name: str, candidates: Any) -> Any:
        shape = (729,) if self.single else (-1, 729)
        return self._numbers(candidates != 0 if self.is_bool else candidates, shape)

    def _column(self, values: Any, nulls: Callable[[], bytearray]) -> Any:
        """A value for each record, and a byte for each that says whether it is null."""
        return values[0].item() if self.single else values

    def values(self, name: str, column: _engine.Column) -> Any:
        return self._column(numpy_of(column), column.nulls)

    def texts(self, name: str, column: _engine.Column) -> Any:
        import numpy

        values = numpy.array(column.to_list(), dtype=object)
        return values[0] if self.single else values

    def candidate_counts(self, name: str, numbers: bytearray) -> Any:
        array = candidate_counts_of(numbers)
        return array[0] if self.single else array

    def statuses(self, statuses: _engine.Statuses) -> Any:
        import numpy

        codes = numpy.frombuffer(statuses.codes(), dtype=numpy.uint8)
        names = numpy.array(_engine.STATUSES).take(codes, mode="clip")
        return self._column(names, lambda: bytearray((codes == 255).tobytes()))

    def other_cells(self, name: str, cells: Any) -> Any:
        shape = self.shape[-1:] if self.shape[-1] == 81 else (9, 9)
        return self._numbers(cells, (-1, *shape))

    def other_puzzles(self, name: str, puzzles: Any) -> Any:
        if self.width == 81:
            return self.other_cells(name, puzzles)
        return self.other_candidates(name, puzzles)

    def other_candidates(self, name: str, candidates: Any) -> Any:
        return self._numbers(candidates != 0 if self.is_bool else candidates, (-1, 729))

    def other_values(self, name: str, column: _engine.Column) -> Any:
        return numpy_of(column)


class MaskedNumbers(Numbers):
    """An array of numpy with a mask. A masked cell is blank, and a row without any other cell is missing."""

    def __init__(self, array: Any) -> None:
        import numpy

        super().__init__(array.filled(0))
        missing = numpy.ma.getmaskarray(array).reshape(-1, self.width).all(axis=1)
        self.records = (self.records, missing.tobytes())

    def _numbers(self, array: Any, shape: tuple[int, ...]) -> Any:
        """Numbers, with a mask over the rows that have none."""
        is_nothing = (~array.any(axis=-1)).tobytes()
        return masked_array(super()._numbers(array, array.shape), is_nothing).reshape(shape)

    def _column(self, values: Any, nulls: Callable[[], bytearray]) -> Any:
        masked = masked_array(values, nulls())
        return masked.tolist()[0] if self.single else masked

    def candidate_counts(self, name: str, numbers: bytearray) -> Any:
        array = candidate_counts_of(numbers)
        masked = masked_array(array, (array[:, 0, 0, 0] < 0).tobytes())
        return masked[0] if self.single else masked

    def other_values(self, name: str, column: _engine.Column) -> Any:
        return masked_array(numpy_of(column), column.nulls())


class Tensors(Numbers):
    """A tensor of torch. Numbers are tensors, and texts arrays of numpy."""

    def __init__(self, tensor: Any) -> None:
        super().__init__(tensor.numpy())

    def _numbers(self, array: Any, shape: tuple[int, ...]) -> Any:
        return tensor_of(super()._numbers(array, shape))

    def values(self, name: str, column: _engine.Column) -> Any:
        return tensor_of(super().values(name, column))

    def other_values(self, name: str, column: _engine.Column) -> Any:
        return tensor_of(super().other_values(name, column))

    def pairs(self, name: str, pairs: bytearray) -> Any:
        return tensor_of(super().pairs(name, pairs))

    def candidate_counts(self, name: str, numbers: bytearray) -> Any:
        return tensor_of(super().candidate_counts(name, numbers))


class Texts(Kind):
    """A list of texts. The engine makes lists of cells."""

    def __init__(self, texts: Sequence[Any]) -> None:
        self.records = texts if isinstance(texts, list) else list(texts)

    def values(self, name: str, column: _engine.Column | list[Any]) -> Any:
        return list_of(column)


class OneText(Texts):
    """A text by itself."""

    def __init__(self, text: str) -> None:
        super().__init__([text])

    def values(self, name: str, column: _engine.Column | list[Any]) -> Any:
        return list_of(column)[0]

    def candidate_counts(self, name: str, numbers: bytearray) -> Any:
        return super().candidate_counts(name, numbers)[0]

    def other_cells(self, name: str, cells: list[Any]) -> Any:
        return cells

    def other_values(self, name: str, column: _engine.Column | list[Any]) -> Any:
        return list_of(column)


class NumpyTexts(Texts):
    """An array of numpy with a text for each record."""

    def __init__(self, array: Any) -> None:
        if array.ndim != 1:
            raise ValueError(f"the array of texts has the shape {array.shape}: (n,) is wanted")
        super().__init__(array.tolist())

    def values(self, name: str, column: _engine.Column | list[Any]) -> Any:
        import numpy

        return numpy.array(list_of(column), dtype=object)


class Bytes(Kind):
    """Texts that are bytes, of any kind: so are puzzles and solutions. A character beyond ASCII is no cell."""

    def __init__(self, kind: Callable[[Any], Kind], texts: Any) -> None:
        self.kind = kind(decoded(texts))
        self.records = self.kind.records

    def cells(self, name: str, cells: Any) -> Any:
        return encoded(self.kind.cells(name, cells))

    def candidates(self, name: str, candidates: Any) -> Any:
        return encoded(self.kind.candidates(name, candidates))

    def values(self, name: str, column: _engine.Column) -> Any:
        return self.kind.values(name, column)

    def other_cells(self, name: str, cells: Any) -> Any:
        return encoded(self.kind.other_cells(name, cells))

    def other_candidates(self, name: str, candidates: Any) -> Any:
        return encoded(self.kind.other_candidates(name, candidates))

    def candidate_counts(self, name: str, numbers: bytearray) -> Any:
        return self.kind.candidate_counts(name, numbers)

    def other_values(self, name: str, column: _engine.Column) -> Any:
        return self.kind.other_values(name, column)


class NumberLists(Numbers):
    """Lists of numbers: 81, nine rows of nine, or a list of such."""

    def __init__(self, rows: Sequence[Any]) -> None:
        super().__init__(array_of(rows))

    def _numbers(self, array: Any, shape: tuple[int, ...]) -> Any:
        return super()._numbers(array, shape).tolist()

    def values(self, name: str, column: _engine.Column) -> Any:
        return list_of(column)[0] if self.single else list_of(column)

    def texts(self, name: str, column: _engine.Column) -> Any:
        return self.values(name, column)

    def candidate_counts(self, name: str, numbers: bytearray) -> Any:
        return super().candidate_counts(name, numbers).tolist()

    def statuses(self, statuses: _engine.Statuses) -> Any:
        return self.values("status", statuses.names())

    def other_values(self, name: str, column: _engine.Column) -> Any:
        return list_of(column)


class Arrow(Kind):
    """An object with `__arrow_c_array__` or `__arrow_c_stream__` of a library unknown here."""

    def __init__(self, records: Any) -> None:
        self.records = records
        self.single_array = hasattr(records, "__arrow_c_array__")

    def values(self, name: str, column: _engine.Column) -> Any:
        arrays = column.arrays()
        return arrays[0] if self.single_array and len(arrays) == 1 else column


class PyArrow(Arrow):
    """An `Array` or a `ChunkedArray` of pyarrow."""

    def values(self, name: str, column: _engine.Column) -> Any:
        return pyarrow_of(column, self.single_array)

    def candidate_counts(self, name: str, numbers: bytearray) -> Any:
        return lists_of(super().candidate_counts(name, numbers))


class Polars(Arrow):
    """A `Series` of polars."""

    def __init__(self, series: Any) -> None:
        import polars

        if isinstance(series.dtype, (polars.Categorical, polars.Enum, polars.Null)):
            series = series.cast(polars.String)
        super().__init__(series)

    def values(self, name: str, column: _engine.Column) -> Any:
        import polars

        return polars.Series(column).alias(name)

    def cells(self, name: str, cells: Any) -> Any:
        return self.values(name, cells).cast(self.records.dtype)

    def candidate_counts(self, name: str, numbers: bytearray) -> Any:
        import polars

        return polars.Series(name, super().candidate_counts(name, numbers))


class Pandas(Kind):
    """A `Series` of pandas."""

    def __init__(self, series: Any) -> None:
        if hasattr(series, "cat"):
            series = series.astype(series.cat.categories.dtype)
        self.series = series
        if series.dtype == object or not hasattr(series, "__arrow_c_stream__"):
            self.records = series.tolist()
        else:
            self.records = series

    def cells(self, name: str, cells: Any) -> Any:
        return self._made(name, cells, self.series.dtype, index=self.series.index)

    def values(self, name: str, column: _engine.Column) -> Any:
        return self._made(name, column, None, index=self.series.index)

    def candidate_counts(self, name: str, numbers: bytearray) -> Any:
        arrays = list(super().candidate_counts(name, numbers))
        return self._made(name, arrays, object, index=self.series.index)

    def other_cells(self, name: str, cells: Any) -> Any:
        return self._made(name, cells, self.series.dtype)

    def other_values(self, name: str, column: _engine.Column) -> Any:
        return self._made(name, column, None)

    def _made(self, name: str, column: Any, dtype: Any, **about: Any) -> Any:
        return pandas_of(column, dtype, name=name, **about)


class PandasArray(Pandas):
    """An array of pandas, without an index."""

    def __init__(self, array: Any) -> None:
        import pandas

        super().__init__(pandas.Series(array))

    def _made(self, name: str, column: Any, dtype: Any, **about: Any) -> Any:
        return super()._made(name, column, dtype, **about).array


def kind_of(records: Any) -> Kind:
    """The kind of some records."""
    if isinstance(records, str):
        return OneText(records)
    if isinstance(records, (bytes, bytearray)):
        return Bytes(OneText, records)
    if isinstance(records, (list, tuple)):
        return _kind_of_list(records)
    library = type(records).__module__.partition(".")[0]
    if library == "numpy" and hasattr(records, "ndim"):
        if records.dtype.kind in "buif":
            return MaskedNumbers(records) if hasattr(records, "mask") else Numbers(records)
        return Bytes(NumpyTexts, records) if _are_bytes(records.ravel()) else NumpyTexts(records)
    if library in _BY_LIBRARY:
        for names, make in _BY_LIBRARY[library].items():
            if any(isinstance(records, attrgetter(name)(sys.modules[library])) for name in names.split()):
                return make(records)
    elif hasattr(records, "__arrow_c_array__") or hasattr(records, "__arrow_c_stream__"):
        return Arrow(records)
    elif hasattr(records, "__array__"):
        import numpy

        return kind_of(numpy.asanyarray(records))
    elif isinstance(records, Sequence):
        return _kind_of_list(list(records))
    hint = " Of an iterator, pass a list." if isinstance(records, Iterable) else ""
    raise TypeError(
        f"records are a numpy array, an Arrow array or stream (pyarrow, polars or pandas Series), "
        f"a list of str, or a str: not {type(records).__name__}. Of a table, take the column.{hint}"
    )


def _kind_of_list(items: Sequence[Any]) -> Kind:
    """The kind of a list: of texts, or of numbers that are in lists of their own or are 81 or 729."""
    first = next((item for item in items if item is not None), None)
    if _are_bytes(items):
        return Bytes(Texts, items)
    are_rows = isinstance(first, Sequence) or getattr(first, "ndim", 0) > 0
    if are_rows and not isinstance(first, str) or isinstance(first, Integral) and len(items) in (81, 729):
        return NumberLists(items)
    return Texts(items)


def _kind_of_series(series: Any) -> Kind:
    """The kind of a `Series` of pandas."""
    return Bytes(Pandas, series) if series.dtype == object and _are_bytes(series) else Pandas(series)


def _kind_of_table(table: Any) -> Kind:
    """The kind of a table of one column: of that column."""
    names = list(getattr(table, "column_names", None) or table.columns)
    if len(names) != 1:
        raise TypeError(
            f"records are a column or a list of str, not a {type(table).__name__}. "
            f"Of a table, take the column: it has {', '.join(map(str, names))}"
        )
    return kind_of(table[names[0]])


#: The kinds of the objects of a library, by the names of their types.
_BY_LIBRARY: dict[str, dict[str, Callable[[Any], Kind]]] = {
    "pyarrow": {
        "Array ChunkedArray": PyArrow,
        "Table RecordBatch": _kind_of_table,
        "RecordBatchReader": lambda reader: _kind_of_table(reader.read_all()),
    },
    "polars": {"Series": Polars, "DataFrame": _kind_of_table},
    "pandas": {
        "Series": _kind_of_series,
        "Index": lambda index: _kind_of_series(index.to_series()),
        "api.extensions.ExtensionArray": PandasArray,
        "DataFrame": _kind_of_table,
    },
    "torch": {"Tensor": Tensors},
}


def _are_bytes(items: Iterable[Any]) -> bool:
    """Whether the first item that is there is bytes."""
    return isinstance(next((item for item in items if item is not None), None), (bytes, bytearray))


def decoded(texts: Any) -> Any:
    """Texts, or one, without bytes: each byte is a character, so that what is no ASCII is no cell."""
    if isinstance(texts, (bytes, bytearray)):
        return texts.decode("latin-1")
    return _each(decoded, texts)


def encoded(texts: Any) -> Any:
    """Texts, or one, as bytes."""
    return texts.encode() if isinstance(texts, str) else _each(encoded, texts)


def _each(change: Callable[[Any], Any], texts: Any) -> Any:
    """Changes each text of a list, an array of numpy or a `Series` of pandas. Other values stay."""
    if isinstance(texts, (list, tuple)):
        return [change(text) for text in texts]
    if hasattr(texts, "map"):
        return texts.map(change, na_action="ignore")
    if hasattr(texts, "ndim"):
        import numpy

        changed = numpy.empty(texts.shape, object)
        changed.ravel()[:] = [change(text) for text in texts.ravel().tolist()]
        return changed
    return texts


#: The value of a cell of a list, if it is no number: a digit, or 0 for a blank.
_CELLS = {str(digit): digit for digit in range(10)} | dict.fromkeys([*".*_-?xX ", "", None], 0)


def array_of(rows: Sequence[Any]) -> Any:
    """An array of numpy of the numbers in lists, or of what stands for them: one character, or None for a blank."""
    import numpy

    try:
        array = numpy.array(rows)
    except ValueError:
        raise ValueError("the lists have different lengths: each record is 81 numbers, or nine lists of nine") from None
    if array.dtype.kind in "buif":
        return array
    cells = (cell if isinstance(cell, Integral) else _CELLS.get(cell, 255) for cell in array.ravel().tolist())
    return numpy.array([int(cell) for cell in cells]).reshape(array.shape)


def make_kind(kind: str) -> Callable[[str, Any], Any]:
    """What makes objects of a kind, by its name, of a name and what the engine has made."""
    if kind not in MADE:
        raise ValueError(f"no kind is called {kind!r}; one of: {', '.join(MADE)}")

    def make(name: str, made: Any) -> Any:
        if kind == "list":
            return made.to_list()
        if kind == "numpy":
            return numpy_of(made) if isinstance(made, _engine.Column) else made
        if kind == "arrow":
            return pyarrow_of(made, single_array=True)
        if kind == "polars":
            import polars

            return polars.Series(made).alias(name)
        return pandas_of(made, None, name=name)

    return make


def table_of(columns: dict[str, Any], types: Mapping[str, str]) -> Any:
    """A table of pyarrow of columns of any kind, without those that are None. Plain values have the types of the engine."""
    import pyarrow

    def array(name: str, column: Any) -> Any:
        if isinstance(column, (pyarrow.Array, pyarrow.ChunkedArray)):
            return column
        library = type(column).__module__.partition(".")[0]
        if library == "numpy" and getattr(column, "ndim", 0) > 1:
            return lists_of(column)
        if library == "pandas":
            return pyarrow.Array.from_pandas(column)
        if hasattr(column, "__arrow_c_array__"):
            return pyarrow.array(column)
        if hasattr(column, "__arrow_c_stream__"):
            return pyarrow.chunked_array(column)
        is_plain = isinstance(column, list) or getattr(column, "dtype", None) == object
        named = {"text": pyarrow.string(), "bool": pyarrow.bool_()}
        known = types.get(name) if is_plain else None
        return pyarrow.array(column, known and (named.get(known) or getattr(pyarrow, known)()))

    return pyarrow.table({name: array(name, column) for name, column in _rows_of(columns).items()})


def lists_of(rows: Any) -> Any:
    """An Array of pyarrow of the rows of an array of numpy: lists of their numbers, and null where all are masked."""
    import numpy
    import pyarrow

    rows = rows.reshape(len(rows), prod(rows.shape[1:]))
    masked = pyarrow.array(numpy.ma.getmaskarray(rows).all(axis=1))
    values = numpy.ma.getdata(rows).ravel()
    return pyarrow.FixedSizeListArray.from_arrays(values, rows.shape[1], mask=masked)


def _rows_of(columns: dict[str, Any]) -> dict[str, Any]:
    """Columns without those that are None. Those of a single record become columns of one row."""
    if any(isinstance(column, (str, bool, int, float)) for column in columns.values()):
        # Lists of arrays have one dimension in Arrow.
        return {name: column[None] if getattr(column, "ndim", 0) > 2 else [column] for name, column in columns.items()}
    return {name: column for name, column in columns.items() if column is not None}


def stream_of(columns: dict[str, Any], types: Mapping[str, str]) -> Any:
    """The capsule of a stream of the rows of columns."""
    if importlib.util.find_spec("pyarrow") is not None:
        return table_of(columns, types).__arrow_c_stream__()
    import polars

    return polars.DataFrame(_rows_of(columns)).__arrow_c_stream__()


def numpy_of(column: _engine.Column) -> Any:
    """Numbers, or texts as objects, among which None may be."""
    import numpy

    if column.type == "text":
        return numpy.array(column.to_list(), dtype=object)
    return numpy.frombuffer(column.numbers(), dtype=column.type)


def masked_array(rows: Any, masked: bytes | bytearray) -> Any:
    """An array of numpy with a mask, by a byte for each row."""
    import numpy

    mask = numpy.frombuffer(masked, bool).reshape(-1, *[1] * (rows.ndim - 1))
    return numpy.ma.masked_array(rows, numpy.broadcast_to(mask, rows.shape).copy())


def pyarrow_of(column: _engine.Column, single_array: bool) -> Any:
    """An Array, or a ChunkedArray."""
    import pyarrow

    if not single_array:
        return pyarrow.chunked_array(column)
    return pyarrow.array(column.arrays()[0])


def pairs_of(pairs: bytearray) -> Any:
    """Orders in which cells are filled: an array of numpy, with a cell and a digit for each of 81 steps."""
    import numpy

    return numpy.frombuffer(pairs, dtype=numpy.int8).reshape(-1, 81, 2)


def candidate_counts_of(numbers: bytearray) -> Any:
    """Numbers of solutions: an array of numpy, with rows, cells of a row and digits for each record."""
    import numpy

    return numpy.frombuffer(numbers, dtype=numpy.int16).reshape(-1, 9, 9, 9)


def tensor_of(array: Any) -> Any:
    """A tensor of torch of the numbers of an array, without a copy; anything else as it is."""
    if getattr(array, "ndim", 0) and array.dtype.kind in "buif":
        return sys.modules["torch"].from_numpy(array)
    return array


def list_of(column: _engine.Column | list[Any]) -> list[Any]:
    """The values of a column."""
    return column if isinstance(column, list) else column.to_list()


def pandas_of(column: _engine.Column | list[Any], dtype: Any, **about: Any) -> Any:
    """A Series of a type; `None` is the type that pandas has for the values."""
    import pandas

    if isinstance(column, list):
        return pandas.Series(column, dtype=dtype, **about)
    if dtype is None:
        dtype = _PANDAS_TYPES[column.type]
        if column.type == "text" and int(pandas.__version__.partition(".")[0]) < 3:
            dtype = object
    dtype = pandas.api.types.pandas_dtype(dtype)
    if dtype.kind == "f" or dtype == object or importlib.util.find_spec("pyarrow") is None:
        return pandas.Series(column.to_list(), dtype=dtype, **about)
    import pyarrow

    return pandas.Series(dtype.__from_arrow__(pyarrow.chunked_array(column)), **about)


#: The types of pandas by those of columns: they are the same whether or not a value is null.
_PANDAS_TYPES = {"text": "str", "bool": "boolean", "int32": "Int32", "int64": "Int64", "float64": "float64"}


def _pickled(column: Any) -> tuple[Any, ...]:
    """Arrow data of the engine becomes that of pyarrow."""
    pickled: tuple[Any, ...] = pyarrow_of(column, single_array=False).__reduce__()
    return pickled


copyreg.pickle(_engine.Column, _pickled)
copyreg.pickle(_engine.Array, lambda array: table_of({"": array}, {})[""].chunk(0).__reduce__())
