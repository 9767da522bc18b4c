"""A push is read in two steps: what is wrong inside one op never reaches its neighbours."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sync.wire import WireError, read_envelope

GOOD = b'{"op": "one", "set": {"note": "\xe0\xaa\x97"}}'
BAD = {
    b'{"a":1,"a":2}': "duplicate-key",
    b'{"v": NaN}': "not-finite",
    b'{"v": 1e999}': "number-range",
    b'{"n": ' + b"9" * 4000 + b"}": "number-range",
    rb'{"u": "\ud800"}': "lone-surrogate",
    rb'{"u": "\u0000"}': "nul",
    b'{"raw": "a\x00b"}': "not-json",
    b'{"b": "\xff"}': "bad-utf8",
    b'{"q": "\\x"}': "not-json",
    b"{'q': 1}": "not-json",
    b"{broken: [1, {}]}": "not-json",
    b"nul": "not-json",
    b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}": "too-deep",
    b"[" * 21 + b"]" * 21: "too-deep",
    b'{"s": "]},{[", "t": "\\"]", "a": tru}': "not-json",
    b"- 1": "not-json",
}
CASES = [pytest.param(raw, code, id=raw[:24].decode("latin-1")) for raw, code in BAD.items()]
BROKEN = {
    "no object": b"[]",
    "nothing": b"",
    "no end": b'{"ops": [',
    "no comma": b'{"ops": [{}{}]}',
    "an empty element": b'{"ops": [,]}',
    "a comma too much": b'{"ops": [{},]}',
    "brackets that cross": b'{"ops": [{"a": [}]}',
    "a text without end": b'{"ops": ["a]}',
    "ops that are no array": b'{"ops": {}}',
    "something behind": b'{"ops": []} {}',
    "a member twice": b'{"a": 1, "a": 2}',
    "ops twice": b'{"ops": [], "ops": []}',
    "a byte order mark": b"\xef\xbb\xbf{}",
    "NaN in a member": b'{"a": NaN}',
    "a member too deep": b'{"a": ' + b"[" * 30 + b"]" * 30 + b"}",
    "a lone surrogate in a member": rb'{"a": "\ud800"}',
    "bad UTF-8 in a name": b'{"\xff": 1}',
    "a name that is no text": b"{1: 2}",
    "no colon": b'{"a" 1}',
    "a comma before the end": b'{"a": 1,}',
}


def body(*ops: bytes) -> bytes:
    return b'{"protocol": 1, "ops": [' + b" , ".join(ops) + b'], "cursor": null}'


@pytest.mark.parametrize("raw,code", CASES)
def test_a_bad_op_is_its_own_fault_and_kept_byte_for_byte(raw: bytes, code: str) -> None:
    envelope = read_envelope(body(GOOD, raw, GOOD))
    first, bad, last = envelope.ops
    assert bad.error is not None
    assert (bad.error.code, bad.raw, bad.value) == (code, raw, None)
    assert first.raw == last.raw == GOOD
    assert first.value == last.value == json.loads(GOOD)
    assert envelope.members == {"protocol": 1, "cursor": None}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_a_broken_envelope_is_refused_whole(data: bytes) -> None:
    with pytest.raises(WireError):
        read_envelope(data)


def test_an_envelope_may_have_no_ops() -> None:
    assert read_envelope(b' { "protocol" : 1 } ').ops == []
    assert read_envelope(b'{"ops": [ ]}').ops == []


def test_an_element_that_is_no_object_is_read_as_what_it_is() -> None:
    assert [one.value for one in read_envelope(body(b'"x"', b"5", b"[]", b"null")).ops] == [
        "x",
        5,
        [],
        None,
    ]


def test_more_ops_than_asked_for_are_refused() -> None:
    assert len(read_envelope(body(*[b"{}"] * 3), max_ops=3).ops) == 3
    with pytest.raises(WireError, match="too-many-ops"):
        read_envelope(body(*[b"{}"] * 4), max_ops=3)


def test_every_bad_op_of_a_great_body_is_found_in_time() -> None:
    begin = perf_counter()
    envelope = read_envelope(body(*[b'{"text": "%s", bad}' % (b"x" * 16_000)] * 500))
    assert {one.error.code for one in envelope.ops if one.error} == {"not-json"}
    assert perf_counter() - begin < 5


@given(st.lists(st.sampled_from([GOOD, *BAD]), max_size=20))
def test_each_op_is_judged_as_if_it_came_alone(ops: Sequence[bytes]) -> None:
    envelope = read_envelope(body(*ops))
    assert [one.raw for one in envelope.ops] == ops
    assert [one.error.code if one.error else None for one in envelope.ops] == [*map(BAD.get, ops)]


@given(st.binary(max_size=80))
def test_no_bytes_raise_anything_else(tail: bytes) -> None:
    for data in (tail, b'{"ops":[' + tail, b'{"ops":[{"a":"' + tail + b'"}]}'):
        with suppress(WireError):
            assert read_envelope(data).ops is not None
