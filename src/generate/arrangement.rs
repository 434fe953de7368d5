//! The orders of the digits of a first row, laid out for byte shuffles.
//!
//! ```text
//!     first row, 0..362,880  =  first three digits  *  the order of the six left over
//!                                      504          *   720
//! ```
//!
//! First rows count in lexicographic order, so 0 is the identity, and they ascend.

/// Sixteen bytes for a byte shuffle, of which nine or ten are used.
pub(crate) type Sixteen = [u8; 16];

/// The number of orders that the digits of a row have: 9!.
pub(crate) const ROW_ORDERS: u64 = 362_880;

/// How many of those begin with a given digit: 8!.
pub(super) const ROW_ORDERS_FIXED: u64 = ROW_ORDERS / 9;

/// The 504 beginnings of a first row: three digits, then the six left over in
/// ascending order, and a line feed.
static HEADS: [Sixteen; 504] = {
    let mut table = [[0; 16]; 504];
    let (mut i, mut code) = (0, 0);
    while code < 729 {
        let head = [code / 81, code / 9 % 9, code % 9];
        if head[0] != head[1] && head[0] != head[2] && head[1] != head[2] {
            let (mut digit, mut place) = (0, 3);
            while digit < 9 {
                if digit == head[0] || digit == head[1] || digit == head[2] {
                    digit += 1;
                    continue;
                }
                table[i][place] = b'1' + digit as u8;
                place += 1;
                digit += 1;
            }
            let mut place = 0;
            while place < 3 {
                table[i][place] = b'1' + head[place] as u8;
                place += 1;
            }
            table[i][9] = b'\n';
            i += 1;
        }
        code += 1;
    }
    assert!(i == 504);
    table
};

/// The 720 orders of the last six of nine places. The others stay.
static TAILS: [Sixteen; 720] = {
    let mut table = [[0, 1, 2, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0]; 720];
    let mut i = 0;
    while i < 720 {
        let (mut rest, mut radix, mut used, mut place) = (i, 120, 0u32, 0);
        while place < 6 {
            let mut skip = rest / radix;
            let mut thing = 0;
            // The first unused thing after `skip` other unused ones.
            while used >> thing & 1 == 1 || skip > 0 {
                if used >> thing & 1 == 0 {
                    skip -= 1;
                }
                thing += 1;
            }
            used |= 1 << thing;
            table[i][3 + place] = 3 + thing as u8;
            rest %= radix;
            if place < 5 {
                radix /= 5 - place;
            }
            place += 1;
        }
        i += 1;
    }
    table
};

/// First row number `number`, which is under 9!, in two parts: its beginning, and the order
/// of the digits left over. Character `j` is `head[tail[j]]`.
#[inline]
pub(crate) fn head_and_tail(number: u64) -> (&'static Sixteen, &'static Sixteen) {
    let (head, tail) = (number / 720, number % 720);
    (&HEADS[head as usize], &TAILS[tail as usize])
}

#[inline]
pub(super) fn first_row(number: u64) -> [u8; 9] {
    let (head, tail) = head_and_tail(number);
    std::array::from_fn(|j| head[usize::from(tail[j] & 15)])
}

/// The number of an order of nine digits in lexicographic order, under 9!. The digits are
/// 0 to 8, or the characters `1` to `9`.
pub(super) fn row_number(row: &[u8; 9]) -> u64 {
    let mut left = 0b1_1111_1111_u32;
    let base = if row[0] >= b'1' { b'1' } else { 0 };
    let mut number = 0;
    for (j, &thing) in row.iter().enumerate() {
        let bit = 1 << (thing - base);
        left &= !bit;
        number = number * (9 - j as u64) + u64::from((left & (bit - 1)).count_ones());
    }
    number
}
