import Platform

/// A line of the show log on its way to the other server: its number in the show, and its bytes without the line break.
public struct BackupLogLine: Equatable, Sendable {
    public var sequence: UInt64
    public var bytes: [UInt8]

    public init(sequence: UInt64, bytes: [UInt8]) {
        self.sequence = sequence
        self.bytes = bytes
    }

    /// A short hash that shows whether two servers have the same line under one number.
    var digest: String { String(Digest(of: bytes).description.prefix(32)) }
}

enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    static func encodeAsText(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: self.encodeAsASCIIBytes(bytes), as: UTF8.self)
    }

    static func encodeAsASCIIBytes(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}
