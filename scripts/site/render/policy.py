"""Policy: what a page may load and run, told to the browser in the page itself.

A second layer behind the escaping of strangers' texts. Hosts of static pages send no headers of
ours, so that it stands in a ``<meta>``, before whatever it is about. Scripts in the text of a page
do not run: those that do are files of the site, and the ones around the text, by their digests.
"""

import base64
import hashlib
import re

_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_CHARSET = re.compile(r'<meta charset="utf-8"\s*/?>')
# Charts and the theme have styles in the page, and signs of the theme's style sheet are pictures in addresses.
_SOURCES = (
    "default-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
)


def add_policy(page: str) -> str:
    """A whole page with its policy; without an ``<article>`` everything in it is ours."""
    before, _, rest = page.partition("<article")
    after = rest.rpartition("</article>")[2]
    scripts = _SCRIPT.findall(before) + _SCRIPT.findall(after)
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()) for script in scripts)
    allowed = "".join(f" 'sha256-{digest.decode()}'" for digest in digests)
    scripts_rule = f"script-src 'self' 'wasm-unsafe-eval'{allowed}"
    # The index of the search is WebAssembly.
    rules = "; ".join((*_SOURCES, scripts_rule))
    meta = f'<meta http-equiv="Content-Security-Policy" content="{rules}">'
    return _CHARSET.sub(lambda charset: f"{charset[0]}\n{meta}", page, count=1)


def loosen_policy(page: str) -> str:
    """A page whose policy lets it work from a folder, where no file is of the page's own origin."""
    for name in ("default-src", "style-src", "img-src", "form-action"):
        page = page.replace(f"{name} 'self'", f"{name} 'self' file:", 1)
    # The search's script is made there of text, see ``offline.js``.
    return page.replace("script-src 'self'", "script-src 'self' file: blob:", 1)
