/// The formats of files with titles, by the ends of their names.
public enum TitleFileFormat: String, Hashable, Sendable, CaseIterable {
    case csv
    case srt
    case vtt
    case txt

    /// Finds the format of a file by its name.
    /// - Throws: ``TitleFileFault/unknownFormat(_:)``.
    public init(fileName: String) throws(TitleFileFault) {
        let end = fileName.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
        guard let format = TitleFileFormat(rawValue: end.lowercased()) else {
            throw .unknownFormat(fileName)
        }
        self = format
    }
}
