import Platform

/// Splits a file into parts for the broker, whose messages are short, and joins them again.
///
/// Each part begins with one line `DIGEST NUMBER COUNT`, followed by its bytes. Parts of two versions of a file are
/// therefore never mixed, in whatever order they arrive, and the joined file is complete or nil.
struct RelayFileParts: Equatable, Sendable {
    /// The limit for one file, in bytes; larger files are not published.
    static let maximumFileBytes = 8 << 20
    /// Bytes of the file in one part. With its first line a part stays below the 64 KiB that the broker's client
    /// accepts.
    static let fileBytesPerPart = 49_152

    let digest: String
    let partCount: Int
    private var receivedParts: [Int: ArraySlice<UInt8>] = [:]

    /// Prepares to receive the parts of one file.
    /// - Parameter digest: the SHA-256 digest of the wanted file, in hexadecimal.
    init(digest: String, partCount: Int) {
        self.digest = digest
        self.partCount = partCount
    }

    static func partCount(of byteCount: Int) -> Int {
        max(1, (byteCount + fileBytesPerPart - 1) / fileBytesPerPart)
    }

    static func splitIntoParts(_ bytes: [UInt8], digest: String) -> [[UInt8]] {
        let count = partCount(of: bytes.count)
        return (0..<count).map { number in
            let part = bytes[number * fileBytesPerPart..<min((number + 1) * fileBytesPerPart, bytes.count)]
            return Array("\(digest) \(number) \(count)\n".utf8) + part
        }
    }

    /// Adds a received part; ignores parts of other versions and invalid payloads.
    /// - Returns: true if the part was still missing.
    mutating func addReceivedPart(_ payload: [UInt8]) -> Bool {
        guard let end = payload.prefix(100).firstIndex(of: UInt8(ascii: "\n")) else { return false }
        let words = String(decoding: payload[..<end], as: UTF8.self).split(separator: " ")
        guard words.count == 3, words[0] == digest, let number = Int(words[1]), Int(words[2]) == partCount,
            (0..<partCount).contains(number), receivedParts[number] == nil
        else { return false }
        receivedParts[number] = payload[(end + 1)...]
        return true
    }

    /// The complete file; nil while parts are missing, or if its bytes do not match the digest.
    var joinedFile: [UInt8]? {
        guard receivedParts.count == partCount else { return nil }
        let bytes = (0..<partCount).flatMap { receivedParts[$0] ?? [] }
        return Digest(of: bytes).description == digest ? bytes : nil
    }
}
