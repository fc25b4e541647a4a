"""Fits the detector's small networks and writes them as Swift."""

import base64
import textwrap
import zlib

import numpy

# The detector's networks, each judged on what those before it said: the file, the hidden units, how much large weights
# cost (more, the fewer samples there are), what it judges.
NETWORKS = {
    "strokes": ("StrokeWeights", 24, 1e-4,
                "upright strokes: is it a bar line? The inputs are `UprightStroke.features` and `.picture`"),
    "lines": ("LineWeights", 8, 2e-4, "a system's lines: is it a bar line? The inputs are `SystemBarLine.features`"),
    "frames": ("FrameWeights", 8, 2e-3, "frames: is it right? The inputs are `MeasureFrame.features`"),
}
# The rows and columns of a stroke's picture.
PICTURE = (36, 20)


class Samples:
    """The training data of a network: features, pictures if there are any, answers, and the page of each."""

    def __init__(self):
        self.features, self.pictures, self.labels, self.pages = [], [], [], []

    def add(self, page, candidates, labels):
        # All damages of one printed page belong together, so that none is fitted to and judged.
        group = zlib.crc32(page.stem.split("_")[0].encode()) % 100
        for candidate, label in zip(candidates, labels):
            self.features.append(numpy.array(candidate["features"], dtype=numpy.float32))
            if "picture" in candidate:
                self.pictures.append(numpy.frombuffer(base64.b64decode(candidate["picture"]), dtype=numpy.uint8))
            self.labels.append(label)
            self.pages.append(group)


def inputs(features, pictures, chosen, chance=None):
    """The inputs of the chosen samples; by chance a picture is moved by a field."""
    if pictures is None:
        return features[chosen]
    some = pictures[chosen].reshape(-1, *PICTURE).astype(numpy.float32) / 12
    if chance is not None:
        some = numpy.roll(some, (int(chance.integers(-1, 2)), int(chance.integers(-1, 2))), (1, 2))
    return numpy.hstack([features[chosen], some.reshape(len(chosen), -1)])


def fit(samples, hidden, decay, first_page=12, steps=1500, rate=0.02, seed=3):
    """A network with one hidden layer, by Adam on the logistic loss; pages below the first are only judged."""
    chance = numpy.random.default_rng(seed)
    features, labels = numpy.array(samples.features), numpy.array(samples.labels, dtype=numpy.float32)
    pictures = numpy.array(samples.pictures) if samples.pictures else None
    if pictures is not None:
        steps, rate = 4000, 0.004
    count = inputs(features, pictures, numpy.arange(1)).shape[1]
    spread = 0.5 if pictures is None else 0.08
    values = [chance.normal(0, spread, (count, hidden)), numpy.zeros(hidden), chance.normal(0, 0.5, hidden),
              numpy.zeros(1)]
    values = [value.astype(numpy.float32) for value in values]
    means = [numpy.zeros_like(value) for value in values]
    squares = [numpy.zeros_like(value) for value in values]
    is_kept = numpy.array(samples.pages) >= first_page
    kept = numpy.flatnonzero(is_kept)
    for step in range(1, steps + 1):
        index = kept[chance.integers(0, len(kept), min(2048, len(kept)))]
        x, y = inputs(features, pictures, index, chance), labels[index]
        layer = numpy.tanh(x @ values[0] + values[1])
        error = (1 / (1 + numpy.exp(-(layer @ values[2] + values[3]))) - y) / len(y)
        back = numpy.outer(error, values[2]) * (1 - layer * layer)
        slopes = [x.T @ back + decay * values[0], back.sum(0), layer.T @ error + decay * values[2],
                  numpy.array([error.sum()])]
        now = rate * 0.5 * (1 + numpy.cos(numpy.pi * step / steps))
        for at, slope in enumerate(slopes):
            means[at] = 0.9 * means[at] + 0.1 * slope
            squares[at] = 0.999 * squares[at] + 0.001 * slope ** 2
            values[at] = values[at] - now * (means[at] / (1 - 0.9 ** step)) / (
                numpy.sqrt(squares[at] / (1 - 0.999 ** step)) + 1e-8)
    for name, chosen in (("fitted", kept), ("not fitted", numpy.flatnonzero(~is_kept))):
        if len(chosen) == 0:
            continue
        right = wrong = 0
        for part in numpy.array_split(chosen, len(chosen) // 4096 + 1):
            odds = numpy.tanh(inputs(features, pictures, part) @ values[0] + values[1]) @ values[2] + values[3]
            right += numpy.sum((odds > 0) == (labels[part] > 0.5))
            wrong += numpy.sum((odds > 0) != (labels[part] > 0.5))
        print(f"  {name}: {len(chosen)} candidates, {right / max(right + wrong, 1):.4f} right", flush=True)
    return values


def rows(numbers, indent):
    """Numbers in lines of at most 108 columns."""
    line, lines = " " * indent, []
    for number in numbers:
        word = f"{number:.3f}, "
        if len(line) + len(word) > 108:
            lines.append(line.rstrip())
            line = " " * indent
        line += word
    return "\n".join([*lines, line.rstrip()])


def swift(name, values):
    """The network as a Swift constant."""
    weights, biases, outs, bias = values
    units = "\n".join(
        f"            .init(\n                weights: [\n{rows(weights[:, at], 20)}\n                ],\n"
        f"                bias: {biases[at]:.3f}, out: {outs[at]:.3f}),"
        for at in range(weights.shape[1]))
    return (f"    static let {name} = SmallNetwork(\n        hidden: [\n{units}\n        ],\n"
            f"        bias: {bias[0]:.3f})\n")


def packed_swift(values):
    """A network with many weights as a Swift constant: bytes in Base64."""
    weights, biases, outs, bias = values
    scales = numpy.maximum(numpy.abs(weights).max(axis=0), 1e-6)
    whole = numpy.rint(weights / scales * 127).astype(numpy.int8).T
    text = base64.b64encode(whole.tobytes()).decode()
    lines = "\\\n".join(f"            {line}" for line in textwrap.wrap(text, 100))
    lists = "\n".join(f"        {name}: [\n{rows(numbers, 12)}\n        ],"
                      for name, numbers in (("scales", scales), ("biases", biases), ("outs", outs)))
    return ("    static let fitted = StrokeNetwork(\n        packed: \"\"\"\n" + lines + "\n            \"\"\",\n"
            + lists + f"\n        bias: {bias[0]:.3f})\n")


def write(folder, name, samples):
    """Fits a network and writes it."""
    file, hidden, decay, words = NETWORKS[name]
    values = fit(samples, hidden, decay)
    if not samples.pictures:
        # Few samples: what was judged on some pages is fitted once more, to all of them.
        values = fit(samples, hidden, decay, first_page=0)
    kind, text = ("StrokeNetwork", packed_swift(values)) if name == "strokes" else ("SmallNetwork", swift(name, values))
    head = f"    /// Judges {words}.\n    /// Made by `Research/detect-measures fit`.\n"
    (folder / f"{file}.swift").write_text(f"extension {kind} {{\n{head}{text}}}\n")
