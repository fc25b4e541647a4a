"""Printed pages as a camera or a scanner gives them back, and where their points went. Needs OpenCV and NumPy."""

import cv2
import numpy

# The last two were never fitted to: a copy of a copy, and a fax.
KINDS = ["clean", "scan", "bilevel", "photo", "lowres", "side", "copy", "fax"]


class Sheet:
    """A picture and the way of its points: `moves` are functions from points (n × 2, pixels) to points."""

    def __init__(self, picture):
        self.picture = picture.astype(numpy.float32)
        self.original = picture.shape[::-1]
        self.moves = []

    @property
    def size(self):
        return self.picture.shape[1], self.picture.shape[0]

    def place(self, points):
        """Points in shares of the original page as shares of the picture now."""
        points = numpy.array(points, dtype=numpy.float64) * self.original
        for move in self.moves:
            points = move(points)
        return points / self.size

    def warp(self, matrix, size, paper):
        self.picture = cv2.warpPerspective(self.picture, matrix, size, flags=cv2.INTER_AREA,
                                           borderMode=cv2.BORDER_CONSTANT, borderValue=float(paper))
        self.moves.append(lambda points: cv2.perspectiveTransform(points.reshape(-1, 1, 2), matrix).reshape(-1, 2))

    def skew(self, degrees, paper=255):
        width, height = self.size
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
        self.warp(numpy.vstack([turn, [0, 0, 1]]), (width, height), paper)

    def shrink(self, height):
        width, old = self.size
        factor = height / old
        size = (round(width * factor), height)
        self.picture = cv2.resize(self.picture, size, interpolation=cv2.INTER_AREA)
        self.moves.append(lambda points: points * (size[0] / width, size[1] / old))

    def curl(self, across, down, phase):
        """The paper bends: rows move by a wave along the page; by up to `across` and `down` of its height."""
        width, height = self.size
        y, x = numpy.mgrid[0:height, 0:width].astype(numpy.float32)

        def shift(x, y):
            return height * (across * numpy.sin(2.2 * x / width + phase) + down * (x / width - 0.5) ** 2 * (y / height))

        self.picture = cv2.remap(self.picture, x, (y + shift(x, y)).astype(numpy.float32), cv2.INTER_LINEAR,
                                 borderMode=cv2.BORDER_REPLICATE)

        def move(points):
            found = points.copy()
            for _ in range(12):
                found[:, 1] = points[:, 1] - shift(found[:, 0], found[:, 1])
            return found

        self.moves.append(move)

    def quarter(self, turns):
        for _ in range(turns % 4):
            height = self.picture.shape[0]
            self.picture = numpy.ascontiguousarray(numpy.rot90(self.picture, -1))
            self.moves.append(lambda points, height=height: numpy.stack([height - points[:, 1], points[:, 0]], 1))

    def blur(self, sigma):
        if sigma > 0.05:
            self.picture = cv2.GaussianBlur(self.picture, (0, 0), sigma)

    def jpeg(self, quality):
        grey = numpy.clip(self.picture, 0, 255).astype(numpy.uint8)
        _, packed = cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, int(quality)])
        self.picture = cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE).astype(numpy.float32)


def smooth_field(chance, size, cells):
    """Uneven light: smooth, between 0 and 1."""
    coarse = chance.random((cells, cells)).astype(numpy.float32)
    field = cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC)
    return (field - field.min()) / max(float(field.max() - field.min()), 1e-6)


def light(sheet, chance, strength, noise):
    field = smooth_field(chance, sheet.size, 3)
    ink, paper = chance.uniform(10, 70), chance.uniform(170, 250)
    shade = ink + (paper - ink) * sheet.picture / 255
    sheet.picture = shade * (1 - strength * field) + chance.normal(0, noise, sheet.picture.shape)


def scan(sheet, chance):
    sheet.shrink(int(chance.uniform(1700, 2700)))
    sheet.skew(chance.uniform(-3, 3))
    sheet.blur(chance.uniform(0.3, 1.3))
    light(sheet, chance, chance.uniform(0, 0.3), chance.uniform(2, 14))
    sheet.jpeg(chance.uniform(35, 90))


def bilevel(sheet, chance):
    sheet.shrink(int(chance.uniform(1700, 2700)))
    sheet.skew(chance.uniform(-2, 2))
    if chance.random() < 0.4:
        sheet.curl(chance.uniform(-0.006, 0.006), 0, chance.uniform(0, 6))
    sheet.blur(chance.uniform(0.5, 1.2))
    grain = chance.normal(0, chance.uniform(8, 30), sheet.picture.shape).astype(numpy.float32)
    grain = cv2.GaussianBlur(grain, (0, 0), 0.7)
    bits = sheet.picture + grain > chance.uniform(130, 210)
    sheet.picture = numpy.where(bits, 255, 0).astype(numpy.float32)
    for _ in range(int(chance.integers(0, 300))):
        x, y = chance.integers(0, sheet.size[0]), chance.integers(0, sheet.size[1])
        cv2.circle(sheet.picture, (int(x), int(y)), int(chance.integers(0, 4)), 0, -1)


