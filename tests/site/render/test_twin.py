"""A page's twin says in Markdown what the page says, and nothing that only a browser needs."""

import pytest

from scripts.site.render.twin import make_twin


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ('<h2 id="a">Pools<a class="headerlink" href="#a">#</a></h2>', "## Pools"),
        (
            '<p>Take <a href="../b/">a <code>pool</code></a>, <a href="#c">c</a>.</p>',
            "Take [a `pool`](../b/), [c](./#c).",
        ),
        ("<pre><code><span>a</span>\n\n\n    b</code></pre>", "```\na\n\n\n    b\n```"),
        ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"),
        (
            "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
            "|a |b |\n| --- | --- |\n|1 |2 |",
        ),
        ("<p>one<br>two</p>", "one — two"),
        ("<p>In 2 s. <small>(1 core)</small></p>", "In 2 s. (1 core)"),
        (
            "<p>&lt;script&gt; is <code>&lt;b&gt;</code></p><pre>&lt;i&gt;</pre>",
            "&lt;script> is `<b>`\n```\n<i>\n```",
        ),
        (
            "<p>a</p>\n<pre>```\nx\n\n   \n````</pre><p>b  c</p>\n <p>d</p><pre>`</pre>",
            "a\n`````\n```\nx\n\n\n````\n`````\n\nb c\n\nd\n```\n`\n```",
        ),
        ("<p>for “a loop”</p>", "for “a loop”"),
        (
            '<p>Twice.</p><details class="how-measured" data-twin="c/a.json"><p>why</p></details><p>b</p>',
            "Twice. [JSON](c/a.json)\n\nb",
        ),
        (
            '<table><tr><td>1</td></tr></table><details class="how-measured" data-twin="a.csv"></details>',
            "|1 |\n\n[CSV](a.csv)",
        ),
        ('<p>a.py <a href="a.py" download>Download</a></p>', "a.py"),
        ('<div class="timeline-lanes"><div>at once</div><div>1</div></div><p>told</p>', "told"),
        ("<svg><text>drawn</text></svg><p>told</p><script>run()</script>", "told"),
        (
            "<details><summary>more</summary><noscript>&lt;p&gt;folded&lt;/p&gt;</noscript></details>",
            "**more**\n\nfolded",
        ),
    ],
)
def test_elements_are_their_markdown(html: str, markdown: str) -> None:
    twin = make_twin(f"<body><nav>menu</nav><article class='a'>{html}</article></body>")
    assert [line.rstrip() for line in twin.strip().splitlines()] == markdown.splitlines()


def test_a_chart_is_its_title_and_its_picture_without_legend_and_row_to_share() -> None:
    html = """<figure class="chart" id="c"><figcaption>Twice&nbsp;<a class="claim-anchor">#</a></figcaption>
        <ul class="chart-legend"><li>loop</li></ul><svg><text>1</text></svg></figure>
        <p class="figure-share">link</p><figure><figcaption>printed</figcaption></figure>"""
    assert make_twin(f"<article>{html}</article>") == "![Twice](c.png)\n\nprinted\n"
