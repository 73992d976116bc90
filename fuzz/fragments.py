#!/usr/bin/env python3
"""More start inputs for the target `messages`: each field of each object alone in it.

    fuzz/fragments.py FOLDER

Where `starts.py` changes whole messages, this says one field and nothing else: with each odd value, once and twice, after an
unknown field, as the element of an array in the place of an object, with each choice as a name of an object's field; as a
whole message, the kind before the rest and after it, and broken off after the value. A decoder leaves by other branches
there than in whole messages, and a fuzzer comes to them late.
"""
import json

from starts import SCHEMA, write

DEEPEST = 4
# In place of a value: whole, and where a text breaks off.
WHOLE = (
    ["null", "true", "false", '""', '"a"', '"\\u0061"', '"\\ud800"', '"3"', '"white"', '"4fzVq0aB9kLm"', '"2026-01-01"', "[]", "{}", "[1]", "[[]]"]
    + ["[null,null]", "[{}]", '{"a":1}', '{"white":1}', '{"white":{}}', "1", "-1", "-0", "01", "256", "4294967296", "18446744073709551616"]
    + ["-9223372036854775809", "1.5", "0.1e1", "1E5", "-1e2", "1e400", "1e-400"]
)  # fmt: skip
BROKEN = ["", "{", "[", "-", "1.", '"', '"a', '"\\', "n", "nul", "[null", "[1,", "[{", '["a"', '{"a":', '{"a":1', " ,", "}", "]"]
# What may stand after a choice that is said as the name of a field.
AFTER_CHOICE = ["", ":", ":3", ":3}", ":null", ":null}", ":null]", ":null,", ':null,"x":1}', ":nul", ":{}", ":{}}", ":[]}", ":[", ':"', ':"a"}', ":true}", ":1.5}", "}", ","]


def kinds(schema):
    """The kinds of values that a place may have."""
    if "$ref" in schema:
        return kinds(SCHEMA[schema["$ref"].rsplit("/", 1)[1]])
    for several in ("oneOf", "anyOf", "allOf"):
        if several in schema:
            return [kind for one in schema[several] for kind in kinds(one)]
    return [schema]


def choices(kind):
    return [kind["const"]] if "const" in kind else kind.get("enum", [])


def sample(schema, depth=0):
    """A value of this kind as text."""
    kind = kinds(schema)[0]
    if choices(kind):
        return json.dumps(choices(kind)[0])
    if "properties" in kind and depth <= DEEPEST:
        return "{" + ",".join(f"{json.dumps(name)}:{sample(field, depth + 1)}" for name, field in kind["properties"].items()) + "}"
    named = kind.get("type", "null")
    named = named[0] if isinstance(named, list) else named
    return {"integer": "3", "number": "3", "boolean": "true", "string": '"e2e4"', "array": "[]"}.get(named, "null")


def values(schema, opened="", closed="", depth=0):
    """Texts in the place of a value: what opens the objects around it, the value, and what closes them; None in place of that
    where the text breaks off."""
    for choice in (choice for kind in kinds(schema) for choice in choices(kind) if isinstance(choice, str)):
        yield from of_choice(choice, opened, closed)
    for kind in kinds(schema):
        for name, field in kind.get("properties", {}).items():
            yield from of_field(name, field, opened, closed)
            if depth < DEEPEST:
                yield from values(field, f"{opened}{{{json.dumps(name)}:", "}" + closed, depth + 1)
        if "properties" in kind:
            yield from as_array([sample(field) for field in kind["properties"].values()], opened, closed)
        inner = [("[", "]", kind.get("items")), ('{"white":', "}", kind.get("additionalProperties"))]
        for start, end, schema_within in inner:
            if isinstance(schema_within, dict) and depth < DEEPEST:
                yield from values(schema_within, opened + start, end + closed, depth + 1)


def of_choice(choice, opened, closed):
    plain = json.dumps(choice)
    for said in (plain, f'"\\u{ord(choice[0]):04x}{choice[1:]}"' if choice else plain):
        for after in AFTER_CHOICE:
            yield f"{opened}{{{said}{after}", None
            yield f"{opened}{{{said}{after}", closed
        for whole in (said, f"[{said}]", f'{{"x":1,{said}:null}}'):
            yield opened + whole, None
            yield opened + whole, closed
    yield opened + plain[:-1], None
    yield f"{opened}{{{plain[:-1]}", None


def of_field(name, field, opened, closed):
    plain = json.dumps(name)
    escaped = f'"\\u{ord(name[0]):04x}{name[1:]}"'
    befores = [f"{{{plain}:", f"{{{escaped}:", f'{{"zz":0,{plain}:', f'{{"\\u007a":[],{plain}:', f"{{{plain}:null,{plain}:", f"{{{plain}:{sample(field)},{plain}:"]
    for before in befores:
        for value in [*WHOLE, sample(field)]:
            yield f"{opened}{before}{value}}}", closed
            yield f"{opened}{before}{value}", None
            yield f"{opened}{before}{value},", None
        for value in BROKEN:
            yield f"{opened}{before}{value}", None
    yield f"{opened}{{{plain}", None
    yield f"{opened}{{{plain[:-1]}", None


def as_array(fields, opened, closed):
    """An object said as the array of its fields' values: all of them, fewer, one more, and with an odd one at the end."""
    for count in range(len(fields) + 1):
        for last in ([], ["3"], ["null"], ["{}"], ["[]"], ['""'], ["1.5"]):
            yield f"{opened}[{','.join(fields[:count] + last)}]", closed


def fragments():
    for message in (message for kind in ("ClientMessage", "ServerMessage") for message in kinds(SCHEMA[kind])):
        name = json.dumps(choices(kinds(message["properties"]["t"])[0])[0])
        for start, end in values(message["properties"].get("d", {})):
            yield f'{{"t":{name},"d":{start}{"" if end is None else end + "}"}'
            yield f'{{"d":{start}{"" if end is None else end + f""","t":{name}}}"""}'


if __name__ == "__main__":
    write(set(fragments()))
