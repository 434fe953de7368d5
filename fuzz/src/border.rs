//! The library for C: arguments that a caller may give, right and wrong ones, and what the memory holds then.

use super::{material, oracle};
use arbitrary::{Result, Unstructured};
use capi::{
    border::{
        calls::*,
        guard::Error,
        tables::{
            Column, Table, sudoku_batch_table_close, sudoku_batch_table_column,
            sudoku_batch_table_columns, sudoku_batch_table_rows,
        },
    },
    engine::Engine,
    failure::{SUDOKU_BATCH_DEFECT, SUDOKU_BATCH_NULL, SUDOKU_BATCH_OK, SUDOKU_BATCH_SIZE},
};
use std::{ffi::CString, ptr, slice, sync::OnceLock};

#[allow(dead_code, unsafe_code, reason = "the sources of the library for C")]
#[path = "../../capi/src/lib.rs"]
mod capi;

/// Makes up a call or two.
pub fn run(data: &[u8]) {
    let from = &mut Unstructured::new(data);
    let _ = match from.int_in_range(0..=3u8) {
        Ok(0) => check_options(from),
        Ok(1) => check_sizes(from),
        _ => check_rows(from),
    };
}

/// An engine that all runs share, as threads may.
struct Shared(*mut Engine);

// SAFETY: threads may share an engine.
#[allow(unsafe_code, reason = "pointers of C")]
unsafe impl Send for Shared {}
// SAFETY: the same.
#[allow(unsafe_code, reason = "pointers of C")]
unsafe impl Sync for Shared {}

#[allow(unsafe_code, reason = "pointers of C")]
fn engine(threads: usize) -> *const Engine {
    static ENGINES: [OnceLock<Shared>; 2] = [OnceLock::new(), OnceLock::new()];
    let open = || {
        let (mut engine, mut error) = (ptr::null_mut(), room());
        // SAFETY: there is room for the pointer and for the error.
        let code = unsafe { sudoku_batch_open(ptr::null(), threads, &mut engine, &mut error) };
        assert_eq!(code, SUDOKU_BATCH_OK);
        Shared(engine)
    };
    ENGINES[threads - 1].get_or_init(open).0
}

fn room() -> Error {
    Error {
        code: -1,
        message: [1; _],
    }
}

/// The result of a call: never that the library has a defect, and with a message if something is wrong.
fn said(code: i32, error: &Error) -> i32 {
    assert_ne!(code, SUDOKU_BATCH_DEFECT, "{}", message(error));
    assert_eq!(code, error.code);
    assert_eq!(code == SUDOKU_BATCH_OK, message(error).is_empty());
    code
}

fn message(error: &Error) -> String {
    let end = error.message.iter().position(|byte| *byte == 0);
    let bytes = error.message[..end.expect("a zero at the end")].iter();
    let bytes = bytes.map(|byte| *byte as u8).collect();
    String::from_utf8(bytes).expect("UTF-8")
}

const QUESTIONS: [&str; 8] = [
    "solve",
    "check",
    "count",
    "canonical",
    "rank",
    "expand",
    "rate",
    "solutions",
];

/// Members of options. What may take long is bounded.
const MEMBERS: [&str; 16] = [
    "\"unique\": true",
    "\"max-guesses\": 5",
    "\"minimal\": true",
    "\"limit\": 3",
    "\"limit\": null",
    "\"transformation\": true",
    "\"automorphisms\": true",
    "\"seed\": 7",
    "\"in_order\": true",
    "\"first-digit\": 4",
    "\"up-to\": 3.4",
    "\"difficulty\": true",
    "\"guesses\": false",
    "\"answers\": true",
    "\"simd\": \"avx2\"",
    "\"limit\": -1",
];

/// Options out of the list, in any number.
fn options(from: &mut Unstructured<'_>) -> Result<CString> {
    let mut members = Vec::new();
    for _ in 0..from.int_in_range(0..=2u8)? {
        members.push(*from.choose(&MEMBERS)?);
    }
    Ok(CString::new(format!("{{{}}}", members.join(", "))).expect("no zero"))
}

/// Any bytes as options and as a question, without records: there is nothing to do.
#[allow(unsafe_code, reason = "calls of C")]
fn check_options(from: &mut Unstructured<'_>) -> Result<()> {
    let question = from.choose(&QUESTIONS)?;
    let bytes: Vec<u8> = from.arbitrary()?;
    let text = CString::new(bytes.split(|byte| *byte == 0).next().unwrap_or_default());
    let text = text.expect("no zero");
    let name = match from.arbitrary()? {
        true => CString::new(*question).expect("no zero"),
        false => text.clone(),
    };
    let (mut error, mut table) = (room(), ptr::null_mut());
    let engine = engine(from.int_in_range(1..=2)?);
    // SAFETY: there is room for the table and the error, and no record.
    let code = unsafe {
        sudoku_batch_ask(
            engine,
            name.as_ptr(),
            text.as_ptr(),
            ptr::null(),
            81,
            0,
            81,
            ptr::null(),
            0,
            ptr::null_mut(),
            &mut table,
            &mut error,
        )
    };
    let is_right = said(code, &error) == SUDOKU_BATCH_OK;
    assert_eq!(is_right, !table.is_null());
    // SAFETY: it is null or open.
    unsafe { sudoku_batch_table_close(table) };
    // SAFETY: the same.
    let code = unsafe {
        sudoku_batch_puzzles(
            engine,
            text.as_ptr(),
            from.arbitrary()?,
            0,
            &mut table,
            &mut error,
        )
    };
    said(code, &error);
    // SAFETY: the same.
    unsafe { sudoku_batch_table_close(table) };
    let code = unsafe {
        // SAFETY: there is nothing to write.
        sudoku_batch_generate(
            engine,
            text.as_ptr(),
            from.arbitrary()?,
            0,
            ptr::null_mut(),
            from.arbitrary()?,
            &mut error,
        )
    };
    said(code, &error);
    Ok(())
}

