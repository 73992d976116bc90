#!/usr/bin/env python3
"""Start inputs for the target `messages`, from the schema of the protocol.

    fuzz/starts.py FOLDER

Writes one file for every message with all its fields, with only those that it needs, with each choice that a field
allows, and with one value at a time left out, doubled, or replaced by one of another kind. The fuzzer would come to
most of these by luck, over hours. It does not say which of them are valid: that is the target's work.
"""
import hashlib
import json
import sys
from pathlib import Path

SCHEMA = json.loads((Path(__file__).parent.parent / "protocol/bindings/protocol.schema.json").read_text())["$defs"]

# In place of any value. Numbers stand at the borders of what integers and floats hold.
ODD = (
    ["null", "true", "false", '""', '"x"', '"\\u00e9\\ud83d\\ude00"', '"\\ud800"', '"\\n\\t\\"\\\\"', '"' + "long" * 100 + '"', "[]", "[[]]", "{}"]
    + ['{"kind":"x"}', '{"t":1}', "[null]", "[0,1]", '["a","b"]', "-", "tru", '"', "{", "[1,", '"\\x"', '"\\u12"', '"\t"', "01", "1.", ".5", "1e"]
    + [str(sign * (1 << bits) + more) for bits in (0, 8, 15, 16, 31, 32, 53, 63, 64, 70) for sign in (1, -1) for more in (-1, 0)]
    + ["0", "-0", "1.0", "1.5", "-1.5", "1e2", "1E+400", "1e-400"]
)
SAMPLES = {
    "GameId": "7Yh2kQ0xVb3N", "ChallengeId": "7Yh2kQ0xVb3N", "CommandId": "c1", "Uci": "e2e4", "San": "e4", "WireSquare": "e4",
    "AccountId": "01890a5d-ac96-774b-bcce-b302099a8057", "EpochId": "01890a5d-ac96-774b-bcce-b302099a8057",
    "BootId": "01890a5d-ac96-774b-bcce-b302099a8057", "PoolId": "3+2", "Name": "Rook",
}  # fmt: skip
DEEPEST = 8


def choices(schema, name=None, depth=0):
    """Values of this kind: the first one with everything in it, then one for each other choice."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        if name in SAMPLES:
            return [SAMPLES[name]]
        return choices(SCHEMA[name], name, depth)
    if "const" in schema:
        return [schema["const"]]
    if "enum" in schema:
        return schema["enum"]
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return [value for one in schema[several] for value in choices(one, name, depth)]
    kinds = schema.get("type", "null")
    kind = kinds[0] if isinstance(kinds, list) else kinds
    if kind == "object":
        return objects(schema, depth)
    if kind == "array":
        if depth > DEEPEST:
            return [[]]
        return [choices(schema["items"], None, depth + 1)[:2], []]
    return [{"string": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "integer": 3, "number": 1.5, "boolean": True}.get(kind)]


def objects(schema, depth):
    if depth > DEEPEST:
        return [{}]
    fields = {field: choices(kind, None, depth + 1) for field, kind in schema.get("properties", {}).items()}
    whole = {field: values[0] for field, values in fields.items()}
    least = {field: whole[field] for field in schema.get("required", [])}
    others = [whole | {field: value} for field, values in fields.items() for value in values[1:]]
    return [whole, least, *others]


def places(value, at=()):
    yield at
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*at, key))


def text(value, at=None, change=None):
    """As JSON, with what stands `at` a place changed by `change`: a function from its text to another, or how often a field
    is said."""
    if at == ():
        return change(text(value)) if callable(change) else text(value)
    inner = lambda key: text(value[key], at[1:] if at and at[0] == key else None, change)  # noqa: E731
    if isinstance(value, dict):
        times = lambda key: change if at == (key,) and not callable(change) else 1  # noqa: E731
        pairs = [[f"{json.dumps(key)}:{inner(key)}"] * times(key) for key in value]
        return "{" + ",".join(pair for said in pairs for pair in said) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(inner, range(len(value)))) + "]"
    return json.dumps(value)


def starts():
    for kind in ("ClientMessage", "ServerMessage"):
        for message in SCHEMA[kind]["oneOf"]:
            values = choices(message)
            for value in values:
                yield text(value)
                yield text(dict(reversed(value.items())))
            yield from changed(values[0])
            whole = text(values[0])
            yield from (whole[:end] for end in range(0, len(whole), 7))


def changed(message):
    """The message with one value at a time changed."""
    for at in places(message):
        for odd in ODD:
            yield text(message, at, lambda _, odd=odd: odd)
        yield text(message, at, 0)
        yield text(message, at, 2)
        yield text(message, at, lambda known: f" {known}\n")
        yield text(message, at, escaped)
        yield text(message, at, lambda known: f'{{"later":[{{}}],{known[1:]}' if known[0] == "{" else f"[{known}]")


def escaped(known):
    return "".join(f"\\u{ord(letter):04x}" for letter in known[1:-1]).join('""')


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for start in starts():
        data = start.encode("utf-8", "surrogatepass")
        (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


main()
