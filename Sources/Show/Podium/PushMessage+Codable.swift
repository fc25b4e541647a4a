import Concert

/// A decoded message is checked by the same rules as a new one.
extension PushMessage: Codable {
    private enum CodingKeys: CodingKey { case title, body, style, buttonText }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let spelling = try fields.decode(String.self, forKey: .style)
        guard let style = PushStyle(spelling: spelling) else {
            throw DecodingError.dataCorruptedError(
                forKey: .style, in: fields, debugDescription: "“\(spelling)” is neither BUTTON nor AUTO")
        }
        try self.init(
            title: fields.decode(String.self, forKey: .title),
            body: fields.decode(String.self, forKey: .body),
            style: style, buttonText: fields.decode(String.self, forKey: .buttonText))
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(title, forKey: .title)
        try fields.encode(body, forKey: .body)
        try fields.encode(style.spelling, forKey: .style)
        try fields.encode(buttonText, forKey: .buttonText)
    }
}
