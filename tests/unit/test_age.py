"""Encrypted backups are files of age: what age wrote opens here, and what was changed does not."""

from __future__ import annotations

import io
from base64 import b64decode

import pytest

from fieldapi.backup.age import AgeError, Sealer, new_identity, opened, public_of

# Written by rage 0.11 for the public key of this one, with a stanza that nobody knows.
SECRET = "AGE-SECRET-KEY-1CR8890YQ20LGT8VALRSJ3XW8WTFH0AUL2VVNXNXWKNYL8G0LDFSSMQ62M0"
WRITTEN = b64decode(
    "YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBkcmpacnh2cWJKbmZWUWZTSTlJdjJHOXdUMWhxVGVFcmRBNi9R"
    "dm05dEY0CnBoclFhVFU5c25SWGtoQ25hRkUxeDRWbUMzcU4zS05reldkcms3NGRBYXcKLT4gcTtsdWMtZ3JlYXNlIGt3"
    "USw5SSAhdVdoSCYKcE1WSnUwZ2VVeW1UT3d1SHpHQzRZSXlpWG1NR3lRUDl0bjZraURzeE1MVTFMOXNYam1BR0dlOE1W"
    "WHNQRVlkNApUNkprZytwYUV1NHRuanNpb3F2OE1zSCtubmZDelp2U0VzMSs4d2sKLS0tIG92emJLbWE4VCt5ZTg4SDN5"
    "MFBPWlFKSklxcFUvR3JkcnR2ZjdJMjNud3cKesuSaLd4rDi+MncLgUIPLZ1n+erb9mEtbHbBhjQ9lmHzoWQe/r1wyEOS"
    "9j7DAi7tMLK2dFPO"
)


def _sealed(data: bytes, *recipients: str) -> bytes:
    file = io.BytesIO()
    sealer = Sealer(file, recipients)
    sealer.write(data)
    sealer.close()
    return file.getvalue()


def _opened(data: bytes, secret: str) -> bytes:
    return b"".join(opened(io.BytesIO(data), secret))


def test_file_that_another_program_wrote_opens() -> None:
    assert _opened(WRITTEN, SECRET) == b"a backup of the field\n"


@pytest.mark.parametrize("size", [0, 1, 65535, 65536, 65537, 200_000])
def test_each_of_several_keys_opens_it(size: int) -> None:
    (mine, my_public), (yours, your_public) = new_identity(), new_identity()
    data = bytes(size)
    file = _sealed(data, my_public, your_public)
    assert _opened(file, mine) == _opened(file, f"# a note\n{yours}\n") == data


def test_other_key_opens_nothing() -> None:
    with pytest.raises(AgeError, match="does not open"):
        _opened(_sealed(b"x", new_identity()[1]), new_identity()[0])


@pytest.mark.parametrize("at", range(0, 400, 7))
def test_changed_byte_is_found(at: int) -> None:
    secret, public = new_identity()
    file = bytearray(_sealed(bytes(200), public))
    file[at] ^= 1
    with pytest.raises(AgeError):
        _opened(bytes(file), secret)


@pytest.mark.parametrize("left", [0, 30, 180, 250, 250 + 65552])
def test_file_that_was_cut_off_is_found(left: int) -> None:
    secret, public = new_identity()
    with pytest.raises(AgeError):
        _opened(_sealed(bytes(140_000), public)[:left], secret)


@pytest.mark.parametrize("text", ["", "age1", "age1qqqq", SECRET, SECRET[:-1] + "Q", "\x00"])
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(AgeError):
        Sealer(io.BytesIO(), [text])
    with pytest.raises(AgeError):
        public_of(text.lower() if text != SECRET else "age1")
