"""A tab that is left open: what was made stays in sight, and it says when the program has ended."""

from playwright.sync_api import expect

from tests.page.running import PATIENCE, SECRET, made, settled, small


def test_a_tab_says_that_the_program_has_ended_and_that_it_is_there_again(program, chromium):
    page = chromium.new_page()
    page.set_default_timeout(PATIENCE)
    page.context.request.get(f"{program.base}/einlass/{SECRET}")
    page.goto(program.base + small("Der Igel schläft"))
    settled(page)
    made(page)
    page.get_by_role("link", name="Frühere Blätter").click()
    page.get_by_role("link", name="Neues Blatt").click()
    expect(page.locator("#auftraege .finished")).to_be_visible()  # another page was looked at meanwhile
    expect(page.locator("#auftraege-titel")).to_have_text("Ihr Blatt")
    expect(page.locator("[data-vorlage][aria-pressed=true]")).to_have_count(0)
    page.get_by_role("button", name="Doppelstunde").click()
    expect(page.locator("[data-vorlage][aria-pressed=true]")).to_have_text("Doppelstunde")
    expect(page.locator(".gone")).to_be_hidden()
    program.end()
    expect(page.locator(".gone")).to_contain_text("Papierformer antwortet nicht")
    program.start()
    expect(page.locator(".gone")).to_be_hidden()
    page.context.close()
