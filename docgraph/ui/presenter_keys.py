"""Keys that buttons cannot take themselves: PageUp, PageDown, Space (presenters' clickers) and Enter."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

_KEYS = st.components.v2.component(
    "docgraph_presenter_keys",
    html="<span hidden>\n</span>",
    js="""
const maps = new WeakMap()
const TYPING = 'input, textarea, select, [contenteditable=true]'
const PRESSED = 'button, a, [role=button]'
export default function ({ data, parentElement }) {
  document.body.dataset.dgpKeys = Object.keys(data.keys).join('|') // what is listened to, once it is
  const known = maps.get(parentElement)
  if (known) { known.keys = data.keys; return known.stop }
  const own = { keys: data.keys }
  const press = (event) => {
    const target = own.keys[event.key], at = event.target
    if (!target || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
    if (at.closest?.(TYPING) || (!event.key.startsWith('Page') && at.closest?.(PRESSED))) return
    event.preventDefault()
    document.querySelector(`.st-key-${target} button:enabled`)?.click()
  }
  document.addEventListener('keydown', press)
  own.stop = () => {
    document.removeEventListener('keydown', press)
    maps.delete(parentElement)
    delete document.body.dataset.dgpKeys
  }
  maps.set(parentElement, own)
  return own.stop
}
""",
)


def also(keys: Mapping[str, str]) -> None:
    """Key (as ``KeyboardEvent.key`` names it) → key of the Streamlit button that it presses, except while typing."""
    _KEYS(key="dgp-more-keys", data={"keys": dict(keys)})
