/// Reads the lines of all files of a show in order.
///
/// Checks each line's checksum and number, the header of each file, and that no file is missing. Bytes without a line
/// break at the end of a file are skipped: the server ended in the middle of that line. Memory for one line.
public struct ShowLogReader {
    /// The reaction to a damaged line.
    public enum DamageHandling: Sendable {
        case refuse
        /// Continue with the next line; the damage is recorded in ``ShowLogReader/damage``.
        case passOver
    }

    public let folder: String
    /// The header of the file being read.
    public private(set) var header: LogHeader?
    /// The damage that was skipped.
    public private(set) var damage: [ShowLogFault] = []
    /// Path and number of the line last read, for error messages about it.
    public private(set) var place = (path: "", line: 0)
    /// True for the first line of every file except the first.
    public private(set) var beginsFile = false

    private let whenDamaged: DamageHandling
    private var numbers: [Int]
    private var lastFileNumber: Int
    private var file: LogFileReader?
    private var expected: UInt64?
    private var skipsThrough: UInt64 = 0

    /// - Throws: ``ShowLogFault`` if the folder cannot be read.
    public init(show folder: String, whenDamaged: DamageHandling = .refuse) throws(ShowLogFault) {
        self.folder = folder
        self.whenDamaged = whenDamaged
        numbers = try ShowLogFileNames.numbers(in: folder)
        lastFileNumber = 0
    }

    /// Starts after a numbered line; files before it are not read.
    public init(
        show folder: String, after sequence: UInt64, whenDamaged: DamageHandling = .refuse
    ) throws(ShowLogFault) {
        try self.init(show: folder, whenDamaged: whenDamaged)
        skipsThrough = sequence
        while numbers.count > 1, let next = try? Self.header(of: numbers[1], in: folder),
            next.first <= sequence + 1
        {
            lastFileNumber = numbers.removeFirst()
        }
    }

    /// The next line; nil at the end of the last file.
    public mutating func next() throws(ShowLogFault) -> LogLine? {
        while let bytes = try nextBytes() {
            if skipsThrough > 0, let opening = LogLine.opening(of: bytes), opening.sequence <= skipsThrough {
                expected = opening.kind == .gap ? nil : opening.sequence + 1
                continue
            }
            guard let line = LogLine(bytes: bytes) else {
                expected = nil
                try found("the line does not agree with its check: it was changed or damaged")
                continue
            }
            if let expected, line.sequence != expected {
                try found(
                    line.sequence > expected
                        ? "lines \(expected) to \(line.sequence - 1) of the show are missing before it"
                        : "the line has the number \(line.sequence) a second time")
            }
            // A later line with a smaller number is damaged, and not one to skip.
            skipsThrough = 0
            // A gap line has the number of the first lost line, and says how many were lost.
            expected = line.sequence + (line.kind == .gap ? line.lostLines : 1)
            return line
        }
        return nil
    }

    static func header(of number: Int, in folder: String) throws(ShowLogFault) -> LogHeader? {
        let path = folder + "/" + ShowLogFileNames.name(ofFile: number)
        var file = try LogFileReader(path: path)
        guard let first = try file.next() else { return nil }
        return try LogHeader.read(first, path: path)
    }

    private mutating func nextBytes() throws(ShowLogFault) -> [UInt8]? {
        beginsFile = false
        while true {
            if file == nil, try !openNext() { return nil }
            if let bytes = try file?.next() {
                place = (file!.path, file!.line)
                beginsFile = place.line == 2
                return bytes
            }
            file = nil
        }
    }

    /// - Returns: false if there is no further file.
    private mutating func openNext() throws(ShowLogFault) -> Bool {
        guard !numbers.isEmpty else { return false }
        let number = numbers.removeFirst()
        let path = folder + "/" + ShowLogFileNames.name(ofFile: number)
        if lastFileNumber > 0 || skipsThrough == 0, number != lastFileNumber + 1 {
            let missing = folder + "/" + ShowLogFileNames.name(ofFile: lastFileNumber + 1)
            expected = nil
            try note(.fileMissing(path: missing))
        }
        lastFileNumber = number
        var opened = try LogFileReader(path: path)
        // A file without a complete first line was interrupted at its very beginning.
        guard let first = try opened.next() else { return true }
        do throws(ShowLogFault) {
            header = try LogHeader.read(first, path: path)
        } catch {
            try note(error)
            expected = nil
            return true
        }
        file = opened
        return true
    }

    private mutating func found(_ what: String) throws(ShowLogFault) {
        try note(.damaged(path: place.path, line: place.line, what: what))
    }

    private mutating func note(_ fault: ShowLogFault) throws(ShowLogFault) {
        guard whenDamaged == .passOver else { throw fault }
        if damage.count < Self.mostDamage { damage.append(fault) }
    }

    private static let mostDamage = 1_000
}

extension LogLine {
    /// Number of lines that a gap stands for; 0 for other lines.
    public var lostLines: UInt64 {
        kind == .gap ? UInt64(String(decoding: payload, as: UTF8.self)) ?? 0 : 0
    }
}
