import Foundation

/// A network with one hidden layer that sees a stroke's features and the picture around it, and gives the logarithm of
/// the odds that the stroke is a bar line.
struct StrokeNetwork: Sendable {
    /// Features, then the fields of the picture.
    static let inputCount = StrokeFinder.featureCount + StaffStrip.pictureColumns * StaffStrip.pictureRows

    /// The weights of one unit after the other, each with a scale of its own.
    private let weights: [Float]
    private let biases: [Float]
    private let outs: [Float]
    private let bias: Float

    /// - Parameter packed: the weights in 127ths of each unit's scale, as signed bytes in Base64.
    init(packed: String, scales: [Float], biases: [Float], outs: [Float], bias: Float) {
        let bytes = Data(base64Encoded: packed).map { $0.map { Float(Int8(bitPattern: $0)) / 127 } } ?? []
        precondition(bytes.count == Self.inputCount * scales.count, "the weights of the strokes are damaged")
        weights = bytes.indices.map { bytes[$0] * scales[$0 / Self.inputCount] }
        (self.biases, self.outs, self.bias) = (biases, outs, bias)
    }

    func odds(of features: [Double], picture: [UInt8]) -> Double {
        let inputs = features.map { Float($0) } + picture.map { Float($0) / 12 }
        var odds = bias
        inputs.withUnsafeBufferPointer { inputs in
            weights.withUnsafeBufferPointer { weights in
                for unit in outs.indices {
                    var sum = biases[unit]
                    let first = unit * Self.inputCount
                    for index in 0..<Self.inputCount { sum += inputs[index] * weights[first + index] }
                    odds += outs[unit] * tanh(sum)
                }
            }
        }
        return Double(odds)
    }
}
