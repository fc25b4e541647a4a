import Basics

extension PushMessage {
    static let prefix = Array("PUSH|".utf8)

    /// Reads a message packet.
    /// - Throws: ``ExplainedError`` for any bytes that ``bytes`` would not have written.
    public init(bytes: [UInt8]) throws(ExplainedError) {
        guard bytes.count <= BroadcastPacket.longestBytes else {
            throw ExplainedError(
                "The packet has \(bytes.count) bytes; at most \(BroadcastPacket.longestBytes) are allowed.")
        }
        guard bytes.starts(with: Self.prefix) else {
            throw ExplainedError("The packet does not start with 'PUSH|'.")
        }
        guard bytes.last == PacketTextParsing.verticalBar else {
            throw ExplainedError("The message packet does not end with '|'.")
        }
        let fields = bytes[Self.prefix.count...].dropLast()
            .split(separator: PacketTextParsing.verticalBar, omittingEmptySubsequences: false)
        guard fields.count == 4 else {
            throw ExplainedError("The message packet has \(fields.count) fields; there must be 4.")
        }
        var texts: [String] = []
        for field in fields {
            guard let text = String(validating: field, as: UTF8.self) else {
                throw ExplainedError("The packet is not UTF-8 text.")
            }
            texts.append(text)
        }
        guard let style = PushStyle(spelling: texts[2]) else {
            throw ExplainedError("The message's style is neither BUTTON nor AUTO.")
        }
        do {
            try self.init(title: texts[0], body: texts[1], style: style, buttonText: texts[3])
        } catch {
            throw ExplainedError(error.sentence)
        }
    }
}
