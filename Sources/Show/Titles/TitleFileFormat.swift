import Basics

/// The formats of files with titles, by the ends of their names.
public enum TitleFileFormat: String, Hashable, Sendable, CaseIterable {
    case csv
    case srt
    case vtt
    case txt

    /// Finds the format of a file by its name.
    /// - Throws: ``ExplainedError``.
    public init(fileName: String) throws(ExplainedError) {
        let end = fileName.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
        guard let format = TitleFileFormat(rawValue: end.lowercased()) else {
            throw ExplainedError(
                "“\(fileName.prefix(40))” is no format for titles; the formats are csv, srt, vtt, txt "
                    + "and xml, and to write also pdf.")
        }
        self = format
    }
}
