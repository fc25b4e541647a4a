import Features

/// The frames of a recording as models hold and store them: half a byte a value, an eighth of
/// ``ReferenceFeatureFrames``.
///
/// A half byte q stands for the value (q / 15)². Squares are used because small values are frequent and matter as much
/// as large ones. The largest error is 0.066, near 1. docs/model-format.md says what that costs the follower.
public struct PackedFrames: Sendable, Hashable {
    public let dimensions: Int
    public let frameCount: Int
    /// The power of each frame as the upper half of a `Float`, little endian. Then the values, dimension after dimension,
    /// two frames a byte, the earlier one in the lower half: equal values in a row can be compressed well.
    public let bytes: [UInt8]

    private static let values: [Float] = (0...15).map { Float($0 * $0) / (15 * 15) }

    /// The bytes of a file's content, as ``init(version:dimensions:frameCount:content:)`` takes it.
    public static func contentBytes(version: Int, dimensions: Int, frameCount: Int) -> Int {
        version == 1
            ? 4 * frameCount + dimensions * frameCount : 2 * frameCount + dimensions * ((frameCount + 1) / 2)
    }

    /// The mean square of the samples of each frame, full scale 1.
    public var powerByFrame: [Float] {
        (0..<frameCount).map {
            Float(bitPattern: UInt32(bytes[2 * $0]) << 16 | UInt32(bytes[2 * $0 + 1]) << 24)
        }
    }

    /// Writes the values of one frame.
    /// - Parameter values: receives `dimensions` values.
    /// - Complexity: O(dimensions).
    func copyFrame(_ frame: Int, into values: UnsafeMutablePointer<Float>) {
        precondition(frame >= 0 && frame < frameCount, "frame \(frame) of \(frameCount)")
        bytes.withUnsafeBufferPointer { bytes in
            Self.values.withUnsafeBufferPointer { steps in
                let shift = UInt8(4 * (frame % 2))
                var place = 2 * frameCount + frame / 2
                for value in 0..<dimensions {
                    values[value] = steps[Int(bytes[place] &>> shift & 15)]
                    place += (frameCount + 1) / 2
                }
            }
        }
    }

    /// The same frames, four bytes a value.
    public var unpacked: ReferenceFeatureFrames {
        let values = [Float](unsafeUninitializedCapacity: frameCount * dimensions) { values, filled in
            for frame in 0..<frameCount {
                copyFrame(frame, into: values.baseAddress! + frame * dimensions)
            }
            filled = frameCount * dimensions
        }
        return ReferenceFeatureFrames(
            featureValues: values, dimensions: dimensions, powerByFrame: powerByFrame)
    }

    /// Lays out the frames as a follower uses them.
    /// - Precondition: the frames hold ``FeatureKind/bands``.
    /// - Complexity: O(values), and ``FrameRefinement`` for each frame. Needs no memory but the tiles'.
    public func tiles(of kind: FeatureKind) -> CompactTiles {
        let parameters = FeatureParameters()
        precondition(
            kind == .bands || dimensions == parameters.dimensions,
            "\(dimensions) values are no frame of bands")
        let refinement = kind == .refined ? FrameRefinement(parameters: parameters) : nil
        let bands = zeroedFloats(dimensions)
        defer { bands.deallocate() }
        return CompactTiles(
            frameCount: frameCount,
            dimensions: kind == .chroma ? kind.dimensions(parameters) : dimensions
        ) { frame, values in
            if kind == .chroma {
                copyFrame(frame, into: bands)
                parameters.foldChroma(bands, into: values)
            } else {
                copyFrame(frame, into: values)
                refinement?.refine(values)
            }
        }
    }
}

extension PackedFrames {
    /// Takes the content of a file of frames: everything between its header and its digest, which is inflated in
    /// version 2 (docs/model-format.md).
    /// - Returns: nil if it has another length than it must have, or if a power is not a number.
    /// - Complexity: O(values).
    public init?(version: Int, dimensions: Int, frameCount: Int, content: UnsafeRawBufferPointer) {
        let length = Self.contentBytes(version: version, dimensions: dimensions, frameCount: frameCount)
        guard content.count == length else { return nil }
        if version == 2 {
            self.init(dimensions: dimensions, frameCount: frameCount, bytes: Array(content))
        } else {
            // A byte b stands for the value (b / 255)², and 255 is 15 × 17.
            self.init(
                dimensions: dimensions, frameCount: frameCount,
                power: { content.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) },
                step: { UInt8((Int(content[4 * frameCount + $0]) + 8) / 17) })
        }
        guard powerByFrame.allSatisfy({ $0.isFinite && $0 >= 0 }) else { return nil }
    }

    /// - Parameters:
    ///   - power: the bits of a frame's power.
    ///   - step: the half byte of a value, of which there are `dimensions` for each frame, frame after frame.
    fileprivate init(dimensions: Int, frameCount: Int, power: (Int) -> UInt32, step: (Int) -> UInt8) {
        let length = Self.contentBytes(version: 2, dimensions: dimensions, frameCount: frameCount)
        var bytes = [UInt8](repeating: 0, count: length)
        bytes.withUnsafeMutableBufferPointer { bytes in
            for frame in 0..<frameCount {
                let upper = power(frame) >> 16
                bytes[2 * frame] = UInt8(truncatingIfNeeded: upper)
                bytes[2 * frame + 1] = UInt8(upper >> 8)
                let shift = UInt8(4 * (frame % 2))
                var place = 2 * frameCount + frame / 2
                for value in 0..<dimensions {
                    bytes[place] |= step(frame * dimensions + value) &<< shift
                    place += (frameCount + 1) / 2
                }
            }
        }
        self.init(dimensions: dimensions, frameCount: frameCount, bytes: bytes)
    }
}

extension ReferenceFeatureFrames {
    /// The same frames, half a byte a value: the one whose root is closest. Values outside 0…1 are clamped; NaN counts as
    /// 0.
    /// - Complexity: O(values).
    public var packed: PackedFrames {
        PackedFrames(
            dimensions: dimensions, frameCount: frameCount, power: { powerByFrame[$0].bitPattern },
            step: {
                let value = featureValues[$0]
                return value > 0 ? UInt8((min(value, 1).squareRoot() * 15).rounded()) : 0
            })
    }
}
