"""A tiny PDF writer: pages of text in two columns, byte for byte repeatable."""

from collections.abc import Sequence

from specfactory.model import Frozen

_WIDTH, _HEIGHT = 595, 842  # A4 in points
_LEFT, _RIGHT_COLUMN, _TOP, _BOTTOM = 56, 300, 780, 70
_LEADING = 16


class PdfLine(Frozen):
    """One line: a heading (no right side), or a label with its value."""

    left: str
    right: str = ""
    size: int = 10
    bold: bool = False


def write_pdf(title: str, lines: Sequence[PdfLine], footer: str) -> bytes:
    """Set the lines on as many pages as they need."""
    pages = _paginate(lines)
    count = len(pages)
    contents = [
        _content(page, f"{footer}   {number}/{count}") for number, page in enumerate(pages, 1)
    ]
    return _file(title, contents)


def _paginate(lines: Sequence[PdfLine]) -> list[list[PdfLine]]:
    per_page = (_TOP - _BOTTOM) // _LEADING
    return [list(lines[at : at + per_page]) for at in range(0, len(lines), per_page)] or [[]]


def _content(lines: Sequence[PdfLine], footer: str) -> bytes:
    parts = []
    for row, line in enumerate(lines):
        y = _TOP - row * _LEADING
        parts.append(_text(_LEFT, y, line.left, line.size, line.bold))
        if line.right:
            parts.append(_text(_RIGHT_COLUMN, y, line.right, line.size, False))
    parts.append(_text(_LEFT, 40, footer, 7, False))
    return b"\n".join(parts)


def _text(x: int, y: int, words: str, size: int, bold: bool) -> bytes:
    font = "F2" if bold else "F1"
    return f"BT /{font} {size} Tf {x} {y} Td (".encode() + _string(words) + b") Tj ET"


def _string(words: str) -> bytes:
    """The words in WinAnsi, with the three characters that PDF strings escape."""
    raw = words.encode("cp1252", "replace")
    return raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def _file(title: str, contents: Sequence[bytes]) -> bytes:
    first_page = 6
    kids = " ".join(f"{first_page + 2 * n} 0 R" for n in range(len(contents)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(contents)} >>".encode(),
        _font("Helvetica"),
        _font("Helvetica-Bold"),
        b"<< /Title (" + _string(title) + b") /Producer (demo web) >>",
    ]
    for number, content in enumerate(contents):
        objects.append(_page(first_page + 2 * number + 1))
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    return _assemble(objects)


def _font(name: str) -> bytes:
    return (
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode()
    )


def _page(content_number: int) -> bytes:
    return (
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {_WIDTH} {_HEIGHT}] "
        f"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents {content_number} 0 R >>"
    ).encode()


def _assemble(objects: Sequence[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info 5 0 R >>\n" % (len(objects) + 1)
    out += b"startxref\n%d\n%%%%EOF\n" % start
    return bytes(out)