/// Counts and strides that cannot be, or null pointers: nothing is touched.
#[allow(unsafe_code, reason = "calls of C")]
fn check_sizes(from: &mut Unstructured<'_>) -> Result<()> {
    let records = [b'.'; 81];
    let mut out = [7u8; 81];
    let mut error = room();
    let (count, stride): (usize, usize) = (from.arbitrary()?, from.arbitrary()?);
    let (count, stride) = (count.max(2), stride.max(1));
    let fits = (count - 1).checked_mul(stride);
    let fits = fits.and_then(|last| last.checked_add(81 + records.as_ptr().addr()));
    let is_wrong = stride < 81 || fits.is_none_or(|end| isize::try_from(end).is_err());
    let records = match is_wrong {
        true => records.as_ptr(),
        false => ptr::null(),
    };
    // SAFETY: the size is wrong or the records are null, so that nothing is read or written.
    let code = unsafe {
        sudoku_batch_solve(
            engine(1),
            ptr::null(),
            records,
            count,
            stride,
            out.as_mut_ptr(),
            stride,
            ptr::null_mut(),
            &mut error,
        )
    };
    let expected = match is_wrong {
        true => SUDOKU_BATCH_SIZE,
        false => SUDOKU_BATCH_NULL,
    };
    assert_eq!(said(code, &error), expected, "{count} {stride}");
    assert_eq!(out, [7; 81]);
    Ok(())
}

/// Rows of records and of solutions in one memory, at strides of all kinds.
#[allow(unsafe_code, reason = "calls of C")]
fn check_rows(from: &mut Unstructured<'_>) -> Result<()> {
    const KEPT: u8 = b'~';
    let count = from.int_in_range(1..=12usize)?;
    let (before, between) = (
        from.int_in_range(0..=3usize)?,
        from.int_in_range(0..=90usize)?,
    );
    let stride = 81 + between;
    let mut memory = vec![KEPT; before + count * stride];
    let mut all = Vec::new();
    for row in 0..count {
        let mut cells = material::puzzle(from)?;
        if from.ratio(1u8, 8u8)? {
            cells[from.int_in_range(0..=80usize)?] = from.arbitrary()?;
        }
        memory[before + row * stride..][..81].copy_from_slice(&cells);
        all.push(cells);
    }
    let engine = engine(from.int_in_range(1..=2)?);
    let (mut statuses, mut error) = (vec![KEPT; count], room());
    let step = from.int_in_range(81..=90usize)?;
    let mut solutions = vec![KEPT; count * step];
    // SAFETY: there are as many records, and room for as many solutions and statuses.
    let code = unsafe {
        sudoku_batch_solve(
            engine,
            c"{\"unique\": true}".as_ptr(),
            memory.as_ptr().add(before),
            count,
            stride,
            solutions.as_mut_ptr(),
            step,
            statuses.as_mut_ptr(),
            &mut error,
        )
    };
    assert_eq!(said(code, &error), SUDOKU_BATCH_OK);
    for (row, cells) in all.iter().enumerate() {
        let (solution, rest) = solutions[row * step..][..step].split_at(81);
        let rest_is_right = match step {
            82 => rest == b"\n",
            _ => rest.iter().all(|byte| *byte == KEPT),
        };
        assert!(rest_is_right, "the bytes between rows");
        let is_cell = |byte: &u8| byte.is_ascii_digit() || b".*_-?xX".contains(byte);
        assert_eq!(
            statuses[row] == SUDOKU_BATCH_MALFORMED,
            !cells.iter().all(is_cell)
        );
        let puzzle = cells.map(|cell| {
            if cell.is_ascii_digit() && cell != b'0' {
                cell
            } else {
                b'.'
            }
        });
        let solution: &[u8; 81] = solution.try_into().expect("81 bytes");
        if statuses[row] == SUDOKU_BATCH_UNIQUE {
            assert!(oracle::is_grid(solution) && oracle::fits(solution, &puzzle));
        } else {
            assert_eq!(solution, &[b'.'; 81]);
        }
        let found = oracle::solutions(&puzzle, 2);
        if found.known && statuses[row] != SUDOKU_BATCH_MALFORMED {
            assert_eq!(statuses[row] == SUDOKU_BATCH_UNIQUE, found.found.len() == 1);
            assert_eq!(
                statuses[row] == SUDOKU_BATCH_MULTIPLE,
                found.found.len() == 2
            );
        }
    }
    // Into the bytes between the records, if a solution has room there. Otherwise outputs would overlap.
    let mut again = memory.clone();
    // SAFETY: the rows lie within the memory, or the call finds that they overlap.
    let code = unsafe {
        let first = again.as_mut_ptr().add(before);
        let to = first.add(81.min(stride - 1));
        let rows = if stride >= 162 { count } else { count.min(1) };
        sudoku_batch_solve(
            engine,
            c"{\"unique\": true}".as_ptr(),
            first,
            rows,
            stride,
            if stride >= 162 { to } else { first },
            stride,
            ptr::null_mut(),
            &mut error,
        )
    };
    if stride >= 162 {
        assert_eq!(said(code, &error), SUDOKU_BATCH_OK);
        for (row, cells) in all.iter().enumerate() {
            assert_eq!(again[before + row * stride..][..81], *cells);
            assert_eq!(
                again[before + row * stride + 81..][..81],
                solutions[row * step..][..81]
            );
        }
    } else {
        assert_eq!(said(code, &error), SUDOKU_BATCH_SIZE);
        assert_eq!(again, memory);
    }
    check_table(from, engine, &memory[before..], count, stride)
}

