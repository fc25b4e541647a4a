import Concert
import Score

/// Numbers that are the same in every run (SplitMix64, S. Vigna, public domain).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

let donJuan = "Strauss, Don Juan: Don Juan"

func place(_ measure: Int, in piece: String = donJuan) throws -> LivePosition {
    try LivePosition(piece: PieceName(piece), measure: measure)
}

func packet(_ measure: Int, count: UInt64, in piece: String = donJuan) throws -> MeasurePacket {
    MeasurePacket(position: try place(measure, in: piece), count: count)
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
