"""Fits the detector's small networks and writes them as Swift."""

import numpy

# The detector's networks, each judged on what those before it said: the file, the hidden units, what it judges.
NETWORKS = {
    "strokes": ("StrokeWeights", 12, "upright strokes: is it a bar line? The inputs are `UprightStroke.features`"),
    "lines": ("LineWeights", 6, "a system's lines: is it a bar line? The inputs are `SystemBarLine.features`"),
    "frames": ("FrameWeights", 6, "frames: is it right? The inputs are `MeasureFrame.features`"),
}


def fit(features, labels, hidden, steps=1500, rate=0.02, decay=2e-4, seed=3):
    """A network with one hidden layer, by Adam on the logistic loss."""
    chance = numpy.random.default_rng(seed)
    features, labels = numpy.array(features), numpy.array(labels, dtype=float)
    count, inputs = features.shape
    values = [chance.normal(0, 0.5, (inputs, hidden)), numpy.zeros(hidden), chance.normal(0, 0.5, hidden),
              numpy.zeros(1)]
    means = [numpy.zeros_like(value) for value in values]
    squares = [numpy.zeros_like(value) for value in values]
    kept = chance.random(count) < 0.85
    some, answers = features[kept], labels[kept]
    for step in range(1, steps + 1):
        index = chance.integers(0, len(some), min(4096, len(some)))
        x, y = some[index], answers[index]
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
    odds = numpy.tanh(features @ values[0] + values[1]) @ values[2] + values[3]
    for name, chosen in (("fitted", kept), ("not fitted", ~kept)):
        right = numpy.mean((odds[chosen] > 0) == (labels[chosen] > 0.5))
        print(f"  {name}: {chosen.sum()} candidates, {right:.4f} right")
    return values


def swift(name, values):
    """The network as a Swift constant."""
    weights, biases, outs, bias = values

    def rows(numbers):
        line, lines = " " * 20, []
        for number in numbers:
            word = f"{number:.3f}, "
            if len(line) + len(word) > 108:
                lines.append(line.rstrip())
                line = " " * 20
            line += word
        return "\n".join([*lines, line.rstrip()])

    units = "\n".join(
        f"            .init(\n                weights: [\n{rows(weights[:, at])}\n                ],\n"
        f"                bias: {biases[at]:.3f}, out: {outs[at]:.3f}),"
        for at in range(weights.shape[1]))
    return (f"    static let {name} = SmallNetwork(\n        hidden: [\n{units}\n        ],\n"
            f"        bias: {bias[0]:.3f})\n")


def write(folder, name, values):
    file, _, words = NETWORKS[name]
    head = f"    /// Judges {words}.\n    /// Made by `Tools/detect-measures fit`.\n"
    (folder / f"{file}.swift").write_text(f"extension SmallNetwork {{\n{head}{swift(name, values)}}}\n")