/// Reads all bytes, so that the address sanitizer sees one that is not there.
fn read(bytes: &[u8]) {
    std::hint::black_box(
        bytes
            .iter()
            .fold(0, |sum: u8, byte| sum.wrapping_add(*byte)),
    );
}

/// A question about the records: whatever the options, a table that is whole, or an error.
#[allow(unsafe_code, reason = "calls of C")]
fn check_table(
    from: &mut Unstructured<'_>,
    engine: *const Engine,
    memory: &[u8],
    count: usize,
    stride: usize,
) -> Result<()> {
    let name = *from.choose(&QUESTIONS)?;
    let mut options = options(from)?;
    // Chains may take seconds, and so may a list without an end.
    if name == "rate" && !options.to_bytes().windows(5).any(|word| word == b"up-to") {
        options = c"{\"up-to\": 2.6}".into();
    }
    let (mut error, mut table): (_, *mut Table) = (room(), ptr::null_mut());
    let mut statuses = vec![255; count];
    let question = CString::new(name).expect("no zero");
    let answers = match from.arbitrary()? {
        true => memory.as_ptr(),
        false => ptr::null(),
    };
    // SAFETY: there are as many records, and room for as many statuses.
    let code = unsafe {
        sudoku_batch_ask(
            engine,
            question.as_ptr(),
            options.as_ptr(),
            memory.as_ptr(),
            81,
            count,
            stride,
            answers,
            stride,
            statuses.as_mut_ptr(),
            &mut table,
            &mut error,
        )
    };
    if said(code, &error) != SUDOKU_BATCH_OK {
        assert!(table.is_null());
        return Ok(());
    }
    assert!(statuses.iter().all(|status| *status <= SUDOKU_BATCH_VALID));
    // SAFETY: the table is open, and its columns are as its header says.
    unsafe {
        let rows = sudoku_batch_table_rows(table) as usize;
        for number in 0..sudoku_batch_table_columns(table) {
            let mut column = std::mem::MaybeUninit::<Column>::uninit();
            let code = sudoku_batch_table_column(table, number, column.as_mut_ptr(), &mut error);
            assert_eq!(said(code, &error), SUDOKU_BATCH_OK);
            let column = column.assume_init();
            assert_eq!(column.rows as usize, rows);
            let format = std::ffi::CStr::from_ptr(column.format)
                .to_str()
                .expect("ASCII");
            let of_bytes = |length| slice::from_raw_parts(column.values.cast::<u8>(), length);
            match format {
                "L" | "g" => read(of_bytes(8 * rows)),
                "b" => read(of_bytes(rows.div_ceil(8))),
                "C" => {
                    let places = of_bytes(rows).iter();
                    assert!(
                        places
                            .max()
                            .is_none_or(|most| u64::from(*most) < column.names_count)
                    );
                }
                "U" => {
                    let ends = slice::from_raw_parts(column.offsets, rows + 1);
                    assert!(ends[0] == 0 && ends.is_sorted());
                    read(of_bytes(ends[rows] as usize));
                }
                other => assert!(other.starts_with("w:")),
            }
            if number == 0 {
                let records = slice::from_raw_parts(column.values.cast::<u64>(), rows);
                assert!(
                    records.is_sorted() && records.iter().all(|record| (*record as usize) < count)
                );
            }
            let missing = if column.valid.is_null() {
                0
            } else {
                let bits = slice::from_raw_parts(column.valid, rows.div_ceil(8));
                (0..rows)
                    .filter(|row| bits[row / 8] >> (row % 8) & 1 == 0)
                    .count()
            };
            assert_eq!(column.nulls as usize, missing);
        }
        sudoku_batch_table_close(table);
    }
    Ok(())
}
