/// A day of the Gregorian calendar, without a time zone: the day that the concert's place had.
public struct CalendarDate: Hashable, Comparable, Sendable {
    public let year: Int
    public let month: Int
    public let day: Int

    /// Makes a date; nil if there is no such day. Years are 1 to 9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.lengthOfMonth(month, of: year)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Parses `2026-11-23`; nil for anything else.
    public init?(_ text: String) {
        let parts = Self.numbers(text)
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else {
            return nil
        }
        self.init(year: year, month: month, day: day)
    }

    /// Parses `2026-11-23`, or the first day of `2026-11` or `2026`.
    public init?(startOf text: String) {
        let parts = Self.numbers(text)
        guard (1...3).contains(parts.count), let year = parts[0] else { return nil }
        let month = parts.count > 1 ? parts[1] : 1
        let day = parts.count > 2 ? parts[2] : 1
        guard let month, let day else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Parses `2026-11-23`, or the last day of `2026-11` or `2026`.
    public init?(endOf text: String) {
        let parts = Self.numbers(text)
        guard (1...3).contains(parts.count), let year = parts[0] else { return nil }
        let month = parts.count > 1 ? parts[1] : 12
        guard let month, (1...12).contains(month) else { return nil }
        let day = parts.count > 2 ? parts[2] : Self.lengthOfMonth(month, of: year)
        guard let day else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The date as a number that sorts like the date: 20261123.
    public var number: Int { year * 10_000 + month * 100 + day }

    /// Days since 1970-01-01; negative before it.
    public var daysSince1970: Int {
        // Years that begin in March, so that the leap day is the last; 400 of them have 146,097 days.
        let years = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return years * 365 + years / 4 - years / 100 + years / 400 + dayOfYear - 719_468
    }

    /// The next day; nil after the last one of the year 9999.
    public var next: Self? {
        Self(year: year, month: month, day: day + 1)
            ?? (month < 12
                ? Self(year: year, month: month + 1, day: 1) : Self(year: year + 1, month: 1, day: 1))
    }

    /// Makes a date from ``number``.
    public init?(number: Int) {
        self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }

    public static func < (one: Self, other: Self) -> Bool { one.number < other.number }

    private static func numbers(_ text: String) -> [Int?] {
        let lengths = [4, 2, 2]
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count <= 3 else { return [] }
        return zip(parts, lengths).map { part, length in
            part.utf8.count == length && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
    }

    private static func lengthOfMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CalendarDate: CustomStringConvertible {
    /// The date in ISO 8601: `2026-11-23`.
    public var description: String {
        padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
    }
}

extension CalendarDate: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let date = Self(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "“\(text.prefix(40))” is no date; write it as 2026-11-23."))
        }
        self = date
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// A number with zeros before it.
func padded(_ number: Int, _ length: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, length - digits.count)) + digits
}
