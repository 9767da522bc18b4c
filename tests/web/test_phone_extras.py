"""What makes the app easier to live with: on the home screen, awake, heard, and honest in alarm."""

from __future__ import annotations

import pytest

from tests.web.conftest import OpenPhone
from tests.web.phones import Phone

pytestmark = pytest.mark.browser

_OFFER = """() => window.dispatchEvent(Object.assign(new Event('beforeinstallprompt'), {
    prompt: async () => { window.isAsked = true; },
}))"""
_VOICE = """() => {
    window.heard = [];
    window.wakes = [];
    speechSynthesis.getVoices = () => [{ lang: 'en-IN', localService: true }];
    speechSynthesis.speak = one => window.heard.push(one.text);
    window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
    navigator.wakeLock.request = async kind => {
        window.wakes.push(kind);
        return { release: async () => window.wakes.push('released') };
    };
}"""
_ALARM = """async key => {
    const first = document.querySelector('script').src;
    const database = await import(first.replace('app.js', 'device/database.js'));
    const { device } = (await (await import(first.replace('app.js', 'device/phone.js'))).me());
    const seen = { size: 1042, root: 'ab'.repeat(32) };
    const told = { size: 1040, root: 'cd'.repeat(32) };
    const alarm = { key: 'a', atMs: Date.now(), authority: 'x', epoch: 'A', seen, told };
    await database.write(database.nameOf(device.id), ['alarm'],
        stores => key ? stores.put('alarm', alarm) : stores.delete('alarm', 'a'));
}"""


# Damages the only rows of these stores that are not sent yet, as a failing memory does.
_DAMAGE = """async () => {
    const first = document.querySelector('script').src;
    const database = await import(first.replace('app.js', 'device/database.js'));
    const { device } = (await (await import(first.replace('app.js', 'device/phone.js'))).me());
    await database.write(database.nameOf(device.id), ['op', 'draft', 'photo'], async stores => {
        for (const row of await stores.all('op')) await stores.put('op', { ...row, text: '{"se' });
        for (const { values, ...row } of await stores.all('draft')) await stores.put('draft', row);
        for (const { fields, ...row } of await stores.all('photo')) await stores.put('photo', row);
    });
}"""


def test_browsers_offer_to_install_waits_for_a_tap_on_the_first_screen(asha: Phone) -> None:
    asha.page.evaluate(_OFFER)
    asha.tap("#install")

    asha.page.wait_for_selector("#install", state="detached")
    asha.page.wait_for_function("'isAsked' in window")
    assert asha.page.evaluate("window.isAsked")


def test_kinds_are_said_aloud_and_the_screen_stays_on_while_a_photo_is_taken(asha: Phone) -> None:
    asha.page.evaluate(_VOICE)
    asha.shoot()
    asha.tap("#next")
    asha.tap("#voice")
    asha.tap("[data-kind=buffalo] .tile__add")
    asha.tap("[data-kind=buffalo] .tile__add")

    asha.page.wait_for_function("window.heard.length === 3")
    assert asha.page.evaluate("window.heard") == ["cow", "1 buffalo", "2 buffaloes"]
    # What goes out keeps the screen on as well, at any moment of all this.
    asha.page.wait_for_function("window.wakes.includes('released')")
    assert asha.page.evaluate("window.wakes[0]") == "screen"


def test_register_that_does_not_continue_is_explained_and_stops_nobody(asha: Phone) -> None:
    asha.page.evaluate(_ALARM, True)
    asha.goto("/sending")
    asha.tap("a:has-text('What does this mean?')")
    asha.see("1,042 lines · abababababababab")
    asha.see("1,040 lines · cdcdcdcdcdcdcdcd")
    asha.see("It proves nothing against anybody.")
    asha.goto("/")

    assert asha.seize("cow").startswith("RJK-")
    asha.page.evaluate(_ALARM, False)


def test_damaged_rows_shut_no_screen_and_are_sent_as_they_were_signed(phone: OpenPhone) -> None:
    asha = phone("asha")
    asha.offline()
    reference = asha.seize("buffalo")
    asha.goto("/")
    asha.shoot()
    asha.page.evaluate(_DAMAGE)
    asha.goto("/reports")
    asha.tap(".report")
    asha.see("Withdraw this report")
    asha.goto("/")
    asha.tap(".draft")
    asha.page.wait_for_selector("#shutter:enabled")
    asha.tap("#next")
    asha.page.wait_for_selector("#save")
    asha.offline(is_offline=False)
    asha.send()

    (row,) = asha.call("reports")
    assert (row["reference"], row["state"]) == (reference, "complete")


def test_browser_that_keeps_nothing_is_told_apart(asha: Phone) -> None:
    asha.page.add_init_script(
        "indexedDB.open = () => { throw new DOMException('no', 'SecurityError'); };"
    )
    asha.page.reload()

    asha.see("This browser keeps nothing. Leave the private window, or use Chrome.")
    assert "What was saved" not in asha.read("main")
