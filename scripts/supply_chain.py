"""The part of `cargo deny` that needs no cargo-deny: licences, crates in two versions and
sources, by `cargo metadata` and the rules in deny.toml.

    python3 scripts/supply_chain.py [Cargo.toml]
"""

import json
import re
import subprocess
import sys
import tomllib
from collections import defaultdict


def allows(expression: str, licences: set[str]) -> bool:
    """Whether licences satisfy an SPDX expression. `A/B` is the old spelling of `A OR B`."""
    tokens = re.findall(r"[()]|[^\s()]+", expression.replace("/", " OR "))

    def either() -> bool:
        value = both()
        while tokens and tokens[0] == "OR":
            tokens.pop(0)
            value = both() or value
        return value

    def both() -> bool:
        value = one()
        while tokens and tokens[0] == "AND":
            tokens.pop(0)
            value = one() and value
        return value

    def one() -> bool:
        token = tokens.pop(0)
        if token == "(":
            value = either()
            tokens.pop(0)
            return value
        if tokens and tokens[0] == "WITH":
            token += f" WITH {tokens[1]}"
            del tokens[:2]
        return token in licences

    return either()


def is_skipped(name: str, version: str, skip: list[dict]) -> bool:
    """Whether deny.toml lets a crate be there in this version besides others."""
    for entry in skip:
        crate, _, begin = entry["crate"].partition("@")
        if crate == name and f"{version}.".startswith(f"{begin}."):
            return True
    return False


def offences(packages: list[dict], rules: dict) -> list[str]:
    """What is wrong with the crates."""
    found = []
    allowed = set(rules["licenses"]["allow"])
    more = {e["crate"]: set(e["allow"]) for e in rules["licenses"]["exceptions"]}
    registries = {f"registry+{url}" for url in rules["sources"]["allow-registry"]}
    versions = defaultdict(list)
    for package in packages:
        name, version = package["name"], package["version"]
        licence = package["license"] or "none"
        if not allows(licence, allowed | more.get(name, set())):
            found.append(f"{name} {version}: licence {licence}")
        # Packages without a source are those of this repository.
        if package["source"] is not None and package["source"] not in registries:
            found.append(f"{name} {version}: from {package['source']}")
        if not is_skipped(name, version, rules["bans"]["skip"]):
            versions[name].append(version)
    for name, several in versions.items():
        if len(several) > 1:
            found.append(f"{name}: in versions {', '.join(several)}")
    return found


def test() -> None:
    """The check sees offences."""
    mit = {"MIT", "Apache-2.0"}
    assert allows("MIT/Apache-2.0", mit) and allows("GPL-3.0 OR (MIT AND Apache-2.0)", mit)
    assert not allows("MIT AND GPL-3.0", mit) and not allows("(MIT OR X) AND Y", mit)
    assert not allows("Apache-2.0 WITH LLVM-exception", mit)
    assert is_skipped("syn", "2.0.1", [{"crate": "syn@2"}])
    assert not is_skipped("syn", "20.0.1", [{"crate": "syn@2"}])
    rules = {
        "licenses": {"allow": ["MIT"], "exceptions": [{"crate": "b", "allow": ["Zlib"]}]},
        "bans": {"skip": [{"crate": "b@1"}]},
        "sources": {"allow-registry": ["https://here"]},
    }

    def crate(name: str, version: str, licence: str, source: str | None) -> dict:
        return {"name": name, "version": version, "license": licence, "source": source}

    here = "registry+https://here"
    good = [crate("a", "1", "MIT", here), crate("b", "1", "Zlib", here), crate("b", "2", "MIT", None)]
    assert offences(good, rules) == []
    assert len(offences([*good, crate("a", "2", "MIT", here)], rules)) == 1
    assert len(offences([*good, crate("c", "2", "Zlib", "git+https://there")], rules)) == 2


def main() -> int:
    """Prints what is wrong."""
    test()
    manifest = sys.argv[1] if len(sys.argv) > 1 else "Cargo.toml"
    with open("deny.toml", "rb") as file:
        rules = tomllib.load(file)
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--all-features"]
    metadata = subprocess.run(
        [*command, "--manifest-path", manifest], check=True, stdout=subprocess.PIPE
    )
    packages = json.loads(metadata.stdout)["packages"]
    assert len(packages) > 10, "no crates found"
    found = offences(packages, rules)
    for offence in found:
        print(f"{manifest}: {offence}")
    if not found:
        print(f"{manifest}: licences, versions and sources of {len(packages)} crates are right")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
