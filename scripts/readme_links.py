"""Makes the relative links of pages such as README.md hold where their folder is not: on the pages of
registries and in archives. Changes the files in place.

    python3 scripts/readme_links.py ADDRESS TAG FILE...

ADDRESS is that of the project, as in Cargo.toml, and TAG names the version there. Where there is no
address (an empty text), the path stands in brackets in place of the link, and a picture is left out.
Links inside of a page stay. Run it in the root of the project.
"""

import posixpath
import re
import sys

LINK = re.compile(r"(!?)\[([^]]*)\]\(([^)\s]+)\)")
ELSEWHERE = re.compile(r"#|[a-z]+:")


def rewrite(text: str, folder: str, address: str, tag: str) -> str:
    def link(match: re.Match[str]) -> str:
        picture, label, target = match.groups()
        if ELSEWHERE.match(target):
            return match[0]
        path, _, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(folder, path))
        if address:
            kind = "raw" if picture else "blob"
            return f"{picture}[{label}]({address}/{kind}/{tag}/{path}{anchor and '#' + anchor})"
        if picture:
            return ""
        return path if label in (path, target) else f"{label} ({path})"

    # Every second part is a block of code.
    parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
    parts[::2] = (LINK.sub(link, part) for part in parts[::2])
    return "".join(parts)


def main() -> None:
    address, tag, *files = sys.argv[1:]
    for file in files:
        with open(file, encoding="utf-8", newline="") as page:
            text = page.read()
        text = rewrite(text, posixpath.dirname(file), address.rstrip("/"), tag)
        with open(file, "w", encoding="utf-8", newline="") as page:
            page.write(text)


if __name__ == "__main__":
    main()
