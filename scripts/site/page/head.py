"""The head of a page: what search engines and those with whom it is shared are told of it."""

import re
from html import unescape

from markupsafe import Markup

from scripts.site.render.words import Words

CARD = "card.png"
"""The picture of the site, at its root."""
FEED = "changes.xml"
"""Of a language, in its folder."""

_MOST = 200
"""Letters of a description, of which engines and chats show about as many."""
_PARAGRAPH = re.compile(r"<p>(.*?)</p>", re.DOTALL)
_ALTERNATE = re.compile(r'<link rel="alternate" href="([^"]*)" hreflang="([^"]*)">')


def describe(html: str) -> str:
    """The first paragraph of a page as plain text, cut at a word; empty if there is none."""
    found = _PARAGRAPH.search(html)
    text = unescape(Markup(found[1]).striptags()) if found else ""  # noqa: S704 - only to be stripped
    return text if len(text) <= _MOST else f"{text[:_MOST].rpartition(' ')[0].rstrip(',;:—– ')}…"


def show_card(title: str, description: str, address: str, root: str, words: Words) -> Markup:
    """What a page is shown as where somebody shares it (Open Graph, which X reads too).

    Args:
        title: of the page.
        description: of it.
        address: its public one, or empty if none is known; then there is no picture either,
            for that needs one.
        root: the public address of the site.
        words: of the page's language.
    """
    told = {
        "og:type": "article",
        "og:site_name": words.text("root_heading"),
        "og:title": title,
        "og:description": description,
    }
    if address:
        told |= {"og:url": address, "og:image": f"{root}{CARD}"}
        told |= {"og:image:width": "1280", "og:image:height": "860"}
    tags = [Markup('<meta property="{}" content="{}">').format(*one) for one in told.items()]
    kind = "summary_large_image" if address else "summary"
    tags.append(Markup('<meta name="twitter:card" content="{}">').format(kind))
    return Markup("\n").join(tags)


def link_feed(root: str, words: Words) -> Markup:
    """The link by which programs find a language's feed; nothing where no public address is known.

    Its ``rel`` ends in a blank for the reason that ``link_languages`` gives.
    """
    if not root:
        return Markup()
    link = Markup(
        '\n<link rel="alternate " type="application/atom+xml" title="{}" href="{}{}/{}">\n'
    )
    return link.format(words.text("feed_title"), root, words.language, FEED)


def link_languages(page: str, url: str, root: str) -> str:
    """A page whose links to its other languages search engines can follow: whole addresses.

    Without a public address they stay relative. The theme takes ``link[rel=alternate]`` to a page
    for the root of a site and looks for its sitemap there; to search engines a blank at the end of
    ``rel`` makes no difference.

    Args:
        page: the HTML.
        url: the page's address below its language.
        root: the public address of the site, or empty.
    """
    found = list(_ALTERNATE.finditer(page))
    if not root or not found:
        return page.replace('<link rel="alternate" href=', '<link rel="alternate " href=')
    addresses = [(one[2], f"{root}{one[2]}/{url}") for one in found]
    default = addresses[0][1] if url else root  # the root leads everybody to their language
    tags = [
        f'<link rel="alternate " href="{address}" hreflang="{language}">'
        for language, address in (*addresses, ("x-default", default))
    ]
    parts = iter(["\n".join(tags)])
    return _ALTERNATE.sub(lambda _: next(parts, ""), page)