def photo(sheet, chance):
    sheet.shrink(int(chance.uniform(1900, 2600)))
    width, height = sheet.size
    if chance.random() < 0.7:
        sheet.curl(chance.uniform(-0.012, 0.012), chance.uniform(-0.03, 0.03), chance.uniform(0, 6))
    # The four corners of the paper as the camera sees them, on a table.
    margin, tilt = chance.uniform(0, 0.06), 0.05
    corners = numpy.float32([[0, 0], [width, 0], [width, height], [0, height]])
    seen = corners * (1 - 2 * margin) + numpy.float32([width, height]) * margin
    seen += (chance.uniform(-tilt, tilt, (4, 2)) * min(width, height)).astype(numpy.float32)
    sheet.warp(cv2.getPerspectiveTransform(corners, seen).astype(numpy.float64), (width, height),
               chance.choice([40, 110, 255]))
    sheet.skew(chance.uniform(-2, 2), chance.choice([40, 110, 255]))
    sheet.blur(chance.uniform(0.5, 1.6))
    light(sheet, chance, chance.uniform(0.2, 0.6), chance.uniform(2, 9))
    if chance.random() < 0.5:
        # The edge of a shadow across the page.
        y, x = numpy.mgrid[0:height, 0:width].astype(numpy.float32)
        edge = (x / width - chance.uniform(0.2, 0.8)) * chance.choice([-1, 1])
        edge += (y / height - 0.5) * chance.uniform(-1, 1)
        sheet.picture *= 1 - chance.uniform(0.2, 0.5) / (1 + numpy.exp(-edge * chance.uniform(15, 60)))
    sheet.jpeg(chance.uniform(30, 85))


def lowres(sheet, chance):
    sheet.shrink(int(chance.uniform(1100, 1450)))
    sheet.skew(chance.uniform(-1, 1))
    light(sheet, chance, 0.1, chance.uniform(1, 8))
    sheet.jpeg(chance.uniform(40, 80))


def side(sheet, chance):
    [scan, bilevel, photo][int(chance.integers(0, 3))](sheet, chance)
    sheet.quarter(int(chance.integers(1, 4)))


def copy(sheet, chance):
    """A photocopy of an open volume, copied once more: thick or worn lines, a dark gutter, black edges, dirt."""
    sheet.shrink(int(chance.uniform(1800, 2500)))
    sheet.curl(chance.uniform(-0.004, 0.004), chance.uniform(-0.015, 0.015), chance.uniform(0, 6))
    for _ in range(2):
        sheet.skew(chance.uniform(-1.5, 1.5), chance.choice([0, 255]))
        sheet.blur(chance.uniform(0.6, 1.1))
        toner = chance.uniform(-25, 25) + 30 * smooth_field(chance, sheet.size, 4)
        contrast = chance.uniform(2, 5)
        sheet.picture = numpy.clip((sheet.picture + toner - 140) * contrast + 140, 0, 255)
        sheet.picture += chance.normal(0, 6, sheet.picture.shape)
    x = numpy.arange(sheet.size[0], dtype=numpy.float32)
    gutter = chance.choice([0, sheet.size[0]])
    sheet.picture *= 1 - chance.uniform(0.2, 0.9) * numpy.exp(-numpy.abs(x - gutter) / chance.uniform(20, 80))
    sheet.jpeg(chance.uniform(50, 90))


def fax(sheet, chance):
    """1-bit at unequal resolution, each row moved a little, some rows lost."""
    width, height = sheet.size
    sheet.skew(chance.uniform(-1, 1))
    sheet.blur(1.2)
    across, down = int(chance.uniform(1500, 1750)), int(chance.uniform(1500, 2200))
    low = cv2.resize(sheet.picture, (across, down), interpolation=cv2.INTER_AREA)
    bits = numpy.where(low + chance.normal(0, 12, low.shape) > chance.uniform(150, 215), 255, 0).astype(numpy.uint8)
    for row in chance.integers(0, down, int(chance.integers(0, 6))):
        bits[row] = 255
    for row in range(0, down, 97):
        bits[row:row + 97] = numpy.roll(bits[row:row + 97], int(chance.integers(-1, 2)), axis=1)
    sheet.picture = cv2.resize(bits, (width, height), interpolation=cv2.INTER_NEAREST).astype(numpy.float32)


def damage(picture, kind, seed):
    """A `Sheet` of the picture, damaged in the way `kind`; the same seed gives the same."""
    sheet = Sheet(picture)
    if kind != "clean":
        globals()[kind](sheet, numpy.random.default_rng(seed))
    sheet.picture = numpy.clip(sheet.picture, 0, 255).astype(numpy.uint8)
    return sheet
