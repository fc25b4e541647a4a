/// The channel of a recording or a device that the follower listens to.
public enum AudioChannelChoice: Hashable, Sendable {
    /// The mean of all channels.
    case meanOfAllChannels
    /// One channel, counted from 1 as on the connectors.
    case singleChannel(Int)
}

/// The text form is `mix` or the channel's number.
extension AudioChannelChoice: LosslessStringConvertible {
    /// Reads a choice from its text form.
    /// - Returns: nil unless the text is `mix` or a whole number from 1.
    public init?(_ text: String) {
        if text == "mix" {
            self = .meanOfAllChannels
        } else if let number = Int(text), number >= 1 {
            self = .singleChannel(number)
        } else {
            return nil
        }
    }

    public var description: String {
        switch self {
        case .meanOfAllChannels: "mix"
        case .singleChannel(let number): "\(number)"
        }
    }
}

#if !hasFeature(Embedded)
    extension AudioChannelChoice: Codable {
        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let choice = AudioChannelChoice(text) else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "“\(text)” is neither “mix” nor a channel's number from 1")
            }
            self = choice
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(description)
        }
    }
#endif
