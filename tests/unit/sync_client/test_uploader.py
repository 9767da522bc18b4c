"""Photo bytes arrive whole, once, however the line and the server behave."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest

from sync.client import faults, uploader
from sync.client.album import Album, Receipt, ReceiptMismatch
from sync.client.device import Phone
from sync.client.transport import Transport
from sync.client.uploader import LEAST_CHUNK, MOST_CHUNK, Uploader
from tests.support.flaky_proxy import Plan, flaky_proxy
from tests.unit.sync_client.server import FieldServer, Trick, bare, cut_after, cut_before, problem
from tests.unit.sync_client.test_bad_line import host_of

PATCH, POST, HEAD, GET = "PATCH /api/v1/uploads", "POST /api/v1/uploads", "HEAD", "GET /api/v1/pho"
LARGE = random.Random(7).randbytes(700_000)
SMALL = b"a small photo" * 100


def attach(phone: Phone, tmp_path: Path, content: bytes = LARGE) -> tuple[str, Path]:
    """Attach a photo; return its id and the phone's own copy."""
    source = tmp_path / "DCIM.jpg"
    source.write_bytes(content)
    photo = phone.attach_photo(source, {"seizure_id": "x"})
    source.unlink()
    return photo, tmp_path / "phone" / "photos" / hashlib.sha256(content).hexdigest()


def methods(server: FieldServer) -> list[str]:
    places = ("/api/v1/uploads", "/api/v1/photos")
    return [each.method for each in server.requests if each.path.startswith(places)]


def offsets(server: FieldServer) -> list[int]:
    patches = [each for each in server.requests if each.method == "PATCH"]
    return [int(each.headers["upload-offset"]) for each in patches]


def test_photo_is_kept_untouched_until_its_receipt(
    phone: Phone, server: FieldServer, tmp_path: Path
) -> None:
    photo, copy = attach(phone, tmp_path)
    assert copy.read_bytes() == LARGE

    report = phone.upload()

    assert report.stored == (photo,)
    assert server.stored[photo] == LARGE
    assert not copy.exists()
    assert methods(server) == ["POST", "PATCH", "PATCH", "GET"]


def test_small_photo_goes_in_one_request(phone: Phone, server: FieldServer, tmp_path: Path) -> None:
    photo, copy = attach(phone, tmp_path, SMALL)

    phone.upload()

    assert server.stored[photo] == SMALL
    assert methods(server) == ["PUT"]
    digest = server.requests[-1].headers["repr-digest"]
    assert digest.startswith("sha-256=:")
    assert not copy.exists()


def test_photo_without_a_receipt_stays(phone: Phone, server: FieldServer, tmp_path: Path) -> None:
    photo, copy = attach(phone, tmp_path)
    server.state_of_photos = "receiving"

    assert phone.upload().waiting == (photo,)
    assert copy.exists()

    server.state_of_photos = "stored"
    assert phone.upload().stored == (photo,)
    assert offsets(server) == [0, 262144]


def test_bytes_for_an_unknown_photo_stay_until_it_is_known(
    phone: Phone, server: FieldServer, tmp_path: Path
) -> None:
    photo, copy = attach(phone, tmp_path, SMALL)
    server.script["PUT"].append(bare(202, b'{"state": "unlinked"}'))
    large, _ = attach(phone, tmp_path)
    server.knows_photos = False

    assert phone.upload().waiting == (photo, large)
    assert copy.exists()

    server.knows_photos = True
    assert phone.upload().stored == (photo, large)


def test_refused_receipt_sets_the_photo_aside(
    phone: Phone, server: FieldServer, tmp_path: Path
) -> None:
    photo, _ = attach(phone, tmp_path)
    server.script[GET].append(problem(403, "not-allowed"))

    assert phone.upload().refused == {photo: "not-allowed"}


def test_receipt_for_other_bytes_lets_nothing_go(phone: Phone, tmp_path: Path) -> None:
    photo, copy = attach(phone, tmp_path)
    album = Album(phone._db)  # noqa: SLF001
    kept = album.get(photo)
    assert kept is not None

    with pytest.raises(ReceiptMismatch):
        album.store(kept, Receipt("00" * 32, "now"))

    assert copy.exists()
    assert phone.state().photos_waiting == 1


def test_cut_upload_goes_on_where_it_stopped(
    phone: Phone, address: str, server: FieldServer, tmp_path: Path
) -> None:
    photo, _ = attach(phone, tmp_path)
    with flaky_proxy(host_of(address), Plan(reset_up_at=100_000), Plan(reset_up_at=90_000)) as bad:
        phone.move(bad.address)
        phone.upload()
        carried = bad.up

    assert server.stored[photo] == LARGE
    assert carried < 1.05 * len(LARGE)
    assert offsets(server)[0] > 80_000


