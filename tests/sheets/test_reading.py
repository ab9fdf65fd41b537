"""The quick way to read a page of ours back gives the same tree as the parser of HTML."""

import pytest
import tinyhtml5
from cases import made
from reading import tree, well_formed

HEAD = "<!doctype html><html><head><title>t</title></head><body>"


def content(root):
    """Tags, attributes and texts; white space around head, body and main belongs to neither."""
    return [(each.tag, attributes(each), *texts(each)) for each in root.iter()]


def attributes(element):
    return sorted((name, value) for name, value in element.attrib.items() if not name.endswith("}xmlns"))


def texts(element):
    both = (element.text or "", element.tail or "")
    return tuple(map(str.strip, both)) if element.tag in ("html", "head", "body", "main", "footer") else both


def same(html):
    quick = well_formed(html)
    assert quick is not None
    ours, theirs = (content(root) for root in (quick, tinyhtml5.parse(html, namespace_html_elements=False)))
    assert next(((a, b) for a, b in zip(ours, theirs, strict=False) if a != b), None) is None
    return len(ours) == len(theirs)


def unstyled(html):
    before, _, rest = html.partition("<style>")
    return before + rest.partition("</style>")[2]


def test_a_key_is_read_quickly_and_alike():
    assert same(unstyled(made("two_sentences").html("key")))


@pytest.mark.parametrize(
    "body",
    [
        "<p>a &lt; b&nbsp;&amp;&ApplyFunction; c<br>d</p><script>if (a < b && c) { d('</p>') }</script>",
        "<details class='x' open><summary>s</summary><math><mi>x</mi></math></details>",
        "<svg viewBox='0 0 1 1'><title>t</title><rect width='1'/></svg>",
    ],
)
def test_what_is_not_xml_is_read_alike(body):
    assert same(f"{HEAD}{body}</body></html>")


@pytest.mark.parametrize("body", ["<p>eins<p>zwei", "<input type=checkbox checked>", "a & b"])
def test_what_is_not_well_formed_is_left_to_the_parser_of_html(body):
    html = f"{HEAD}{body}</body></html>"
    assert well_formed(html) is None
    assert content(tree(html)) == content(tinyhtml5.parse(html, namespace_html_elements=False))
