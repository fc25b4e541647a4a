/// The file formats of measure times.
public enum MeasureTimesFormat: String, CaseIterable, Sendable {
    /// Columns `measure,time`, or named by a header.
    case csv
    /// The content server's XML with a `NumSeconds` track.
    case content
    /// An Audacity label track: start, end and text, separated by tabs.
    case audacity
    /// A Sonic Visualiser annotation layer: `time,label`.
    case sonicVisualiser = "sonic-visualiser"
    /// Beat annotations of the ASAP data set: time, time, and `db`, `b` or `bR`.
    case beats
    /// Beat annotations of the Harmonix set: time, beat in the bar, bar.
    case harmonix
    /// Beats with their numbers in the bar, as beat trackers write them: time, beat.
    case beatNumbers = "beat-numbers"

    /// The name of the format for error messages.
    public var description: String {
        switch self {
        case .csv: "a measure,time table"
        case .content: "content XML"
        case .audacity: "Audacity labels"
        case .sonicVisualiser: "a Sonic Visualiser time,label layer"
        case .beats: "beat annotations with db and b"
        case .harmonix: "Harmonix beats (time, beat, bar)"
        case .beatNumbers: "beats that are numbered in each bar"
        }
    }
}

/// The format in which to read a file.
public enum MeasureTimesFormatChoice: Equatable, Sendable {
    /// Recognises the format from the content. A file that fits two formats is refused, and the error asks for the
    /// format.
    case automatic
    case specified(MeasureTimesFormat)

    /// - Parameter name: `automatic` or a format's raw value; any other name gives nil.
    public init?(name: String) {
        if name == "automatic" {
            self = .automatic
        } else if let format = MeasureTimesFormat(rawValue: name) {
            self = .specified(format)
        } else {
            return nil
        }
    }

    /// All names that ``init(name:)`` accepts.
    public static let acceptedNames = ["automatic"] + MeasureTimesFormat.allCases.map(\.rawValue)
}