def test_answer_lost_after_the_last_byte_sends_nothing_again(
    phone: Phone, server: FieldServer, tmp_path: Path
) -> None:
    photo, _ = attach(phone, tmp_path)
    server.script[PATCH].extend([None, cut_after])

    assert phone.upload().stored == (photo,)

    assert methods(server) == ["POST", "PATCH", "PATCH", "HEAD", "GET"]


def test_resumed_run_asks_where_it_stands(
    phone: Phone, server: FieldServer, tmp_path: Path
) -> None:
    photo, copy = attach(phone, tmp_path)
    server.script[PATCH].extend([None, cut_before])
    server.script[HEAD].extend([cut_before] * 4)
    with pytest.raises(faults.LinkDown):
        phone.upload()
    assert copy.exists()

    phone.upload()

    assert server.stored[photo] == LARGE
    assert offsets(server) == [0, 262144, 262144, 524288]


def test_offset_of_the_server_is_taken(phone: Phone, server: FieldServer, tmp_path: Path) -> None:
    photo, _ = attach(phone, tmp_path)
    server.script[POST].append(
        bare(201, b"", **{"Location": upload_of(LARGE), "Upload-Offset": "1000"})
    )
    server.uploads[upload_of(LARGE)] = {
        "photo": photo,
        "sha256": hashlib.sha256(LARGE).hexdigest(),
        "size": len(LARGE),
        "data": bytearray(LARGE[:5000]),
    }

    phone.upload()

    assert offsets(server)[:2] == [1000, 5000]
    assert server.stored[photo] == LARGE


def upload_of(content: bytes) -> str:
    return f"/api/v1/uploads/{hashlib.sha256(content).hexdigest()[:16]}"


@pytest.mark.parametrize("status", [404, 410])
def test_lost_upload_is_created_again(
    phone: Phone, server: FieldServer, tmp_path: Path, status: int
) -> None:
    photo, _ = attach(phone, tmp_path)
    server.script[PATCH].extend([None, problem(status, "upload-gone"), cut_before])
    server.script[HEAD].append(bare(status))

    phone.upload()

    assert methods(server).count("POST") == 3
    assert server.stored[photo] == LARGE


def test_bytes_changed_on_the_way_are_sent_again_with_checksums(
    phone: Phone, server: FieldServer, tmp_path: Path
) -> None:
    photo, _ = attach(phone, tmp_path)
    server.script[PATCH].extend(
        [problem(422, "photo-hash-mismatch"), problem(460, "checksum-mismatch")]
    )

    phone.upload()

    patches = [each for each in server.requests if each.method == "PATCH"]
    assert ["upload-checksum" in each.headers for each in patches] == [False, True, True, True]
    assert server.stored[photo] == LARGE


def test_photo_whose_hash_never_fits_is_set_aside(
    phone: Phone, server: FieldServer, tmp_path: Path
) -> None:
    photo, copy = attach(phone, tmp_path)
    server.script[PATCH].extend([problem(422, "photo-hash-mismatch")] * 2)

    assert phone.upload().refused == {photo: "photo-hash-mismatch"}
    assert copy.exists()


def test_damaged_file_is_never_passed_off_as_the_photo(
    phone: Phone, server: FieldServer, tmp_path: Path
) -> None:
    photo, copy = attach(phone, tmp_path)
    copy.write_bytes(bytes(len(LARGE)))

    report = phone.upload()

    assert report.refused == {photo: "file-damaged"}
    assert server.stored == {}
    assert phone.state().photos_refused == 1


def test_lost_file_is_told(phone: Phone, server: FieldServer, tmp_path: Path) -> None:
    photo, copy = attach(phone, tmp_path)
    copy.unlink()

    assert phone.upload().refused == {photo: "file-damaged"}


@pytest.mark.parametrize(
    "status, slug", [(413, "too-large"), (403, "evidence-kept"), (415, "unsupported")]
)
def test_refused_photo_blocks_no_other(
    phone: Phone, server: FieldServer, tmp_path: Path, status: int, slug: str
) -> None:
    first, copy = attach(phone, tmp_path)
    second, _ = attach(phone, tmp_path, SMALL)
    server.script[POST].append(problem(status, slug))

    report = phone.upload()

    assert (report.refused, report.stored) == ({first: slug}, (second,))
    assert copy.exists()


def test_photo_that_breaks_the_server_blocks_no_other(
    phone: Phone, server: FieldServer, tmp_path: Path
) -> None:
    first, _ = attach(phone, tmp_path)
    second, _ = attach(phone, tmp_path, SMALL)
    server.script[POST].extend([problem(500, "internal")] * 4)

    report = phone.upload()

    assert (report.waiting, report.stored) == ((first,), (second,))


