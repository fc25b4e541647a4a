/// The bar line at which a bar begins, in the main recording of a piece that is being prepared. A repeated bar has one
/// for each time that it is played.
public struct DraftBar: Hashable, Sendable, Codable {
    /// The origin of a bar's time.
    public enum Origin: String, Sendable, Codable {
        /// A person tapped it while listening.
        case tap
        /// It lies between two taps and was found by the sound.
        case between
        /// It was found by aligning the recording with the score.
        case score
        /// A person moved or inserted it.
        case person
        /// It was read from a file of measure times.
        case imported
    }

    /// Identifies the bar, also after its time or number has changed: 1…64 letters, digits, dashes and underscores.
    public var id: String
    /// The time in the main recording, in seconds, in whole tenths of a millisecond.
    public var seconds: Double
    /// The number printed in the score.
    public var printed: Int
    /// The doubt about the time, from 0 (none) to 1.
    public var doubt: Double
    /// The reasons for the doubt, a few words each.
    public var reasons: [String]
    public var origin: Origin
    /// True if a person has listened and agreed.
    public var isChecked: Bool

    private enum CodingKeys: String, CodingKey {
        case id, seconds, printed, doubt, reasons, origin
        case isChecked = "checked"
    }

    public init(
        id: String, seconds: Double, printed: Int, doubt: Double = 0, reasons: [String] = [],
        origin: Origin = .person, isChecked: Bool = false
    ) {
        self.id = id
        self.seconds = seconds
        self.printed = printed
        self.doubt = doubt
        self.reasons = reasons
        self.origin = origin
        self.isChecked = isChecked
    }

    /// Reads a bar; what is missing besides id, time and number gets its ordinary value.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try fields.decode(String.self, forKey: .id),
            seconds: try fields.decode(Double.self, forKey: .seconds),
            printed: try fields.decode(Int.self, forKey: .printed),
            doubt: try fields.decodeIfPresent(Double.self, forKey: .doubt) ?? 0,
            reasons: try fields.decodeIfPresent([String].self, forKey: .reasons) ?? [],
            origin: try fields.decodeIfPresent(Origin.self, forKey: .origin) ?? .person,
            isChecked: try fields.decodeIfPresent(Bool.self, forKey: .isChecked) ?? false)
    }

    /// True if a person should check the bar by ear.
    public var isDoubtful: Bool { doubt >= DraftLimits.doubtfulFrom && !isChecked }
}

/// A mark at a bar: a section or rehearsal letter, or the start or end of a repeat.
public struct DraftMark: Hashable, Sendable, Codable {
    public enum Kind: String, Sendable, Codable { case section, rehearsal, repeatStart, repeatEnd }

    public var id: String
    /// The id of the bar at which the mark stands.
    public var bar: String
    public var kind: Kind
    public var text: String

    public init(id: String, bar: String, kind: Kind, text: String) {
        self.id = id
        self.bar = bar
        self.kind = kind
        self.text = text
    }
}

/// Limits of a piece that is being prepared.
public enum DraftLimits {
    public static let mostBars = 10_000
    public static let mostMarks = 2_000
    /// The most edits of one request.
    public static let mostEdits = 20_000
    /// The latest time of a bar, in seconds: that of the longest recording.
    public static let latestSeconds = 120.0 * 60
    /// The printed numbers that a bar may have.
    public static let printedNumbers = -999...99_999
    public static let longestName = 200
    public static let longestText = 200
    public static let mostReasons = 8
    /// A bar with at least this doubt is one to check by ear.
    public static let doubtfulFrom = 0.5

    /// True if a text can identify a bar, mark, recording or piece.
    public static func isValidID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
    }

    /// Rounds a time to whole tenths of a millisecond, the precision of files of measure times. Sums of rounded times,
    /// rounded again, are exact, so that moving there and back changes nothing.
    public static func rounded(_ seconds: Double) -> Double { (seconds * 10_000).rounded() / 10_000 }
}
