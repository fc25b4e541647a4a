/// The files of one show, one after another; keeps lines in memory while the disk refuses them.
///
/// Each call writes at once. Refused lines wait in memory, up to ``memoryBytes``, and are written by the next call
/// that succeeds. If the memory does not suffice, the oldest lines are dropped and a line of kind
/// ``LogLine/Kind/gap`` replaces them.
struct ShowLogFileSequence {
    /// Lines written together: the number of the first, how many, and their bytes with line breaks.
    struct Block: Equatable {
        var first: UInt64
        var count: Int
        var bytes: [UInt8]
        /// The show time for the gap line, should the block be dropped.
        var milliseconds: Int64
    }

    private struct Gap {
        var first: UInt64
        var count: Int
        var milliseconds: Int64
    }

    let folder: String
    let memoryBytes: Int
    private var header: LogHeader
    private let open: FileOpening

    private var file: (any AppendOnlyFile)?
    /// Files ended by ``rotate()`` that may not be flushed to the disk yet.
    private var ended: [any AppendOnlyFile] = []
    /// True if a file was made and its folder entry may not be on the disk yet.
    private var isFolderNew = false
    /// Bytes of complete lines in the present file.
    private(set) var fileBytes = 0
    /// True if an incomplete write left more than ``fileBytes``, and removing it failed.
    private var endsInIncompleteWrite = false
    private var waiting: [Block] = []
    private var waitingBytes = 0
    private var gap: Gap?
    private(set) var lostLines = 0
    /// Bytes written to all files of this run.
    private(set) var writtenBytes = 0
    /// True from the loss of lines until the caller has written a snapshot.
    var needsSnapshotAfterGap = false

    /// - Parameter header: the header of the first file to be made.
    init(folder: String, header: LogHeader, memoryBytes: Int, open: @escaping FileOpening) {
        self.folder = folder
        self.header = header
        self.memoryBytes = memoryBytes
        self.open = open
    }

    var waitingLines: Int { waiting.reduce(0) { $0 + $1.count } }
    var path: String { folder + "/" + ShowLogFileNames.name(ofFile: header.file) }

    /// The files to flush so that every line written until now is on the disk; each file once.
    mutating func filesToSync() -> (files: [any AppendOnlyFile], isFolderNew: Bool) {
        defer {
            ended = []
            isFolderNew = false
        }
        return (ended + [file].compactMap(\.self), isFolderNew)
    }

    mutating func append(_ block: Block) -> ShowLogFault? {
        waiting.append(block)
        waitingBytes += block.bytes.count
        let fault = drain()
        if fault != nil { giveUpTheOldest() }
        return fault
    }

    /// Ends the present file; the next line makes the next file.
    ///
    /// Does nothing while lines wait in memory, because the next file would be refused as well.
    mutating func rotate() {
        guard waiting.isEmpty, gap == nil, let file else { return }
        ended.append(file)
        self.file = nil
        fileBytes = 0
        header.file += 1
    }

    /// Tries again to write the waiting lines.
    mutating func drain() -> ShowLogFault? {
        guard !waiting.isEmpty || gap != nil else { return nil }
        if let fault = openNext() { return fault }
        if endsInIncompleteWrite {
            guard file!.cut(toBytes: fileBytes) else { return self.fault("mend", errno: 5) }
            endsInIncompleteWrite = false
        }
        if fileBytes == 0, let fault = write(header.bytes + [0x0A]) { return fault }
        if let gap {
            if let fault = write(Self.line(for: gap)) { return fault }
            self.gap = nil
        }
        var written = 0
        defer { waiting.removeFirst(written) }
        while written < waiting.count {
            if let fault = write(waiting[written].bytes) { return fault }
            waitingBytes -= waiting[written].bytes.count
            written += 1
        }
        return nil
    }

    private mutating func openNext() -> ShowLogFault? {
        guard file == nil else { return nil }
        do throws(OpeningFailure) {
            let opened = try open(path)
            header.first = gap?.first ?? waiting.first?.first ?? header.first
            file = opened
            isFolderNew = true
            fileBytes = 0
            endsInIncompleteWrite = false
            return nil
        } catch {
            // A file of this number exists already: try the next number.
            guard error.errno == Self.exists else { return fault("make", errno: error.errno) }
            header.file += 1
            return openNext()
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
            return fault("write", errno: errno)
        }
    }

    private mutating func giveUpTheOldest() {
        while waitingBytes > memoryBytes, waiting.count > 1 {
            let block = waiting.removeFirst()
            waitingBytes -= block.bytes.count
            lostLines += block.count
            needsSnapshotAfterGap = true
            let first = gap?.first ?? block.first
            gap = Gap(
                first: first, count: Int(block.first - first) + block.count, milliseconds: block.milliseconds)
        }
    }

    private func fault(_ action: String, errno: Int32) -> ShowLogFault {
        .writing(action, path: path, errno: errno, waiting: waitingLines, lost: lostLines)
    }

    private static func line(for gap: Gap) -> [UInt8] {
        LogLine(
            sequence: gap.first, milliseconds: gap.milliseconds, kind: .gap,
            payload: Array("\(gap.count)".utf8)
        ).bytes + [0x0A]
    }

    private static let exists: Int32 = 17
}
