//! Tables, by plain pointers.

use super::{
    super::{
        failure::Failure,
        table::{self, Buffer},
    },
    arrow::{self, ArrowArray, ArrowSchema},
    guard::{Error, caught, guard},
};
use std::{
    ffi::{CString, c_char, c_int, c_void},
    ptr,
    sync::Arc,
};
use sudoku_batch::words::{counted, said};

/// The columns of an answer. Nothing changes it, so threads may share it.
pub struct Table(pub(super) Arc<Shared>);

/// The memory that a table shares with the arrays that it is exported as.
pub(super) struct Shared {
    pub(super) table: table::Table,
    /// The names of each column that has a list of them.
    names: Vec<Vec<CString>>,
    pointers: Vec<Vec<*const c_char>>,
}

// SAFETY: the pointers lead to `names`, and nothing changes once it is made.
unsafe impl Send for Shared {}
// SAFETY: the same.
unsafe impl Sync for Shared {}

/// A column of a table. All pointers stay as long as the table.
#[repr(C)]
pub struct Column {
    /// Its name, such as "solution".
    pub name: *const c_char,
    /// The type of `values`, in the words of Arrow: "L" (`uint64_t`), "g" (`double`), "U" (text), "C" (`uint8_t`, a
    /// place in `names`), "b" (a bit for each row, the lowest first), "w:162" (162 bytes for each row),
    /// "w:1458" (729 numbers of the type `int16_t` for each row).
    pub format: *const c_char,
    /// The number of rows.
    pub rows: u64,
    /// The number of rows without a value.
    pub nulls: u64,
    /// A bit for each row, the lowest first: 1 if it has a value. Null if all have one.
    pub valid: *const u8,
    /// For text: row i is the bytes of `values` from `offsets[i]` to `offsets[i + 1]`. Cells have 81 bytes in
    /// each row, dots where there is nothing, so that row i begins at 81 * i (only canonical forms and the like of
    /// records that are given by candidates have 729). Null for other formats.
    pub offsets: *const i64,
    /// The values.
    pub values: *const c_void,
    /// For "C": the names, each a text. Null for other formats.
    pub names: *const *const c_char,
    /// The number of names.
    pub names_count: u64,
}

impl Table {
    /// A pointer for the caller, who closes it.
    pub(super) fn into_raw(table: table::Table) -> *mut Self {
        let of_column = |column: &table::Column| {
            let names = column.names.iter();
            let names = names.map(|name| CString::new(*name).unwrap_or_default());
            names.collect::<Vec<_>>()
        };
        let names: Vec<_> = table.columns.iter().map(of_column).collect();
        let pointers = |names: &Vec<CString>| names.iter().map(|name| name.as_ptr()).collect();
        let shared = Shared {
            pointers: names.iter().map(pointers).collect(),
            names,
            table,
        };
        Box::into_raw(Box::new(Self(Arc::new(shared))))
    }
}

impl Shared {
    pub(super) fn names(&self, column: usize) -> &[CString] {
        &self.names[column]
    }
}

/// The place of the values of a column.
pub(super) fn values(column: &table::Column) -> *const c_void {
    match &column.values {
        Buffer::Numbers(numbers) => numbers.as_ptr().cast(),
        Buffer::Reals(numbers) => numbers.as_ptr().cast(),
        Buffer::Bytes(bytes) => bytes.as_ptr().cast(),
    }
}

/// The number of rows of a table, or 0 for null.
///
/// # Safety
///
/// `table` is null or open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sudoku_batch_table_rows(table: *const Table) -> u64 {
    // SAFETY: it is null or open, as the header demands.
    unsafe { table.as_ref() }.map_or(0, |table| table.0.table.rows)
}

/// The number of columns of a table, or 0 for null.
///
/// # Safety
///
/// `table` is null or open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sudoku_batch_table_columns(table: *const Table) -> usize {
    // SAFETY: it is null or open, as the header demands.
    unsafe { table.as_ref() }.map_or(0, |table| table.0.table.columns.len())
}

/// Gives the pointers of a column, by its number from 0.
///
/// # Safety
///
/// `table` is null or open; `column` and `error` are null or have room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sudoku_batch_table_column(
    table: *const Table,
    number: usize,
    column: *mut Column,
    error: *mut Error,
) -> c_int {
    // SAFETY: all of it, as the header demands.
    unsafe {
        guard(error, || {
            let shared = &*opened(table)?.0;
            if column.is_null() {
                return Err(Failure::null("the place for the column"));
            }
            let columns = &shared.table.columns;
            let of_table = columns.get(number).ok_or_else(|| {
                let count = columns.len() as u64;
                let (are, columns) = (said(count, "are"), counted(count, "columns"));
                Failure::size(format_args!(
                    "there {are} {columns}, and no number {number}"
                ))
            })?;
            let pointers = &shared.pointers[number];
            let or_null = |is_there: bool, pointer| if is_there { pointer } else { ptr::null() };
            column.write(Column {
                name: of_table.name.as_ptr(),
                format: of_table.format.as_ptr(),
                rows: shared.table.rows,
                nulls: of_table.nulls,
                valid: of_table
                    .valid
                    .as_ref()
                    .map_or(ptr::null(), |bits| bits.as_ptr()),
                offsets: of_table.offsets.first().map_or(ptr::null(), ptr::from_ref),
                values: values(of_table),
                names: or_null(!pointers.is_empty(), pointers.as_ptr()),
                names_count: pointers.len() as u64,
            });
            Ok(())
        })
    }
}

/// Gives a table away by the Arrow C data interface, as a struct of its columns, without a copy. The consumer
/// releases both. The table stays open, and may be closed before or after.
///
/// # Safety
///
/// `table` is null or open; `schema`, `array` and `error` are null or have room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sudoku_batch_table_export(
    table: *const Table,
    schema: *mut ArrowSchema,
    array: *mut ArrowArray,
    error: *mut Error,
) -> c_int {
    // SAFETY: all of it, as the header demands.
    unsafe {
        guard(error, || {
            let shared = &opened(table)?.0;
            if schema.is_null() || array.is_null() {
                return Err(Failure::null("the place for the schema or the array"));
            }
            let (of_table, values) = arrow::export(shared);
            schema.write(of_table);
            array.write(values);
            Ok(())
        })
    }
}

/// Closes a table. Null is none, and closes nothing. What was exported stays.
///
/// # Safety
///
/// `table` is null, or it is from this library, is not closed yet, and nobody uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sudoku_batch_table_close(table: *mut Table) {
    let close = || {
        // SAFETY: it is open and nobody else uses it, as the header demands.
        drop((!table.is_null()).then(|| unsafe { Box::from_raw(table) }));
        Ok(())
    };
    let _ = caught(close);
}

/// A table of the caller.
///
/// # Safety
///
/// It is null, or open as long as `'c`.
unsafe fn opened<'c>(table: *const Table) -> Result<&'c Table, Failure> {
    // SAFETY: as the caller of this function promises.
    unsafe { table.as_ref() }.ok_or_else(|| Failure::null("the table"))
}
