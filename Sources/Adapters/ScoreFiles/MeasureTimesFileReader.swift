/// Reads files of measure times in any of the known formats.
public enum MeasureTimesFileReader {
    /// Reads a file.
    /// - Parameters:
    ///   - path: a regular file of at most ``MeasureTimesLimits/fileBytes``.
    ///   - format: the format, or automatic recognition from the content.
    ///   - piece: the name of the piece, if a content XML holds several.
    /// - Throws: ``MeasureTimesError``, whose sentence names path, line and value.
    /// - Complexity: O(bytes).
    public static func read(
        path: String, format: MeasureTimesFormatChoice = .automatic, piece: String? = nil
    ) throws(MeasureTimesError) -> MeasureTimes {
        let bytes = try SizeLimitedFileReader.readBytes(at: path, limitBytes: MeasureTimesLimits.fileBytes)
        return try parse(bytes, path: path, format: format, piece: piece)
    }

    /// Reads the content of a file or of an upload.
    /// - Parameter path: the file's name for error messages.
    public static func parse(
        _ bytes: [UInt8], path: String, format: MeasureTimesFormatChoice = .automatic, piece: String? = nil
    ) throws(MeasureTimesError) -> MeasureTimes {
        guard bytes.count <= MeasureTimesLimits.fileBytes else {
            throw .tooLarge(path: path, limitBytes: MeasureTimesLimits.fileBytes)
        }
        let bytes =
            XMLToUTF8Converter.isUTF16(bytes) && bytes.count > 1
            ? try decodeUTF16XML(bytes, path: path) : bytes
        try WrongFileKindCheck.refuseWrongFile(bytes, path: path)
        let found: MeasureTimesFormat
        switch format {
        case .automatic: found = try FormatSniffer.recognizeFormat(of: bytes, path: path)
        case .specified(let told): found = told
        }
        let lines = TextLines(bytes, path: path)
        switch found {
        case .csv: return try CSVMeasureTimesReader.measureTimes(in: lines)
        case .content:
            return try ContentXMLMeasureTimesReader.measureTimes(in: bytes, path: path, piece: piece)
        case .audacity: return try AudacityLabelReader.measureTimes(in: lines)
        case .sonicVisualiser: return try SonicVisualiserLayerReader.measureTimes(in: lines)
        case .beats: return try BeatAnnotationReader.measureTimes(in: lines)
        case .harmonix: return try HarmonixBeatReader.measureTimes(in: lines)
        }
    }

    /// Converts XML in UTF-16 to UTF-8. Other text in UTF-16 is returned unchanged and refused later.
    private static func decodeUTF16XML(_ bytes: [UInt8], path: String) throws(MeasureTimesError) -> [UInt8] {
        let isXML = bytes.prefix(8).contains(UInt8(ascii: "<"))
        return isXML ? try XMLToUTF8Converter.convertToUTF8(bytes, path: path) : bytes
    }
}
