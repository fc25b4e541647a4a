/// Writes the log files of one show, one after another, and keeps lines in memory while the disk refuses them.
///
/// Each call writes at once. Refused lines wait in memory, up to ``unwrittenLinesMemoryBytes``, and are written by the
/// next call that succeeds. If they exceed that limit, the oldest lines are dropped and one line of kind
/// ``LogLine/Kind/gap`` replaces them.
struct ShowLogFileSequence {
    /// Lines that are written together.
    struct LineBlock: Equatable {
        var firstSequenceNumber: UInt64
        var lineCount: Int
        var bytes: [UInt8]
        /// The time since the show began. If the block is dropped, the gap line has this time.
        var milliseconds: Int64
    }

    private struct Gap {
        var firstLostSequenceNumber: UInt64
        var lostLineCount: Int
        var milliseconds: Int64
    }

    let folder: String
    let unwrittenLinesMemoryBytes: Int
    private var header: LogHeader
    private let openFile: AppendOnlyFileOpener

    private var file: (any AppendOnlyFile)?
    /// Files that ``endCurrentFile()`` ended and that may not be flushed to the disk yet.
    private var endedFiles: [any AppendOnlyFile] = []
    /// True if a file was made and its name in the folder may not be on the disk yet.
    private var needsFolderSync = false
    /// The number of bytes in the current file, counting only complete lines.
    private(set) var fileBytes = 0
    /// True if the current file ends with an incomplete write that could not be removed.
    private var endsInIncompleteWrite = false
    private var waitingBlocks: [LineBlock] = []
    private var waitingBytes = 0
    private var gap: Gap?
    private(set) var lostLineCount = 0
    /// The number of bytes that this process has written to all files.
    private(set) var writtenBytes = 0
    /// True if lines were lost and the caller has not written a snapshot since.
    var needsSnapshotAfterGap = false

    /// - Parameter header: the header of the first file that will be made.
    init(folder: String, header: LogHeader, memoryBytes: Int, open: @escaping AppendOnlyFileOpener) {
        self.folder = folder
        self.header = header
        self.unwrittenLinesMemoryBytes = memoryBytes
        self.openFile = open
    }

    var waitingLineCount: Int { waitingBlocks.reduce(0) { $0 + $1.lineCount } }
    var currentFilePath: String { folder + "/" + ShowLogFileNames.name(ofFile: header.file) }

    /// The files that must be flushed so that all lines written until now are on the disk. Each file is returned only
    /// once.
    mutating func filesToSync() -> (files: [any AppendOnlyFile], isFolderNew: Bool) {
        defer {
            endedFiles = []
            needsFolderSync = false
        }
        return (endedFiles + [file].compactMap(\.self), needsFolderSync)
    }

    mutating func append(_ block: LineBlock) -> ShowLogFault? {
        waitingBlocks.append(block)
        waitingBytes += block.bytes.count
        let fault = writeWaitingBlocks()
        if fault != nil { dropOldestBlocks() }
        return fault
    }

    /// Ends the current file, so that the next line is written to a new file.
    ///
    /// Does nothing while lines wait in memory, because a new file would be refused as well.
    mutating func endCurrentFile() {
        guard waitingBlocks.isEmpty, gap == nil, let file else { return }
        endedFiles.append(file)
        self.file = nil
        fileBytes = 0
        header.file += 1
    }

    /// Tries again to write the lines that wait in memory.
    /// - Returns: the fault if that failed.
    mutating func writeWaitingBlocks() -> ShowLogFault? {
        guard !waitingBlocks.isEmpty || gap != nil else { return nil }
        if let fault = openNextFile() { return fault }
        if endsInIncompleteWrite {
            guard file!.cut(toBytes: fileBytes) else { return self.makeFault("mend", errno: 5) }
            endsInIncompleteWrite = false
        }
        if fileBytes == 0, let fault = write(header.jsonBytes + [0x0A]) { return fault }
        if let gap {
            if let fault = write(Self.encodeGapLine(for: gap)) { return fault }
            self.gap = nil
        }
        var written = 0
        defer { waitingBlocks.removeFirst(written) }
        while written < waitingBlocks.count {
            if let fault = write(waitingBlocks[written].bytes) { return fault }
            waitingBytes -= waitingBlocks[written].bytes.count
            written += 1
        }
        return nil
    }

    private mutating func openNextFile() -> ShowLogFault? {
        guard file == nil else { return nil }
        do throws(OpeningFailure) {
            let opened = try openFile(currentFilePath)
            header.first =
                gap?.firstLostSequenceNumber ?? waitingBlocks.first?.firstSequenceNumber ?? header.first
            file = opened
            needsFolderSync = true
            fileBytes = 0
            endsInIncompleteWrite = false
            return nil
        } catch {
            // A file of this number exists already: try the next number.
            guard error.errno == Self.fileExistsErrno else { return makeFault("make", errno: error.errno) }
            header.file += 1
            return openNextFile()
        }
    }

    private mutating func write(_ bytes: [UInt8]) -> ShowLogFault? {
        switch file!.append(bytes) {
        case .written:
            fileBytes += bytes.count
            writtenBytes += bytes.count
            return nil
        case .incomplete(let count, let errno):
            endsInIncompleteWrite = count > 0 && !file!.cut(toBytes: fileBytes)
            return makeFault("write", errno: errno)
        }
    }

    private mutating func dropOldestBlocks() {
        while waitingBytes > unwrittenLinesMemoryBytes, waitingBlocks.count > 1 {
            let block = waitingBlocks.removeFirst()
            waitingBytes -= block.bytes.count
            lostLineCount += block.lineCount
            needsSnapshotAfterGap = true
            let first = gap?.firstLostSequenceNumber ?? block.firstSequenceNumber
            gap = Gap(
                firstLostSequenceNumber: first,
                lostLineCount: Int(block.firstSequenceNumber - first) + block.lineCount,
                milliseconds: block.milliseconds)
        }
    }

    private func makeFault(_ action: String, errno: Int32) -> ShowLogFault {
        .makeWriteFault(
            action, path: currentFilePath, errno: errno, waiting: waitingLineCount, lost: lostLineCount)
    }

    private static func encodeGapLine(for gap: Gap) -> [UInt8] {
        LogLine(
            sequence: gap.firstLostSequenceNumber, milliseconds: gap.milliseconds, kind: .gap,
            payload: Array("\(gap.lostLineCount)".utf8)
        ).bytes + [0x0A]
    }

    private static let fileExistsErrno: Int32 = 17
}
