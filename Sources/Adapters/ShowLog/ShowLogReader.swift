/// Reads the lines of all log files of a show in order.
///
/// It verifies each line's checksum and number and each file's header, and that no file is missing. Bytes after the
/// last line break of a file are skipped, because the server ended in the middle of that line. Only one line is held in
/// memory.
public struct ShowLogReader {
    /// Decides whether the reader stops at a damaged line or skips it.
    public enum DamageHandling: Sendable {
        case throwFault
        /// The reader continues with the next line and records the damage in ``ShowLogReader/damage``.
        case skipAndRecord
    }

    public let folder: String
    /// The header of the log file that is being read.
    public private(set) var header: LogHeader?
    /// The damaged or missing lines and files that were skipped.
    public private(set) var damage: [ShowLogFault] = []
    /// The file path and line number of the line read last, for error messages.
    public private(set) var lastLineLocation = (path: "", line: 0)
    /// True if the line read last is the first one after its file's header.
    public private(set) var isFirstLineOfFile = false

    private let damageHandling: DamageHandling
    private var remainingFileNumbers: [Int]
    private var lastFileNumber: Int
    private var file: LogFileReader?
    private var expected: UInt64?
    private var lastSequenceNumberToSkip: UInt64 = 0

    /// - Throws: ``ShowLogFault`` if the show's folder cannot be read.
    public init(show folder: String, whenDamaged: DamageHandling = .throwFault) throws(ShowLogFault) {
        self.folder = folder
        self.damageHandling = whenDamaged
        remainingFileNumbers = try ShowLogFileNames.fileNumbers(in: folder)
        lastFileNumber = 0
    }

    /// Starts after the line with the given number. Files that contain only earlier lines are not read.
    public init(
        show folder: String, after sequence: UInt64, whenDamaged: DamageHandling = .throwFault
    ) throws(ShowLogFault) {
        try self.init(show: folder, whenDamaged: whenDamaged)
        lastSequenceNumberToSkip = sequence
        while remainingFileNumbers.count > 1,
            let next = try? Self.readHeader(of: remainingFileNumbers[1], in: folder),
            next.first <= sequence + 1
        {
            lastFileNumber = remainingFileNumbers.removeFirst()
        }
    }

    /// Reads the next line; nil at the end of the last file.
    public mutating func next() throws(ShowLogFault) -> LogLine? {
        while let bytes = try readNextLineBytes() {
            if lastSequenceNumberToSkip > 0, let opening = LogLine.parsePrefix(of: bytes),
                opening.sequenceNumber <= lastSequenceNumberToSkip
            {
                expected = opening.kind == .gap ? nil : opening.sequenceNumber + 1
                continue
            }
            guard let line = LogLine(bytes: bytes) else {
                expected = nil
                try recordDamagedLine("the line does not agree with its check: it was changed or damaged")
                continue
            }
            if let expected, line.sequenceNumber != expected {
                try recordDamagedLine(
                    line.sequenceNumber > expected
                        ? "lines \(expected) to \(line.sequenceNumber - 1) of the show are missing before it"
                        : "the line has the number \(line.sequenceNumber) a second time")
            }
            // Only the lines before the start position are skipped: a later line with a smaller number counts as
            // damaged.
            lastSequenceNumberToSkip = 0
            // A gap line has the number of the first lost line, and says how many were lost.
            expected = line.sequenceNumber + (line.kind == .gap ? line.lostLineCount : 1)
            return line
        }
        return nil
    }

    static func readHeader(of number: Int, in folder: String) throws(ShowLogFault) -> LogHeader? {
        let path = folder + "/" + ShowLogFileNames.name(ofFile: number)
        var file = try LogFileReader(path: path)
        guard let first = try file.next() else { return nil }
        return try LogHeader.parse(first, path: path)
    }

    private mutating func readNextLineBytes() throws(ShowLogFault) -> [UInt8]? {
        isFirstLineOfFile = false
        while true {
            if file == nil, try !openNextFile() { return nil }
            if let bytes = try file?.next() {
                lastLineLocation = (file!.path, file!.lineNumber)
                isFirstLineOfFile = lastLineLocation.line == 2
                return bytes
            }
            file = nil
        }
    }

    /// Opens the next log file.
    /// - Returns: false if there is no further file.
    private mutating func openNextFile() throws(ShowLogFault) -> Bool {
        guard !remainingFileNumbers.isEmpty else { return false }
        let number = remainingFileNumbers.removeFirst()
        let path = folder + "/" + ShowLogFileNames.name(ofFile: number)
        if lastFileNumber > 0 || lastSequenceNumberToSkip == 0, number != lastFileNumber + 1 {
            let missing = folder + "/" + ShowLogFileNames.name(ofFile: lastFileNumber + 1)
            expected = nil
            try recordDamage(.fileMissing(path: missing))
        }
        lastFileNumber = number
        var opened = try LogFileReader(path: path)
        // If the first line is incomplete, the server ended while it began this file.
        guard let first = try opened.next() else { return true }
        do throws(ShowLogFault) {
            header = try LogHeader.parse(first, path: path)
        } catch {
            try recordDamage(error)
            expected = nil
            return true
        }
        file = opened
        return true
    }

    private mutating func recordDamagedLine(_ what: String) throws(ShowLogFault) {
        try recordDamage(.damaged(path: lastLineLocation.path, line: lastLineLocation.line, what: what))
    }

    private mutating func recordDamage(_ fault: ShowLogFault) throws(ShowLogFault) {
        guard damageHandling == .skipAndRecord else { throw fault }
        if damage.count < Self.mostRecordedFaults { damage.append(fault) }
    }

    private static let mostRecordedFaults = 1_000
}

extension LogLine {
    /// The number of lost lines that a gap line reports; 0 for lines of any other kind.
    public var lostLineCount: UInt64 {
        kind == .gap ? UInt64(String(decoding: payload, as: UTF8.self)) ?? 0 : 0
    }
}
