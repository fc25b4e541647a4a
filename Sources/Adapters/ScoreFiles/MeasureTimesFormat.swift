/// The file formats measure times come in.
public enum MeasureTimesFormat: String, CaseIterable, Sendable {
    /// Columns `measure,time`, or named by a header.
    case csv
    /// The content server's XML with a `NumSeconds` track.
    case content
    /// An Audacity label track: start, end and text, separated by tabs.
    case audacity
    /// A Sonic Visualiser annotation layer: `time,label`.
    case sonicVisualiser = "sonic-visualiser"
    /// Beat annotations as the ASAP data set has them: time, time, and `db`, `b` or `bR`.
    case beats
    /// Beat annotations as the Harmonix set has them: time, beat in the bar, bar.
    case harmonix

    /// What a person would call a file of this format.
    public var description: String {
        switch self {
        case .csv: "a measure,time table"
        case .content: "content XML"
        case .audacity: "Audacity labels"
        case .sonicVisualiser: "a Sonic Visualiser time,label layer"
        case .beats: "beat annotations with db and b"
        case .harmonix: "Harmonix beats (time, beat, bar)"
        }
    }
}

/// Which format a file is read as.
public enum MeasureTimesFormatChoice: Equatable, Sendable {
    /// What the content looks like; a file that could be two things is refused with the choice.
    case automatic
    case always(MeasureTimesFormat)

    /// - Parameter name: `automatic` or a format's raw value; nil for any other.
    public init?(name: String) {
        if name == "automatic" {
            self = .automatic
        } else if let format = MeasureTimesFormat(rawValue: name) {
            self = .always(format)
        } else {
            return nil
        }
    }

    /// Every name ``init(name:)`` knows.
    public static let names = ["automatic"] + MeasureTimesFormat.allCases.map(\.rawValue)
}
