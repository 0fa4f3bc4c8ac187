import pytest

from bench.sites import compare_sites, read_page

PAGE = '<h1 id="top">Threads</h1><p>They <b>wait</b>.</p><a href="../other/#there">on</a>'
OTHER = '<h2 id="there">There</h2>'


@pytest.fixture
def compare(tmp_path):
    def compare(old, new):
        for site, pages in (("old", old), ("new", new)):
            for name, text in pages.items():
                path = tmp_path / site / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
        return list(compare_sites(tmp_path / "old", tmp_path / "new"))

    return compare


def site(page=PAGE, other=OTHER, **more):
    return {"page/index.html": page, "other/index.html": other, **more}


def test_sites_that_look_alike_do_not_differ(compare):
    built_anew = PAGE.replace("<p>", '<p class="new" >').replace("Threads", " Threads\n")
    assert compare(site(), site(built_anew)) == []


def test_what_changes_with_each_build_does_not_count(compare):
    old = site("<p>Built 2026-11-23 12:07 of 0badc0de12</p>", **{"a.1234567f.css": "b"})
    new = site("<p>Built 2027-01-02 09:30 of 1badc0de13</p>", **{"a.7654321f.css": "b"})
    assert compare(old, new) == []


def test_pages_anchors_links_and_data_are_told(compare):
    old = site(**{"gone/index.html": "", "rows.csv": "1"})
    new = site(other='<h2 id="elsewhere">There</h2>', **{"rows.csv": "2"})
    assert compare(old, new) == [
        "only in the old site: gone/index.html",
        "anchor lost: other/index.html#there",
        "link broken: /other#there",
        "data differ: rows.csv",
    ]


def test_what_is_drawn_is_read_but_its_ids_are_its_own():
    page = read_page('<p id="a">one</p><svg><g id="b"><text>two</text></g></svg><script>x</script>')
    assert (page.lines, page.anchors) == (["one", "two"], {"a"})
