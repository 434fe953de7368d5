//! The Philox of the tests, which others compare the library with.

use crate::support::random_words::philox;

/// The known answers that the authors publish with their code (Random123, file `kat_vectors`):
/// counters and keys of zeros, ones, and digits of pi.
#[test]
fn known_answers() {
    let pi = [
        0x243f_6a88_85a3_08d3,
        0x1319_8a2e_0370_7344,
        0xa409_3822_299f_31d0,
    ];
    for ([left, right, key], words) in [
        ([0; 3], [0xca00_a045_9843_d731, 0x66c2_4222_c9a8_45b5]),
        (
            [u64::MAX; 3],
            [0x65b0_21d6_0cd8_310f, 0x4d02_f322_2f86_df20],
        ),
        (pi, [0x0a5e_742c_2997_341c, 0xb0f8_83d3_8000_de5d]),
    ] {
        assert_eq!(philox([left, right], key), words);
    }
}
