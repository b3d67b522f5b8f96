"""Fits matplotlib's SVG into a page: attributes instead of styles, unique ids, the page's colours.

The page forbids inline styles, so every `style` becomes attributes. Colours that stand for a role
become the page's variables, right in light and dark.
"""

import io
import re
from xml.etree import ElementTree

from matplotlib.figure import Figure

from grader.base.text import printable

SVG = "http://www.w3.org/2000/svg"
LINK = "{http://www.w3.org/1999/xlink}href"
# Placeholders that matplotlib accepts as colours; plain_attributes() puts in the roles.
INK, SOFT, LINE, YOURS, TARGET, WRONG = (f"#00000{digit}" for digit in range(1, 7))
ROLES = {INK: "ink", SOFT: "soft", LINE: "line", YOURS: "yours", TARGET: "target", WRONG: "bad"}
FONT_SIZE = re.compile(r"([\d.]+)px")
REFERENCE = re.compile(r"url\(#([^)]+)\)")
# A hundredth of a unit is finer than any screen.
DIGITS = re.compile(r"-?\d+\.\d{3,}")


def page_svg(figure: Figure, name: str, title: str, description: str) -> str:
    """The figure as an <svg> element; `name` must be unique in the page."""
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    root = ElementTree.fromstring(text.getvalue())
    for parent in list(root.iter()):
        for child in list(parent):
            if local(child) in ("metadata", "style"):
                parent.remove(child)
    for element in root.iter():
        plain_attributes(element, name)
    keep_used_ids(root)
    for attribute in ("width", "height", "version"):
        root.attrib.pop(attribute, None)
    root.set("class", "plot")
    label(root, name, title, description)
    ElementTree.register_namespace("", SVG)
    return ElementTree.tostring(root, encoding="unicode")


def local(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def plain_attributes(element: ElementTree.Element, name: str) -> None:
    style = element.attrib.pop("style", "")
    for key, _, value in (entry.partition(":") for entry in style.split(";") if entry.strip()):
        key, value = key.strip(), value.strip()
        if key == "font":
            key, value = "font-size", FONT_SIZE.search(value)[1]
        element.set(key, value)
    if LINK in element.attrib:
        element.set("href", element.attrib.pop(LINK))
    for key, value in element.attrib.items():
        if key == "id":
            element.set(key, f"{name}-{value}")
        elif key == "href":
            element.set(key, f"#{name}-{value[1:]}")
        else:
            value = REFERENCE.sub(rf"url(#{name}-\1)", value)
            value = DIGITS.sub(lambda number: f"{float(number[0]):.2f}", value)
            role = ROLES.get(value.lower())
            element.set(key, f"var(--{role})" if role else value)


def keep_used_ids(root: ElementTree.Element) -> None:
    used = set()
    for element in root.iter():
        used.add(element.get("href", "")[1:])
        used.update(
            match for value in element.attrib.values() for match in REFERENCE.findall(value)
        )
    for element in root.iter():
        if element.get("id") not in used:
            element.attrib.pop("id", None)


def label(root: ElementTree.Element, name: str, title: str, description: str) -> None:
    """The text that a screen reader gives for the picture."""
    root.set("role", "img")
    root.set("aria-labelledby", f"{name}-title {name}-description")
    for place, (tag, words) in enumerate((("title", title), ("desc", description))):
        element = ElementTree.Element(f"{{{SVG}}}{tag}")
        ending = "title" if tag == "title" else "description"
        element.set("id", f"{name}-{ending}")
        element.text = printable(words)
        root.insert(place, element)
