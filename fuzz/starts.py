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
# What cannot be read as a name, or as no name that anybody knows.
ODD_NAMES = ['"\\t"', '"\\u0130"', '"\\uddd2"', '"\\ud83d\\ude00"', '"\\q"', '"\\u12"', '"\t"', '"\x7f"', '"' + "long" * 100 + '"', "1", "[]", "{}"]
SAMPLES = {
    "GameId": "7Yh2kQ0xVb3N", "ChallengeId": "7Yh2kQ0xVb3N", "CommandId": "c1", "Uci": "e2e4", "San": "e4", "WireSquare": "e4",
    "AccountId": "01890a5d-ac96-774b-bcce-b302099a8057", "EpochId": "01890a5d-ac96-774b-bcce-b302099a8057",
    "BootId": "01890a5d-ac96-774b-bcce-b302099a8057", "PoolId": "3+2", "Name": "Rook",
}  # fmt: skip
DEEPEST = 8

# Between any two tokens of a message. The last ones are no white space.
SPACE = " \t\r\n" * 8
FILLINGS = ["", " ", "\t", "\r", "\n", SPACE, ",", ":", "]", "}", "[", "{", '"', "x", "\x00", "\x7f", "/**/"]
MARK = "\x1a"


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
            known = set()
            for value in choices(message):
                # A decoder that learns the kind of a message first takes other branches than one that learns it last.
                kind_first, kind_last = ({key: value[key] for key in order if key in value} for order in ("td", "dt"))
                yield text(kind_first)
                yield text(kind_last)
                new = [at for at in places(value) if place_kind(value, at) not in known]
                known |= {place_kind(value, at) for at in new}
                for at in new:
                    for ordered in (kind_first, kind_last):
                        yield from changed(ordered, at)
                        yield from broken(ordered, at)


def place_kind(message, at):
    """What a decoder does at this place depends on this alone: the fields that lead there, and the tags and shape of what
    is there."""
    tags, value = [], message
    for key in at:
        tags.append(value.get("kind") if isinstance(value, dict) else None)
        value = value[key]
    return at, tuple(tags), tuple(value) if isinstance(value, dict) else type(value)


def changed(message, at):
    """The message with the value at this place changed."""
    for odd in ODD:
        yield text(message, at, lambda _: odd)  # noqa: B023
        yield text(message, at, lambda _: SPACE + odd + SPACE)  # noqa: B023
        yield text(message, at, lambda _: odd + MARK).split(MARK)[0]  # noqa: B023
    yield text(message, at, 0)
    yield text(message, at, 2)
    yield text(message, at, lambda known: f" {known}\n")
    yield text(message, at, escaped)
    yield text(message, at, lambda known: f'{{"later":[{{}}],{known[1:]}' if known[0] == "{" else f"[{known}]")
    if text(message, at, lambda known: MARK + known).split(MARK)[1][0] == "{":
        for unknown in unknown_fields():
            yield text(message, at, lambda known: f"{{{unknown},{known[1:]}")  # noqa: B023
            yield text(message, at, lambda known: f"{known[:-1]},{unknown}}}")  # noqa: B023


def unknown_fields():
    """Fields that no message has: of every length that a name may have, with every kind of value, and many of them."""
    for length in range(1, 36):
        yield f'"{"n" * length}":0'
    for name in ODD_NAMES:
        yield f"{name}:0"
        yield name
    for odd in ODD:
        yield f'"later":{odd}'
    for often in (3, 5, 9, 17, 33, 70):
        yield ",".join(f'"later{n}":{n}' for n in range(often))


def broken(message, at):
    """The message with the text broken off, filled or spoilt before the value at this place, after it, and at its key."""
    before, after = text(message, at, lambda _: MARK).split(MARK)
    value = text(message, at, lambda known: MARK + known + MARK).split(MARK)[1]
    key = before[before.rfind(',"') + 1 : -1] if before.endswith('":') else ""
    for filled in FILLINGS:
        yield before + filled + value + after
        yield before + value + filled + after
        yield before + filled
        yield before + value + filled
        if key:
            opened = before[: -len(key) - 1]
            yield opened + filled + key + ":" + value + after
            yield opened + filled
            yield opened + key + filled + ":" + value + after
            yield opened + key + filled
    if key.startswith('"'):
        opened = before[: -len(key) - 1]
        for name in names_like(key):
            yield opened + name + ":" + value + after
            yield opened + name[:-1]
            yield opened + SPACE + name + SPACE + ":" + SPACE + value + SPACE + after
    # A choice may be said as an object too, whose one field is its name.
    if value.startswith('"'):
        for name in (value, value[:-2] + 'q"', "3", ""):
            for filled in ("", SPACE, "x"):
                yield before + "{" + filled + name + filled
                for odd in ("null", "3"):
                    yield before + "{" + filled + name + filled + ":" + filled + odd + filled + "}" + after


def names_like(name):
    """What a decoder compares with a name nearly to its end, and what is no name."""
    spoilt = [name[:at] + "q" + name[at + 1 :] for at in range(1, len(name) - 1)] if len(name) < 40 else []
    spoilt += [name[:-1] + odd[1:] for odd in ODD_NAMES if odd[0] == '"']
    return [*spoilt, escaped(name), name[:-2] + '"', name[:-1] + 's"', name.upper(), '""', "null", "3", name[1:], name[:-1]]


def escaped(known):
    return "".join(f"\\u{ord(letter):04x}" for letter in known[1:-1]).join('""')


def write(texts):
    """Each into a file of its own, in the folder that the command line names."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for start in texts:
        data = start.encode("utf-8", "surrogatepass")
        (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


if __name__ == "__main__":
    write(starts())
