extension PushMessage {
    static let prefix = Array("PUSH|".utf8)

    /// Reads a message packet.
    /// - Throws: ``PacketFault`` for any bytes that ``bytes`` would not have written.
    public init(bytes: [UInt8]) throws(PacketFault) {
        guard bytes.count <= BroadcastPacket.longestBytes else { throw .tooLong(bytes: bytes.count) }
        guard bytes.starts(with: Self.prefix) else { throw .notAMessage }
        guard bytes.last == PacketTextParsing.verticalBar else { throw .messageUnfinished }
        let fields = bytes[Self.prefix.count...].dropLast()
            .split(separator: PacketTextParsing.verticalBar, omittingEmptySubsequences: false)
        guard fields.count == 4 else { throw .wrongFieldCount(found: fields.count) }
        var texts: [String] = []
        for field in fields {
            guard let text = String(validating: field, as: UTF8.self) else { throw .notUTF8 }
            texts.append(text)
        }
        guard let style = PushStyle(spelling: texts[2]) else { throw .unknownStyle }
        do {
            try self.init(title: texts[0], body: texts[1], style: style, buttonText: texts[3])
        } catch {
            throw .invalidMessage(error)
        }
    }
}
