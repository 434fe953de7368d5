//! The characters of written puzzles, a byte for each, and the values that cells have in them.

/// Any character that draws a frame, but is no bar.
pub(super) const RULE: u8 = 0x80;
/// The first byte that stands for a blank beyond ASCII: see [`BLANKS`].
const FIRST_BLANK: u8 = 0x90;
/// Any other character beyond ASCII.
pub(super) const LETTER: u8 = 0xff;
/// A cell without a digit, in what is read.
pub(super) const BLANK: u8 = b'.';

/// Characters beyond ASCII that stand for a blank.
const BLANKS: [char; 14] = [
    '–', '—', '·', '•', '□', '☐', '○', '◯', '∙', '⋅', '‧', '␣', '⬜', '…',
];

/// Characters of ASCII that stand for a blank.
const ASCII_BLANKS: &[u8] = b".0*_-?xXoO#~";

/// The byte of a character beyond ASCII, or nothing for one that is left out.
pub(super) fn byte_of(character: char) -> Option<u8> {
    Some(match character {
        // Marks of byte order, characters without width, and what makes a digit a key of a phone.
        '\u{feff}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{fe0f}' | '\u{20e3}' => return None,
        '\u{a0}' | '\u{2009}' | '\u{202f}' | '\u{3000}' => b' ',
        '\u{2212}' => b'-',
        '\u{2500}'..='\u{257f}' => BOX_DRAWING[character as usize - 0x2500],
        '¦' | '❘' | '｜' => b'|',
        '“' | '”' => b'"',
        '‘' | '’' => b'\'',
        '０'..='９' => b'0' + (character as u32 - '０' as u32) as u8,
        _ => match BLANKS.iter().position(|&blank| blank == character) {
            Some(number) => FIRST_BLANK + number as u8,
            None => LETTER,
        },
    })
}

/// The bytes of the characters from U+2500 to U+257F, which draw frames.
pub(super) static BOX_DRAWING: [u8; 128] = {
    // Vertical lines of all kinds: light, heavy, dashed and double.
    const BARS: [u32; 9] = [
        0x2502, 0x2503, 0x2506, 0x2507, 0x250a, 0x250b, 0x254e, 0x254f, 0x2551,
    ];
    let mut bytes = [RULE; 128];
    let mut at = 0;
    while at < BARS.len() {
        bytes[(BARS[at] - 0x2500) as usize] = b'|';
        at += 1;
    }
    bytes
};

/// The signs that may stand for a blank, those of ASCII first.
pub(super) fn blanks() -> impl Iterator<Item = u8> {
    let others = FIRST_BLANK..FIRST_BLANK + BLANKS.len() as u8;
    ASCII_BLANKS.iter().copied().chain(others)
}

/// A sign, as a message shows it.
pub(super) fn shown(sign: u8) -> char {
    match sign.checked_sub(FIRST_BLANK) {
        Some(number) if usize::from(number) < BLANKS.len() => BLANKS[usize::from(number)],
        _ => char::from(sign),
    }
}

/// The kinds of bytes, as bits.
mod kind {
    pub(super) const CLUE: u8 = 1;
    pub(super) const BLANK: u8 = 2;
    pub(super) const SPACE: u8 = 4;
    /// A sign that rules are made of.
    pub(super) const RULE: u8 = 8;
    /// A sign between the words of a row.
    pub(super) const BREAK: u8 = 16;
    /// A sign that text and a row after it may have between them.
    pub(super) const PART: u8 = 32;
    pub(super) const WORD: u8 = 64;
}

static KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        let mut is = 0;
        if matches!(b, b'1'..=b'9') {
            is |= kind::CLUE;
        }
        if matches!(
            b,
            b'.' | b'0' | b'*' | b'_' | b'-' | b'?' | b'x' | b'X' | b'o' | b'O' | b'#' | b'~'
        ) || b >= FIRST_BLANK && b < FIRST_BLANK + BLANKS.len() as u8
        {
            is |= kind::BLANK;
        }
        if matches!(b, b' ' | b'\t' | 0x0b | 0x0c) {
            is |= kind::SPACE | kind::BREAK | kind::RULE;
        }
        if matches!(
            b,
            b'-' | b'='
                | b'_'
                | b'+'
                | b'|'
                | b'*'
                | b'.'
                | b':'
                | b'\''
                | b'`'
                | b'~'
                | b'#'
                | b'^'
                | RULE
        ) {
            is |= kind::RULE;
        }
        if matches!(
            b,
            b'|' | b','
                | b';'
                | b':'
                | b'/'
                | b'\\'
                | b'!'
                | b'['
                | b']'
                | b'('
                | b')'
                | b'{'
                | b'}'
                | b'"'
                | b'\''
                | b'`'
                | b'<'
                | b'>'
                | b'&'
        ) {
            is |= kind::BREAK;
        }
        if matches!(
            b,
            b'"' | b'\'' | b'=' | b':' | b'>' | b'[' | b'(' | b'{' | b'<' | b'`' | b','
        ) {
            is |= kind::PART;
        }
        if b.is_ascii_alphanumeric() || b == b'_' || b == LETTER {
            is |= kind::WORD;
        }
        kinds[byte] = is;
        byte += 1;
    }
    kinds
};

