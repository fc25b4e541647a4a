import Basics

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
        let text = decode(bytes)
        try WrongFileKindCheck.refuseWrongFile(text, path: path)
        let found: MeasureTimesFormat
        switch format {
        case .automatic: found = try FormatSniffer.recognizeFormat(of: text, path: path)
        case .specified(let told): found = told
        }
        // XML says its encoding itself.
        if found == .content {
            return try ContentXMLMeasureTimesReader.measureTimes(in: bytes, path: path, piece: piece)
        }
        var times = try parse(TextLines(text, path: path), as: found)
        if let line = TextLines(text, path: path).first(where: \.hasClockTime) {
            times.readingWarnings.append(
                "Times with colons, such as that in line \(line.lineNumber), were read as hours, minutes and seconds."
            )
        }
        return times
    }

    private static func parse(
        _ lines: TextLines, as format: MeasureTimesFormat
    ) throws(MeasureTimesError) -> MeasureTimes {
        switch format {
        case .csv, .content: return try CSVMeasureTimesReader.measureTimes(in: lines)
        case .audacity: return try AudacityLabelReader.measureTimes(in: lines)
        case .sonicVisualiser, .beatNumbers:
            return try SonicVisualiserLayerReader.measureTimes(in: lines, as: format)
        case .beats: return try BeatAnnotationReader.measureTimes(in: lines)
        case .harmonix: return try HarmonixBeatReader.measureTimes(in: lines)
        }
    }

    /// Converts text in UTF-16 to UTF-8; other bytes are returned unchanged.
    private static func decode(_ bytes: [UInt8]) -> [UInt8] {
        guard
            bytes.prefix(4).contains(0) || bytes.starts(with: [0xFF, 0xFE])
                || bytes.starts(with: [0xFE, 0xFF]),
            let decoded = DecodedText(bytes), !decoded.isGuess
        else { return bytes }
        return Array(decoded.text.utf8)
    }
}
