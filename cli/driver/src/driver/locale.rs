//! The characters that a terminal can show.

use std::env;

/// Returns true if text may have characters that are not ASCII. The locale says so; where it says nothing, all terminals
/// but `dumb` show them.
pub fn has_unicode() -> bool {
    let of = |name| env::var(name).ok().filter(|value| !value.is_empty());
    // POSIX: the first of these that is set and not empty.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(of);
    shows(locale.as_deref(), of("TERM").as_deref())
}

fn shows(locale: Option<&str>, terminal: Option<&str>) -> bool {
    match locale {
        Some(locale) => {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        }
        None => terminal != Some("dumb"),
    }
}

#[cfg(test)]
mod tests {
    use super::shows;

    #[test]
    fn locales_and_terminals() {
        for (locale, terminal, unicode) in [
            (None, None, true),
            (None, Some("xterm-256color"), true),
            (None, Some("dumb"), false),
            (Some("C"), None, false),
            (Some("POSIX"), Some("xterm"), false),
            (Some("de_DE.ISO-8859-1"), Some("xterm"), false),
            (Some("C.UTF-8"), Some("dumb"), true),
            (Some("zh_CN.utf8"), Some("xterm"), true),
        ] {
            assert_eq!(shows(locale, terminal), unicode, "{locale:?} {terminal:?}");
        }
    }
}