def test_quarantined_photo_stays_on_the_phone(
    phone: Phone, server: FieldServer, tmp_path: Path
) -> None:
    photo, copy = attach(phone, tmp_path)
    server.state_of_photos = "quarantined"

    assert phone.upload().refused == {photo: "quarantined"}
    assert copy.exists()


def test_lost_token_stops_the_run(phone: Phone, server: FieldServer, tmp_path: Path) -> None:
    attach(phone, tmp_path)
    server.tokens.clear()

    with pytest.raises(faults.NotSignedIn):
        phone.upload()

    assert phone.state().photos_waiting == 1


def test_upload_that_goes_in_circles_is_left_for_later(
    phone: Phone, server: FieldServer, tmp_path: Path
) -> None:
    attach(phone, tmp_path)
    server.script[PATCH].extend([problem(404, "not-found")] * 20)

    with pytest.raises(faults.LinkDown):
        phone.upload()

    assert phone.state().photos_waiting == 1


def test_same_bytes_are_kept_until_each_photo_has_its_receipt(
    phone: Phone, server: FieldServer, tmp_path: Path
) -> None:
    first, copy = attach(phone, tmp_path, SMALL)
    second, _ = attach(phone, tmp_path, SMALL)
    server.script["PUT"].extend([None, bare(202)])
    server.script[GET].append(problem(404, "not-found"))

    assert phone.upload().stored == (first,)
    assert copy.exists()
    assert phone.upload().stored == (second,)
    assert not copy.exists()


def test_chunks_follow_the_line(phone: Phone, server: FieldServer, tmp_path: Path) -> None:
    attach(phone, tmp_path, random.Random(1).randbytes(2_000_000))
    sender = Uploader(phone._transport(), Album(phone._db))  # noqa: SLF001
    server.script[PATCH].extend([cut_before, cut_before, None])

    sender.run()

    sizes = [len(each.body) for each in server.requests if each.method == "PATCH"]
    assert sizes[:4] == [262144, 131072, LEAST_CHUNK, 2 * LEAST_CHUNK]
    assert max(sizes) <= MOST_CHUNK


@pytest.mark.parametrize(
    "place, answer",
    [
        (POST, bare(201)),
        (POST, bare(201, b"", **{"Location": "/api/v1/uploads/1", "Upload-Offset": "800000"})),
        (PATCH, bare(204)),
        (PATCH, bare(204, b"", **{"Upload-Offset": "0"})),
    ],
    ids=["no-address", "beyond-the-end", "no-offset", "standing-still"],
)
def test_upload_that_makes_no_sense_is_given_up(
    phone: Phone, server: FieldServer, tmp_path: Path, *, place: str, answer: Trick
) -> None:
    photo, copy = attach(phone, tmp_path)
    server.script[place].append(answer)

    with pytest.raises(faults.NotOurServer):
        phone.upload()

    assert copy.exists()
    assert phone.upload().stored == (photo,)


def test_offset_that_a_refusal_does_not_tell_is_asked_for(
    phone: Phone, server: FieldServer, tmp_path: Path
) -> None:
    photo, _ = attach(phone, tmp_path)
    server.script[PATCH].append(problem(409, "upload-offset-mismatch"))

    assert phone.upload().stored == (photo,)
    assert methods(server)[:3] == ["POST", "PATCH", "HEAD"]


def test_overloaded_server_ends_the_run(phone: Phone, server: FieldServer, tmp_path: Path) -> None:
    attach(phone, tmp_path)
    server.script[POST].append(problem(503, "unavailable", Retry_After="600"))

    with pytest.raises(faults.Busy):
        phone.upload()

    assert phone.state().photos_waiting == 1


def test_slow_line_gets_no_larger_chunks(
    phone: Phone, server: FieldServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploader, "BRISK_S", 0.0)
    attach(phone, tmp_path)

    phone.upload()

    assert offsets(server) == [0, 262144, 524288]


def test_upload_address_of_another_host_is_refused(address: str) -> None:
    transport = Transport(address, "token-asha")

    assert transport.path_of(f"{address}/api/v1/uploads/1") == "/api/v1/uploads/1"
    with pytest.raises(faults.NotOurServer):
        transport.path_of("http://127.0.0.2/api/v1/uploads/1")


def test_server_that_asks_again_gets_the_photo_again(
    phone: Phone, server: FieldServer, tmp_path: Path
) -> None:
    photo, copy = attach(phone, tmp_path, SMALL)
    phone.upload()
    copy.write_bytes(SMALL)
    server.wanted = [{"id": "unknown", "sha256": "00" * 32}]
    server.wanted += [{"id": photo, "sha256": hashlib.sha256(SMALL).hexdigest(), "size": 1300}]
    server.stored.clear()

    phone.sync()
    phone.upload()

    assert server.stored[photo] == SMALL
