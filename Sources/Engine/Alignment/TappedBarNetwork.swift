/// A network with one hidden layer that sees the figures of ``TappedBarFeatures`` from half a second before a frame to
/// half a second after it, and gives the logarithm of the odds that a bar begins there, up to a constant.
struct TappedBarNetwork: Sendable {
    /// The frames that it sees, counted from the judged one; at fifty frames a second.
    static let frameOffsets = [-25, -18, -12, -8, -4, 0, 4, 8, 12, 18, 25]
    static var inputCount: Int { frameOffsets.count * TappedBarScale.count }

    /// The weights of one unit after the other, then those that lead from the inputs to the result directly.
    private let weights: [Float]
    private let biases: [Float]
    private let outs: [Float]

    /// - Parameters:
    ///   - packed: the weights in 127ths of each unit's scale, as signed bytes in Base64.
    ///   - scales: one for each unit, and one for the direct weights.
    init(packed: String, scales: [Float], biases: [Float], outs: [Float]) {
        let bytes = Self.bytes(ofBase64: packed).map { Float(Int8(bitPattern: $0)) / 127 }
        precondition(
            bytes.count == Self.inputCount * scales.count && scales.count == outs.count + 1,
            "the weights of the bars are damaged")
        weights = bytes.indices.map { bytes[$0] * scales[$0 / Self.inputCount] }
        (self.biases, self.outs) = (biases, outs)
    }

    /// The result for each frame. Frames beyond the ends are taken to be like the first and the last one.
    /// - Complexity: O(frames × inputs × units).
    func values(_ features: TappedBarFeatures) -> [Float] {
        let count = TappedBarScale.count
        var inputs = [Float](repeating: 0, count: Self.inputCount)
        return features.values.withUnsafeBufferPointer { values in
            weights.withUnsafeBufferPointer { weights in
                (0..<features.frameCount).map { frame in
                    for (place, offset) in Self.frameOffsets.enumerated() {
                        let row = min(max(frame + offset, 0), features.frameCount - 1) * count
                        for index in 0..<count { inputs[place * count + index] = values[row + index] }
                    }
                    return value(inputs, weights)
                }
            }
        }
    }

    private func value(_ inputs: [Float], _ weights: UnsafeBufferPointer<Float>) -> Float {
        inputs.withUnsafeBufferPointer { inputs in
            var sums = biases + [0]
            for unit in sums.indices {
                // Eight sums at once, because the order of a single one cannot be changed.
                var lanes = SIMD8<Float>.zero
                let first = unit * inputs.count
                let whole = inputs.count - inputs.count % 8
                for index in stride(from: 0, to: whole, by: 8) {
                    var (input, weight) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
                    for lane in 0..<8 {
                        input[lane] = inputs[index + lane]
                        weight[lane] = weights[first + index + lane]
                    }
                    lanes += input * weight
                }
                for index in whole..<inputs.count { lanes[0] += inputs[index] * weights[first + index] }
                sums[unit] += lanes.sum()
            }
            var result = sums[outs.count]
            for unit in outs.indices { result += outs[unit] * max(sums[unit], 0) }
            return result
        }
    }

    /// The bytes of a text in Base64; other characters are passed over. The engine has no Foundation, which decodes it
    /// elsewhere.
    static func bytes(ofBase64 text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var (held, bits) = (0, 0)
        for character in text.utf8 {
            let digit: Int
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = Int(character) - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = Int(character) - 97 + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = Int(character) - 48 + 52
            case UInt8(ascii: "+"): digit = 62
            case UInt8(ascii: "/"): digit = 63
            default: continue
            }
            (held, bits) = ((held << 6 | digit) & 0xFFFF, bits + 6)
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: held >> bits))
            }
        }
        return bytes
    }
}
