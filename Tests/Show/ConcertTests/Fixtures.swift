import Concert
import Score

let donJuan = "Strauss, Don Juan: Don Juan"

func place(_ measure: Int, in piece: String = donJuan) throws -> LivePosition {
    try LivePosition(piece: PieceName(piece), measure: measure)
}

func packet(_ measure: Int, count: UInt64, in piece: String = donJuan) throws -> MeasurePacket {
    MeasurePacket(position: try place(measure, in: piece), packetCount: count)
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