fn is(byte: u8, kinds: u8) -> bool {
    KINDS[usize::from(byte)] & kinds != 0
}

pub(super) fn is_clue(byte: u8) -> bool {
    is(byte, kind::CLUE)
}

/// A digit, or a sign for a blank.
pub(super) fn is_cell(byte: u8) -> bool {
    is(byte, kind::CLUE | kind::BLANK)
}

pub(super) fn is_space(byte: u8) -> bool {
    is(byte, kind::SPACE)
}

/// A sign of a rule, or a space.
pub(super) fn is_rule(byte: u8) -> bool {
    is(byte, kind::RULE)
}

/// A sign or a space between the words of a row.
pub(super) fn is_break(byte: u8) -> bool {
    is(byte, kind::BREAK)
}

/// A sign between text and a row after it.
pub(super) fn is_part(byte: u8) -> bool {
    is(byte, kind::PART)
}

/// A letter, a digit or an underscore.
pub(super) fn is_word(byte: u8) -> bool {
    is(byte, kind::WORD)
}

/// The clue of a byte, or a blank.
pub(super) fn cell(byte: u8) -> u8 {
    if is_clue(byte) { byte } else { BLANK }
}

/// A text without spaces at its ends.
pub(super) fn trim(text: &[u8]) -> &[u8] {
    trim_of(text, is_space)
}

/// A text without bytes of a kind at its ends.
pub(super) fn trim_of(mut text: &[u8], leaves: impl Fn(u8) -> bool) -> &[u8] {
    while let [first, rest @ ..] = text
        && leaves(*first)
    {
        text = rest;
    }
    while let [rest @ .., last] = text
        && leaves(*last)
    {
        text = rest;
    }
    text
}

/// Words for a cell without a digit, in lower case.
const WORDS: [&[u8]; 17] = [
    b"nan",
    b"none",
    b"null",
    b"nil",
    b"na",
    b"n/a",
    b"-1",
    b"0.0",
    b"-1.0",
    b"blank",
    b"empty",
    b"undefined",
    b"<na>",
    b"#n/a",
    b"nothing",
    b"missing",
    b"00",
];

/// The cell of a field: a digit or a [`BLANK`]. `5`, `5.0`, `="5"` and `**5**` are a digit, and nothing, `0`, `-1`
/// and `NaN` are a blank.
pub(super) fn value(field: &[u8]) -> Option<u8> {
    match *field {
        [] => return Some(BLANK),
        [byte] if is_clue(byte) => return Some(byte),
        [byte] if is_cell(byte) || is_space(byte) => return Some(BLANK),
        _ => {}
    }
    let field = trim(field);
    let field = field.strip_prefix(b"=").unwrap_or(field);
    let field = trim(trim_of(field, |byte| matches!(byte, b'"' | b'\'' | b'`')));
    let bold = field
        .strip_prefix(b"**")
        .and_then(|f| f.strip_suffix(b"**"));
    let field = bold.map_or(field, |field| trim_of(field, |byte| byte == b'*'));
    match *field {
        [] => return Some(BLANK),
        [byte] if is_clue(byte) => return Some(byte),
        [byte] => return is_cell(byte).then_some(BLANK),
        _ => {}
    }
    if WORDS.iter().any(|word| field.eq_ignore_ascii_case(word)) {
        return Some(BLANK);
    }
    let are = |text: &[u8], byte| text.iter().all(|&b| b == byte);
    match field {
        [digit, b'.' | b',', zeros @ ..] if is_clue(*digit) && are(zeros, b'0') => Some(*digit),
        _ if field.len() > 3 => None,
        _ if are(field, b'-') || are(field, b'_') => Some(BLANK),
        [b'0', rest @ ..] => {
            let zeros = rest.iter().take_while(|&&b| b == b'0').count();
            let after = &rest[zeros..];
            let after = match after {
                [b'.' | b',', after @ ..] => after,
                after => after,
            };
            are(after, b'0').then_some(BLANK)
        }
        _ => None,
    }
}
