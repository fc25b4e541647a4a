"""A PDF of empty staves with bar lines, for checks that need pages of music whose measures are known."""

LINES, BARS = 3, 4


def page(systems=LINES, bars=BARS):
    """The drawing operators of one page: systems of two staves each, bar lines through both."""
    out = ["0.8 w"]
    for system in range(systems):
        top = 760 - system * 220
        for staff in (0, 70):
            for line in range(5):
                y = top - staff - line * 7
                out.append(f"60 {y} m 540 {y} l S")
        for bar in range(bars + 1):
            x = 60 + bar * 480 / bars
            out.append(f"1.6 w {x} {top} m {x} {top - 98} l S 0.8 w")
        # Some notes, so that bar lines are not all there is.
        for bar in range(bars):
            for beat in range(3):
                x, y = 60 + (bar + 0.25 + beat * 0.22) * 480 / bars, top - 7 * (1 + (bar + beat) % 3)
                out.append(f"{x - 4} {y - 3} 8 6 re f {x + 3.5} {y} m {x + 3.5} {y + 24} l S")
    return "\n".join(out)


def music_pdf(pages=2, title="", systems=LINES, bars=BARS):
    """The bytes of a PDF whose every page has so many systems of so many measures."""
    words = [page(systems, bars)] * pages
    objects = ["<< /Type /Catalog /Pages 2 0 R >>",
               f"<< /Type /Pages /Count {pages} /Kids [{' '.join(f'{4 + 2 * n} 0 R' for n in range(pages))}] >>",
               f"<< /Title ({title}) >>"]
    for number, drawing in enumerate(words):
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * number} 0 R >>")
        objects.append(f"<< /Length {len(drawing)} >>\nstream\n{drawing}\nendstream")
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, text in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{text}\nendobj\n".encode()
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    return bytes(out) + (f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info 3 0 R >>\n"
                  f"startxref\n{table}\n%%EOF\n").encode()
