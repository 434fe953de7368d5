//! Tables by the [Arrow C data interface](https://arrow.apache.org/docs/format/CDataInterface.html).
//!
//! The two structs are those of its specification. They are written here, as the crates of Arrow would be
//! forty more crates for them. A table becomes a struct of its columns:
//!
//! ```text
//!     schema  +s  children:  record L   solution U   status C, dictionary u
//!     array       buffers of the table itself; each struct holds a share of the table until its release
//! ```
//!
//! A consumer may move a child out of its parent, and release it later than the parent. So each struct owns
//! what it points to, and a child that was moved is marked by its null `release`.

use super::{
    super::table::Column,
    tables::{Shared, values},
};
use std::{
    ffi::{CStr, CString, c_char, c_void},
    ptr,
    sync::Arc,
};

/// The type of an array, as the Arrow C data interface defines it.
#[repr(C)]
pub struct ArrowSchema {
    /// The format of the values.
    pub format: *const c_char,
    /// The name of the column.
    pub name: *const c_char,
    /// More about the column: null.
    pub metadata: *const c_char,
    /// 2: values may be null.
    pub flags: i64,
    /// The number of children.
    pub n_children: i64,
    /// The children: the columns.
    pub children: *mut *mut ArrowSchema,
    /// The type of the names, for places in a list.
    pub dictionary: *mut ArrowSchema,
    /// Gives the struct back; null once that is done.
    pub release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    /// The memory that belongs to the struct.
    pub private_data: *mut c_void,
}

/// The values of an array, as the Arrow C data interface defines it.
#[repr(C)]
pub struct ArrowArray {
    /// The number of rows.
    pub length: i64,
    /// The number of rows without a value.
    pub null_count: i64,
    /// 0: the first row is the first of the buffers.
    pub offset: i64,
    /// The number of buffers.
    pub n_buffers: i64,
    /// The number of children.
    pub n_children: i64,
    /// The buffers: which rows have a value, offsets of texts, values.
    pub buffers: *mut *const c_void,
    /// The children: the columns.
    pub children: *mut *mut ArrowArray,
    /// The names, for places in a list.
    pub dictionary: *mut ArrowArray,
    /// Gives the struct back; null once that is done.
    pub release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    /// The memory that belongs to the struct.
    pub private_data: *mut c_void,
}

/// Values may be null.
const NULLABLE: i64 = 2;

/// The memory that belongs to a schema.
struct OfSchema {
    _texts: [CString; 2],
    children: Vec<*mut ArrowSchema>,
    dictionary: *mut ArrowSchema,
}

/// The memory that belongs to an array.
struct OfArray {
    _table: Arc<Shared>,
    /// The texts of names, and where each begins.
    _names: Option<(Vec<i32>, Vec<u8>)>,
    _buffers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
    dictionary: *mut ArrowArray,
}

/// A schema and an array of a table.
pub(super) fn export(shared: &Arc<Shared>) -> (ArrowSchema, ArrowArray) {
    let columns = &shared.table.columns;
    let schemas = columns.iter().enumerate().map(|(number, column)| {
        let dictionary = match shared.names(number) {
            [] => ptr::null_mut(),
            _ => boxed(schema(c"u", c"", Vec::new(), ptr::null_mut())),
        };
        boxed(schema(&column.format, &column.name, Vec::new(), dictionary))
    });
    let arrays = (0..columns.len()).map(|number| boxed(of_column(shared, number)));
    let rows = shared.table.rows as i64;
    (
        schema(c"+s", c"", schemas.collect(), ptr::null_mut()),
        array(
            shared,
            [rows, 0],
            vec![ptr::null()],
            arrays.collect(),
            ptr::null_mut(),
            None,
        ),
    )
}

fn boxed<T>(value: T) -> *mut T {
    Box::into_raw(Box::new(value))
}

fn schema(
    format: &CStr,
    name: &CStr,
    children: Vec<*mut ArrowSchema>,
    dictionary: *mut ArrowSchema,
) -> ArrowSchema {
    let texts = [format, name].map(CString::from);
    let [format, name] = [0, 1].map(|at: usize| texts[at].as_ptr());
    let mut owned = Box::new(OfSchema {
        _texts: texts,
        children,
        dictionary,
    });
    ArrowSchema {
        format,
        name,
        metadata: ptr::null(),
        flags: NULLABLE,
        n_children: owned.children.len() as i64,
        children: owned.children.as_mut_ptr(),
        dictionary,
        release: Some(release_schema),
        private_data: Box::into_raw(owned).cast(),
    }
}

/// The array of a column.
fn of_column(shared: &Arc<Shared>, number: usize) -> ArrowArray {
    let column: &Column = &shared.table.columns[number];
    let valid = column
        .valid
        .as_ref()
        .map_or(ptr::null(), |bits| bits.as_ptr().cast());
    let mut buffers = vec![valid];
    if let Some(offset) = column.offsets.first() {
        buffers.push(ptr::from_ref(offset).cast());
    }
    buffers.push(values(column));
    let dictionary = match shared.names(number) {
        [] => ptr::null_mut(),
        names => boxed(of_names(shared, names)),
    };
    let numbers = [shared.table.rows as i64, column.nulls as i64];
    array(shared, numbers, buffers, Vec::new(), dictionary, None)
}

/// The array of a list of names.
fn of_names(shared: &Arc<Shared>, names: &[CString]) -> ArrowArray {
    let (mut ends, mut bytes) = (vec![0], Vec::new());
    for name in names {
        bytes.extend_from_slice(name.as_bytes());
        ends.push(bytes.len() as i32);
    }
    let buffers = vec![ptr::null(), ends.as_ptr().cast(), bytes.as_ptr().cast()];
    let numbers = [names.len() as i64, 0];
    let owned = Some((ends, bytes));
    array(shared, numbers, buffers, Vec::new(), ptr::null_mut(), owned)
}

/// An array of a number of rows and of nulls.
fn array(
    shared: &Arc<Shared>,
    [length, null_count]: [i64; 2],
    mut buffers: Vec<*const c_void>,
    mut children: Vec<*mut ArrowArray>,
    dictionary: *mut ArrowArray,
    names: Option<(Vec<i32>, Vec<u8>)>,
) -> ArrowArray {
    ArrowArray {
        length,
        null_count,
        offset: 0,
        n_buffers: buffers.len() as i64,
        n_children: children.len() as i64,
        buffers: buffers.as_mut_ptr(),
        children: children.as_mut_ptr(),
        dictionary,
        release: Some(release_array),
        // The vectors stay where they are: what moves is where they are noted.
        private_data: boxed(OfArray {
            _table: Arc::clone(shared),
            _names: names,
            _buffers: buffers,
            children,
            dictionary,
        })
        .cast(),
    }
}

/// Gives back a schema that [`export`] has made, with the children that are still its own.
unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the consumer calls it once for a struct that was exported, as the interface demands. What belongs
    // to it is a box, and so are its children; those that were moved out are marked, and not released here.
    unsafe {
        let owned = Box::from_raw((*schema).private_data.cast::<OfSchema>());
        for child in owned.children.iter().copied().chain([owned.dictionary]) {
            if child.is_null() {
                continue;
            }
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*schema).release = None;
    }
}

/// Gives back an array that [`export`] has made, with the children that are still its own.
unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: as for a schema.
    unsafe {
        let owned = Box::from_raw((*array).private_data.cast::<OfArray>());
        for child in owned.children.iter().copied().chain([owned.dictionary]) {
            if child.is_null() {
                continue;
            }
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*array).release = None;
    }
}
