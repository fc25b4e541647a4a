@testable import Alignment

/// Both layouts of reference frames, which must compute the same similarities.
protocol FrameTiles {
    static var tileWidth: Int { get }
    func similarities(
        of live: UnsafePointer<Float>, in range: Range<Int>, into output: UnsafeMutablePointer<Float>)
}

extension CompactTiles: FrameTiles {
    static var tileWidth: Int { width }
}

extension TiledReferenceFrames: FrameTiles {
    static var tileWidth: Int { framesPerTile }
}

extension FrameTiles {
    /// The similarities of a live frame to all frames of some tiles.
    func similarities(_ live: [Float], in range: Range<Int>) -> [Float] {
        var output = [Float](repeating: .nan, count: range.count * Self.tileWidth)
        output.withUnsafeMutableBufferPointer { output in
            live.withUnsafeBufferPointer {
                similarities(of: $0.baseAddress!, in: range, into: output.baseAddress!)
            }
        }
        return output
    }
}

/// The dot product of a live frame with one of the frames, in double precision.
func slowSimilarity(_ frames: [Float], _ frame: Int, _ live: [Float]) -> Double {
    live.indices.reduce(0) { $0 + Double(frames[frame * live.count + $1]) * Double(live[$1]) }
}
