/// A time of the day, to the minute, without a time zone: the time on the clock of the concert's place.
public struct TimeOfDay: Hashable, Comparable, Sendable {
    /// Minutes since midnight, 0 to 1439.
    public let minutes: Int

    public init?(hour: Int, minute: Int) {
        guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
        minutes = hour * 60 + minute
    }

    /// Parses `20:15`, `8:15PM` or `8:15 pm`; nil for anything else.
    public init?(_ text: String) {
        var clock = text.lowercased().filter { $0 != " " }
        var afternoon: Bool?
        for (mark, isAfternoon) in [("am", false), ("pm", true)] where clock.hasSuffix(mark) {
            clock.removeLast(2)
            afternoon = isAfternoon
        }
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            var hour = Int(parts[0]), let minute = Int(parts[1])
        else { return nil }
        if let afternoon {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (afternoon ? 12 : 0)
        }
        self.init(hour: hour, minute: minute)
    }

    public var hour: Int { minutes / 60 }
    public var minute: Int { minutes % 60 }

    /// The time as it is printed in the United States: `8:15PM`.
    public var twelveHourText: String {
        "\((hour + 11) % 12 + 1):\(padded(minute, 2))\(hour < 12 ? "AM" : "PM")"
    }

    public static func < (one: Self, other: Self) -> Bool { one.minutes < other.minutes }
}

extension TimeOfDay: CustomStringConvertible {
    /// The time in ISO 8601: `20:15`.
    public var description: String { padded(hour, 2) + ":" + padded(minute, 2) }
}

extension TimeOfDay: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let time = Self(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "“\(text.prefix(40))” is no time; write it as 20:15."))
        }
        self = time
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
