import Basics

/// A stretch of sound from a microphone: one channel of 16-bit samples.
struct SoundBlock: Equatable, Sendable {
    /// The number of the block within its session, from 0.
    var sequence: UInt32
    /// The number of samples that the microphone delivered before this block: the clock of the session.
    var firstSample: Int
    var samples: [Int16]

    var endSample: Int { firstSample + samples.count }
}

/// The blocks of one request: `BPB1`, the session's secret, and the blocks one after another. Numbers are
/// little-endian.
///
/// | bytes | content of a block |
/// |---|---|
/// | 4 | its number, from 0 |
/// | 8 | the samples before it |
/// | 2 | the number of its samples |
/// | 2 each | the samples, signed |
struct SoundBatch: Equatable, Sendable {
    var secret: String
    var blocks: [SoundBlock]

    static let mark = Array("BPB1".utf8)
    /// The length of a secret, as `SignInToken` writes it.
    static let secretBytes = 43
    static let blockHeaderBytes = 14
    static let mostBlocks = 64
    /// 100 ms at 192 kHz, with a reserve.
    static let mostSamples = 20_000
    /// A request of eight blocks of the longest kind, or of forty blocks at 48 kHz.
    static let mostBytes = 512 << 10
    /// More than a century at 192 kHz: sums with it cannot overflow.
    static let latestSample: UInt64 = 1 << 52

    enum Fault: Explained, Equatable {
        case notABatch
        case cutOff(block: Int)
        case badBlock(Int)
        case tooMany

        var sentence: String {
            switch self {
            case .notABatch: "The request is not sound: it begins with BPB1 and the secret of the session."
            case .cutOff(let block): "Block \(block + 1) of the request is cut off; send whole blocks."
            case .badBlock(let block):
                "Block \(block + 1) of the request has no samples, more than \(SoundBatch.mostSamples), or an "
                    + "impossible sample count."
            case .tooMany: "A request holds at most \(SoundBatch.mostBlocks) blocks; send the others later."
            }
        }
    }

    init(_ bytes: [UInt8]) throws(Fault) {
        let head = Self.mark.count + Self.secretBytes
        guard bytes.count >= head, bytes.starts(with: Self.mark) else { throw .notABatch }
        secret = String(decoding: bytes[Self.mark.count..<head], as: UTF8.self)
        blocks = []
        var place = head
        func number<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
            (0..<Number.bitWidth / 8).reduce(0) { $0 | Number(bytes[place + offset + $1]) << (8 * $1) }
        }
        while place < bytes.count {
            guard blocks.count < Self.mostBlocks else { throw .tooMany }
            guard bytes.count - place >= Self.blockHeaderBytes else { throw .cutOff(block: blocks.count) }
            let (sequence, first) = (number(0, UInt32.self), number(4, UInt64.self))
            let count = Int(number(12, UInt16.self))
            guard (1...Self.mostSamples).contains(count), first <= Self.latestSample else {
                throw .badBlock(blocks.count)
            }
            place += Self.blockHeaderBytes
            guard bytes.count - place >= 2 * count else { throw .cutOff(block: blocks.count) }
            let start = place
            let samples = [Int16](unsafeUninitializedCapacity: count) { buffer, filled in
                for index in 0..<count {
                    let low = UInt16(bytes[start + 2 * index])
                    buffer[index] = Int16(bitPattern: low | UInt16(bytes[start + 2 * index + 1]) << 8)
                }
                filled = count
            }
            blocks.append(SoundBlock(sequence: sequence, firstSample: Int(first), samples: samples))
            place += 2 * count
        }
    }
}
