"""Ed25519, ES256 and JWS in plain Python, to check signatures where nothing can be installed.

Joined into one `verify.py` by `alone.program`; must never import anything but the standard library.
It only checks: no secret is ever in its hands, so that its speed may depend on what it reads.
"""

import base64
import hashlib
import json

from fieldapi.bundle.alone.faults import sha256

# ---- Ed25519 (RFC 8032) --------------------------------------------------------------------------
# Points are (X, Y, Z, T) with x = X/Z, y = Y/Z, x*y = T/Z on -x^2 + y^2 = 1 + d*x^2*y^2.

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
NEUTRAL = (0, 1, 1, 0)


def ed_add(one, other):
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def ed_double(point):
    a = point[0] * point[0] % P
    b = point[1] * point[1] % P
    c = 2 * point[2] * point[2] % P
    h = a + b
    e = h - (point[0] + point[1]) * (point[0] + point[1]) % P
    g = a - b
    f = c + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def ed_decode(data):
    """The point of 32 bytes, None if they are none, or not the one way to write it."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & ((1 << 255) - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def ed_encode(point):
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def table(point, add, neutral):
    """0 to 15 times a point: a scalar is then read four bits at a time."""
    found = [neutral, point]
    for _ in range(14):
        found.append(add(found[-1], point))
    return found


def sum_of_two(first, second, group):
    """a*A + b*B for (scalar, table) pairs; `group` is (add, double, neutral)."""
    add, double, total = group
    for shift in range(252, -4, -4):
        total = double(double(double(double(total))))
        for scalar, multiples in (first, second):
            digit = scalar >> shift & 15
            if digit:
                total = add(total, multiples[digit])
    return total


ED_GROUP = (ed_add, ed_double, NEUTRAL)
ED_BASE = table(ed_decode(bytes([0x58]) + bytes([0x66]) * 31), ed_add, NEUTRAL)
ED_KEYS = {}  # type: ignore[var-annotated] # Python 3.8 at the desk of an expert: no types


def is_small(point):
    """Say whether eight times the point is neutral: as a key, it signs what nobody signed."""
    for _ in range(3):
        point = ed_double(point)
    return point[0] % P == 0 and (point[1] - point[2]) % P == 0


def ed_table(public_key):
    """Multiples of minus the key, None where it is no key: another spelling, or of small order."""
    point = ed_decode(public_key)
    if point is None or is_small(point):
        return None
    return table((P - point[0], point[1], 1, P - point[3]), ed_add, NEUTRAL)


def ed25519(public_key, message, signature):
    """Say whether an Ed25519 signature is the key's over the message."""
    if len(public_key) != 32 or len(signature) != 64:
        return False
    if public_key not in ED_KEYS:
        ED_KEYS[public_key] = ed_table(public_key)
    minus_key = ED_KEYS[public_key]
    s = int.from_bytes(signature[32:], "little")
    if not minus_key or s >= L:
        return False
    challenge = hashlib.sha512(signature[:32] + public_key + message).digest()
    k = int.from_bytes(challenge, "little") % L
    found = sum_of_two((s, ED_BASE), (k, minus_key), ED_GROUP)
    return ed_encode(found) == signature[:32]


# ---- ECDSA on P-256 (FIPS 186-5) -----------------------------------------------------------------
# Points are (X, Y, Z) with x = X/Z^2, y = Y/Z^3 on y^2 = x^3 - 3x + b; Z = 0 is at infinity.

Q = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
GX = 0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296
GY = 0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5
NOWHERE = (1, 1, 0)


def ec_double(point):
    x, y, z = point
    if not z:
        return NOWHERE
    zz = z * z % Q
    yy = y * y % Q
    s = 4 * x * yy % Q
    m = 3 * (x - zz) * (x + zz) % Q
    new_x = (m * m - 2 * s) % Q
    return new_x, (m * (s - new_x) - 8 * yy * yy) % Q, 2 * y * z % Q


def ec_add(one, other):
    if not one[2]:
        return other
    if not other[2]:
        return one
    zz1, zz2 = one[2] * one[2] % Q, other[2] * other[2] % Q
    u1, u2 = one[0] * zz2 % Q, other[0] * zz1 % Q
    s1, s2 = one[1] * other[2] * zz2 % Q, other[1] * one[2] * zz1 % Q
    h, r = (u2 - u1) % Q, (s2 - s1) % Q
    if not h:
        return NOWHERE if r else ec_double(one)
    hh = h * h % Q
    hhh, v = h * hh % Q, u1 * hh % Q
    x = (r * r - hhh - 2 * v) % Q
    return x, (r * (v - x) - s1 * hhh) % Q, h * one[2] * other[2] % Q


EC_GROUP = (ec_add, ec_double, NOWHERE)
EC_BASE = table((GX, GY, 1), ec_add, NOWHERE)
EC_KEYS = {}  # type: ignore[var-annotated]


def es256(public_key, message, signature):
    """Say whether an ES256 signature (r and s, 32 bytes each) is the key's, given as (x, y)."""
    x, y = public_key
    is_on_curve = max(x, y) < Q and (y * y - (x * x * x - 3 * x + B)) % Q == 0
    if not is_on_curve or len(signature) != 64:
        return False
    if public_key not in EC_KEYS:
        EC_KEYS[public_key] = table((x, y, 1), ec_add, NOWHERE)
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    if not (0 < r < N and 0 < s < N):
        return False
    inverse = pow(s, N - 2, N)
    digest = int.from_bytes(sha256(message), "big")
    scalars = digest * inverse % N, r * inverse % N
    found = sum_of_two((scalars[0], EC_BASE), (scalars[1], EC_KEYS[public_key]), EC_GROUP)
    if not found[2]:
        return False
    return found[0] * pow(found[2] * found[2], Q - 2, Q) % Q % N == r


# ---- JWS (RFC 7515) ------------------------------------------------------------------------------

ES256 = ("ES256",)
EDDSA = ("EdDSA", "Ed25519")  # the second name is that of RFC 9864


def from_base64url(text):
    """The bytes; of several ways to write them any will do, the ledger has the hash of the text."""
    return base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)


def to_base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def is_signed(kept, payload, devices):
    """Say whether a kept signature (`header..signature`) is its device's over the payload."""
    header_text, between, signature = kept.split(".")
    header = json.loads(from_base64url(header_text).decode())
    key = devices.get(header["kid"])
    message = header_text.encode() + b"." + to_base64url(payload).encode()
    if between or key is None or header["alg"] not in key[0] or "crit" in header:
        return False
    check = es256 if key[0] == ES256 else ed25519
    return check(key[1], message, from_base64url(signature))


def key_of(text):
    """Return the names of the algorithm and the key of a JWK, None for none."""
    if text is None:
        return None
    jwk = json.loads(text)
    x = from_base64url(jwk["x"])
    if jwk["kty"] == "OKP":
        return EDDSA, x
    return ES256, (int.from_bytes(x, "big"), int.from_bytes(from_base64url(jwk["y"]), "big"))
