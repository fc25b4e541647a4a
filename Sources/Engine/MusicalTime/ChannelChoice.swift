/// The channel of a recording or a device that the follower listens to.
public enum ChannelChoice: Hashable, Sendable {
    /// The mean of all channels.
    case mix
    /// One channel, counted from 1 as on the connectors.
    case channel(Int)
}

/// The text form is `mix` or the channel's number.
extension ChannelChoice: LosslessStringConvertible {
    /// Reads a choice from its text form.
    /// - Returns: nil unless the text is `mix` or a whole number from 1.
    public init?(_ text: String) {
        if text == "mix" {
            self = .mix
        } else if let number = Int(text), number >= 1 {
            self = .channel(number)
        } else {
            return nil
        }
    }

    public var description: String {
        switch self {
        case .mix: "mix"
        case .channel(let number): "\(number)"
        }
    }
}

extension ChannelChoice: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let choice = ChannelChoice(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "“\(text)” is neither “mix” nor a channel's number from 1")
        }
        self = choice
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
