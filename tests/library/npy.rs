//! Heads of arrays of numpy.

use sudoku_batch::format::npy::RowType;

/// The rule of the format, read back: the magic, the version, a length that makes the whole a
/// multiple of 64, a dictionary with three keys, spaces and a line feed.
fn read(head: &[u8]) -> String {
    assert_eq!(&head[..8], b"\x93NUMPY\x01\x00");
    let length = u16::from_le_bytes([head[8], head[9]]);
    assert_eq!(10 + usize::from(length), head.len());
    assert!(head.len().is_multiple_of(64));
    let text = str::from_utf8(&head[10..]).unwrap();
    let text = text.strip_suffix('\n').unwrap().trim_end_matches(' ');
    text.to_owned()
}

#[test]
fn heads_follow_the_rule() {
    let head = |row: RowType, bytes| read(&row.head(bytes));
    let text = |descr: &str, shape: &str| {
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}")
    };
    assert_eq!(head(RowType::u8(&[81]), 0), text("|u1", "(0, 81)"));
    assert_eq!(head(RowType::f64(&[]), 24), text("<f8", "(3,)"));
    assert_eq!(head(RowType::i8(&[81, 2]), 162), text("|i1", "(1, 81, 2)"));
    let most = u64::MAX / 8 * 4;
    let longest = head(RowType::i32(&[1, 1, 1, 1]), most);
    assert_eq!(longest, text("<i4", &format!("({}, 1, 1, 1, 1)", most / 4)));
}

#[test]
#[should_panic(expected = "a part of a row is missing")]
fn a_row_is_whole() {
    RowType::u8(&[81]).head(82);
}
