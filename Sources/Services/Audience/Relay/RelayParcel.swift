import Digests

/// A file on its way over a broker, whose messages are short: cut into parts, and put together again.
///
/// Each part says which file it is of: one line `DIGEST NUMBER COUNT`, then its bytes. So parts of two versions of a
/// file are never mixed, whatever order they come in, and what is put together is the file or nothing.
struct RelayParcel: Equatable, Sendable {
    /// Of one file; what is larger is not carried.
    static let mostBytes = 8 << 20
    /// With the line before it a part stays below 64 KiB, which the broker's client takes.
    static let partBytes = 49_152

    let digest: String
    let partCount: Int
    private var parts: [Int: ArraySlice<UInt8>] = [:]

    /// - Parameter digest: of the file that is wanted.
    init(digest: String, partCount: Int) {
        self.digest = digest
        self.partCount = partCount
    }

    static func partCount(of byteCount: Int) -> Int { max(1, (byteCount + partBytes - 1) / partBytes) }

    static func cut(_ bytes: [UInt8], digest: String) -> [[UInt8]] {
        let count = partCount(of: bytes.count)
        return (0..<count).map { number in
            let part = bytes[number * partBytes..<min((number + 1) * partBytes, bytes.count)]
            return Array("\(digest) \(number) \(count)\n".utf8) + part
        }
    }

    /// Takes a part; one of another version, or none at all, changes nothing.
    /// - Returns: whether it is one that was missing.
    mutating func take(_ payload: [UInt8]) -> Bool {
        guard let end = payload.prefix(100).firstIndex(of: UInt8(ascii: "\n")) else { return false }
        let words = String(decoding: payload[..<end], as: UTF8.self).split(separator: " ")
        guard words.count == 3, words[0] == digest, let number = Int(words[1]), Int(words[2]) == partCount,
            (0..<partCount).contains(number), parts[number] == nil
        else { return false }
        parts[number] = payload[(end + 1)...]
        return true
    }

    /// The file; nil while parts are missing, or where the bytes are not those that were sent.
    var whole: [UInt8]? {
        guard parts.count == partCount else { return nil }
        let bytes = (0..<partCount).flatMap { parts[$0] ?? [] }
        return Digest(of: bytes).description == digest ? bytes : nil
    }
}
