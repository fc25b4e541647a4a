import Basics
import Score

/// A place in a piece, as people write it.
///
/// `57` is the printed measure 57, at the occurrence nearest to the present position; `57/2` is its second
/// occurrence. `C` is a rehearsal letter or the label of another section, and `s:7` a label that looks like a
/// number. `p:60` is the played measure with index 60, counted from 0.
public enum MeasureReference: Hashable, Sendable {
    /// A printed measure; `time` is its occurrence, counted from 1, or nil for the nearest.
    case printedMeasure(Int, time: Int?)
    case section(String)
    case playedMeasure(Int)

    public static let maximumBytes = 200
}

extension MeasureReference: LosslessStringConvertible, Codable {
    /// Parses a place as people write it.
    /// - Returns: nil if the text is empty, or too long for a label.
    public init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.maximumBytes else { return nil }
        if text.utf8.starts(with: "p:".utf8), let played = Self.parseNumber(text.dropFirst(2)), played >= 0 {
            self = .playedMeasure(played)
        } else if text.utf8.starts(with: "s:".utf8), text.utf8.count > 2 {
            self = .section(String(text.dropFirst(2)))
        } else if let printed = Self.parsePrintedMeasure(text) {
            self = printed
        } else {
            self = .section(text)
        }
    }

    private static func parsePrintedMeasure(_ text: String) -> MeasureReference? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let measure = parseNumber(parts[0]) else { return nil }
        guard parts.count == 2 else { return .printedMeasure(measure, time: nil) }
        guard let time = parseNumber(parts[1]), time >= 1 else { return nil }
        return .printedMeasure(measure, time: time)
    }

    private static func parseNumber(_ text: Substring) -> Int? {
        text.utf8.first == UInt8(ascii: "+") ? nil : Int(text)
    }

    public var description: String {
        switch self {
        case .printedMeasure(let measure, nil): "\(measure)"
        case .printedMeasure(let measure, let time?): "\(measure)/\(time)"
        case .playedMeasure(let played): "p:\(played)"
        case .section(let label):
            // A label is written without prefix if it reads back as a label.
            MeasureReference(label) == self ? label : "s:\(label)"
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let place = MeasureReference(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is no place")
        }
        self = place
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension MeasureReference {
    /// Returns the played measure that this place means in a piece.
    /// - Parameter near: the present played measure. Of several occurrences the nearest is meant, and the later one
    ///   of two equally near. If this is nil, the first occurrence is meant.
    /// - Throws: ``MeasureReferenceFault`` if the piece has no such place.
    /// - Complexity: O(measures + sections).
    public func resolve(in piece: ShowPiece, near: Int? = nil) throws(MeasureReferenceFault) -> Int {
        let measures = piece.measures
        switch self {
        case .playedMeasure(let played):
            guard measures.marks.indices.contains(played) else {
                throw .noPlayedMeasure(played, count: measures.marks.count)
            }
            return played
        case .printedMeasure(let printed, let time):
            let times = measures.playedIndices(printed: printed)
            guard let first = times.first, let last = times.last else {
                throw .noMeasure(
                    printed, first: measures.marks[0].printed,
                    last: measures.marks[measures.marks.count - 1].printed)
            }
            guard let time else { return Self.nearestMeasure(times, to: near) ?? first }
            guard time <= times.count else {
                throw .notPlayedSoOften(printed, time: time, times: times.count)
            }
            return time == times.count ? last : times[time - 1]
        case .section(let label):
            let exact = piece.sections.filter { $0.label == label }
            let alike =
                exact.isEmpty
                ? piece.sections.filter { $0.label.lowercased() == label.lowercased() } : exact
            guard let start = Self.nearestMeasure(alike.map(\.start), to: near) else {
                throw .noSection(label, labels: piece.sections.map(\.label))
            }
            return start
        }
    }

    private static func nearestMeasure(_ places: [Int], to near: Int?) -> Int? {
        guard let near else { return places.first }
        return places.min { (abs($0 - near), -$0) < (abs($1 - near), -$1) }
    }
}

/// The reasons why a piece does not contain a given place.
public enum MeasureReferenceFault: Explained, Hashable, Sendable {
    case noMeasure(Int, first: Int, last: Int)
    case notPlayedSoOften(Int, time: Int, times: Int)
    case noPlayedMeasure(Int, count: Int)
    case noSection(String, labels: [String])

    public var sentence: String {
        switch self {
        case .noMeasure(let measure, let first, let last):
            "There is no measure \(measure) in this piece; it goes from \(first) to \(last)."
        case .notPlayedSoOften(let measure, let time, let times):
            times == 1
                ? "Measure \(measure) is played once, not \(time) times; write “\(measure)”."
                : "Measure \(measure) is played \(times) times, not \(time); write “\(measure)/\(times)” for the last."
        case .noPlayedMeasure(let played, let count):
            "There is no played measure \(played) in this piece; it goes from p:0 to p:\(count - 1)."
        case .noSection(let label, let labels):
            labels.isEmpty
                ? "“\(label)” is no measure, and this piece has no sections; give a measure's number, or enter "
                    + "letters on /prepare, /library or /edit."
                : "“\(label)” is neither a measure nor a section of this piece; its sections are "
                    + labels.prefix(12).joined(separator: ", ") + "."
        }
    }
}
