"""The worksheet to fill in, in headless Chromium: what is typed stays, is saved, and is judged."""

from __future__ import annotations

import json

import pytest

from generator.commands.check_command import run
from generator.sheet.fields import IN_WORDS

PATIENCE = 120_000  # ms; a busy machine is no finding
FILL = """texts => document.querySelectorAll('input[data-field]').forEach(field => {
  field.value = texts[field.dataset.field] ?? '';
  field.dispatchEvent(new Event('input', {bubbles: true}));
})"""


@pytest.fixture
def page(chromium, made):
    context = chromium.new_context(viewport={"width": 1000, "height": 900}, accept_downloads=True)
    context.set_default_timeout(PATIENCE)
    opened = context.new_page()
    opened.goto((made / "arbeitsblatt-ausfuellbar.html").as_uri())
    yield opened
    context.close()


def saved(page, kind, folder):
    with page.expect_download() as waiting:
        page.click(f"[data-do={kind}]")
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def test_each_blank_has_a_labelled_input(page, right):
    said = page.evaluate(
        "[...document.querySelectorAll('[data-field]')].map(f => [f.dataset.field, f.ariaLabel])"
    )
    assert {name for name, _ in said if not name.startswith(IN_WORDS)} == set(right)
    assert all(label.strip() for _, label in said)
    assert page.evaluate("document.querySelectorAll('.blank:not(:has(input))').length") == 0


def test_what_is_saved_is_judged_as_right(page, right, made, tmp_path):
    page.evaluate(FILL, right)
    name = page.evaluate("document.querySelector('textarea').dataset.field")
    page.fill(f"textarea[data-field='{name}']", 'Weil „es“ so; ist\nund "nicht" anders')
    for kind in ("csv", "json"):
        path = saved(page, kind, tmp_path)
        judged = json.loads(run(str(made / "rechnung.json"), str(path), as_json=True))["summary"]
        assert {verdict: count for verdict, count in judged.items() if count} == {"richtig": len(right)}
        assert "Weil „es“ so; ist" in run(str(made / "rechnung.json"), str(path))


def test_what_is_typed_stays_and_copies_follow(page, right):
    twice = page.evaluate(
        """() => { const inputs = [...document.querySelectorAll('input[data-field]')];
        const names = inputs.map(each => each.dataset.field);
        return names.find((name, at) => names.indexOf(name) !== at) }"""
    )
    assert twice is not None
    place = f"input[data-field='{twice}']"
    page.locator(place).first.type("-0,35")
    assert page.locator(place).last.input_value() == "-0,35"
    page.reload()
    assert page.locator(place).first.input_value() == "-0,35"
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("[data-do=clear]")
    page.reload()
    assert page.locator(place).first.input_value() == ""


def test_a_saved_file_is_loaded_again(page, right, tmp_path):
    page.evaluate(FILL, right)
    for path in [saved(page, kind, tmp_path) for kind in ("csv", "json")]:
        page.evaluate("localStorage.clear()")
        page.reload()
        assert page.evaluate("document.querySelector('input[data-field]').value") == ""
        page.set_input_files("#fill-in input[type=file]", path)
        read = f"document.querySelector('[role=status]').textContent.includes('{len(right)} ')"
        page.wait_for_function(read)
        inputs = "[...document.querySelectorAll('input[data-field]')].map(f => [f.dataset.field, f.value])"
        assert dict(page.evaluate(inputs)) == right
