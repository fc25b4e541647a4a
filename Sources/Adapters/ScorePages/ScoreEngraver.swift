import Foundation
import Platform

/// Engraves MusicXML with Verovio, in a process of its own.
public struct ScoreEngraver: Sendable {
    /// The limits of one engraving. For comparison: twelve parts and 156 measures take 3 seconds, with a PDF 15.
    static let processBounds = LimitedProcess.ResourceLimits(
        cpuSeconds: 120, wallSeconds: 180, memoryBytes: 4_000_000_000, largestFileBytes: 200_000_000,
        niceness: 10)
    public static let maximumMusicXMLBytes = 9_000_000

    public var tools: ExternalPageTools

    public init(tools: ExternalPageTools = .findTools()) { self.tools = tools }

    /// Engraves a full score or one part of it.
    /// - Parameters:
    ///   - musicXML: plain or compressed (.mxl); up to 9 MB.
    ///   - part: a name from ``EngravedScore/partNames``; nil for the full score.
    ///   - transposition: the interval by which all notes and keys are written higher; nil for none.
    ///   - withPDF: also make a PDF, which takes five times as long.
    /// - Throws: ``ScorePagesError``.
    public func engrave(
        musicXML: [UInt8], part: String? = nil, transposition: WrittenInterval? = nil, withPDF: Bool = false
    ) async throws(ScorePagesError) -> EngravedScore {
        let scratch = try ScratchFolder()
        let pages = scratch.fileURL("pages")
        try await run(
            musicXML, part: part, transposition: transposition, into: pages, scratch,
            options: withPDF ? ["--pdf"] : [])
        return try Self.readEngravedFolder(pages)
    }

    /// Engraves a part once more in another key, with the same measures on the same systems and pages.
    /// - Parameters:
    ///   - transposition: the interval by which the part was written higher than in the file before; nil for none.
    ///   - interval: by how much the new pages are written higher than the old ones.
    ///   - pages: the old pages. If today's engraver would engrave others, an error says so.
    /// - Throws: ``ScorePagesError``.
    /// - Complexity: as ``engrave(musicXML:part:transposition:withPDF:)``, and once more for the second engraving.
    public func engrave(
        musicXML: [UInt8], part: String?, transposition: WrittenInterval?, written interval: WrittenInterval,
        like pages: [EngravedPage]
    ) async throws(ScorePagesError) -> RewrittenPart {
        let scratch = try ScratchFolder()
        let old = scratch.fileURL("old")
        do { try FileManager.default.createDirectory(at: old, withIntermediateDirectories: true) } catch {
            throw .cannotWrite(path: old.path, reason: error.localizedDescription)
        }
        try Self.write(pages, into: old)
        let new = scratch.fileURL("pages")
        try await run(
            musicXML, part: part, transposition: transposition, into: new, scratch,
            options: ["--written", interval.description, "--like", old.path])
        let engraved = try Self.readEngravedFolder(new)
        guard let maps = engraved.pageMaps, maps.count == pages.count, engraved.pages.count == pages.count
        else { throw .engravingFailed(reason: "the new pages do not belong to the old ones") }
        return RewrittenPart(pages: engraved.pages, maps: maps)
    }

    private func run(
        _ musicXML: [UInt8], part: String?, transposition: WrittenInterval?, into pages: URL,
        _ scratch: borrowing ScratchFolder, options: [String]
    ) async throws(ScorePagesError) {
        guard musicXML.count <= Self.maximumMusicXMLBytes else {
            throw .fileTooLarge(path: "The score", bytes: musicXML.count, limit: Self.maximumMusicXMLBytes)
        }
        guard let engraver = tools.engraverScript else { throw .engraverScriptMissing }
        guard let python = tools.pythonInterpreter else {
            throw .verovioMissing(environment: tools.verovioPythonEnvironment.path)
        }
        let zipped = musicXML.starts(with: [0x50, 0x4B])
        let score = scratch.fileURL(zipped ? "score.mxl" : "score.musicxml")
        do { try Data(musicXML).write(to: score) } catch {
            throw .cannotWrite(path: score.path, reason: error.localizedDescription)
        }
        let program = LimitedProcess(
            executable: python,
            arguments: ["-I", "-B", engraver.path, score.path, pages.path]
                + (part.map { ["--part", $0] } ?? [])
                + (transposition.map { ["--transpose", $0.description] } ?? []) + options,
            resourceLimits: Self.processBounds)
        let errors = scratch.fileURL("errors.txt")
        switch await program.run(in: scratch.url, output: scratch.fileURL("output.txt"), errors: errors) {
        case .finished(status: 0): break
        case .finished(status: 1):
            let line = ChildProcess.lastLine(of: errors)
            throw .notMusicXML(reason: line.isEmpty ? "Verovio cannot read it" : line)
        case .finished(status: 3): throw .verovioMissing(environment: tools.verovioPythonEnvironment.path)
        case .finished(status: 4):
            let known = ChildProcess.outputText(of: errors).split(whereSeparator: \.isNewline).map(
                String.init)
            throw .unknownPart(name: part ?? "", known: known)
        case .finished(status: 5): throw .engravingFailed(reason: ChildProcess.lastLine(of: errors))
        case .finished(let status):
            throw .engravingFailed(reason: "Sources/Python/engrave.py ended with status \(status)")
        case .killed: throw .engravingFailed(reason: "it takes more time or memory than a score may")
        case .timedOut: throw .engravingTooLong(seconds: Self.processBounds.wallSeconds)
        case .notStarted(let reason): throw .engravingFailed(reason: reason)
        }
    }

    /// Writes engraved pages as one PDF of vector graphics.
    /// - Throws: ``ScorePagesError``; after an error, no new file is at `path`.
    public func writePDF(of pages: [EngravedPage], to path: String) async throws(ScorePagesError) {
        guard let engraver = tools.engraverScript else { throw .engraverScriptMissing }
        guard let python = tools.pythonInterpreter else {
            throw .verovioMissing(environment: tools.verovioPythonEnvironment.path)
        }
        let scratch = try ScratchFolder()
        try Self.write(pages, into: scratch.url)
        let program = LimitedProcess(
            executable: python, arguments: ["-I", "-B", engraver.path, "--print", scratch.url.path],
            resourceLimits: Self.processBounds)
        let errors = scratch.fileURL("errors.txt")
        switch await program.run(in: scratch.url, output: scratch.fileURL("output.txt"), errors: errors) {
        case .finished(status: 0): break
        case .finished(status: 3): throw .verovioMissing(environment: tools.verovioPythonEnvironment.path)
        case .finished(_): throw .engravingFailed(reason: ChildProcess.lastLine(of: errors))
        case .killed: throw .engravingFailed(reason: "it takes more time or memory than a score may")
        case .timedOut: throw .engravingTooLong(seconds: Self.processBounds.wallSeconds)
        case .notStarted(let reason): throw .engravingFailed(reason: reason)
        }
        // The scratch folder may be on another disk.
        do {
            try Data(contentsOf: scratch.fileURL("score.pdf")).write(
                to: URL(fileURLWithPath: path), options: .atomic)
        } catch { throw .cannotWrite(path: path, reason: error.localizedDescription) }
    }

    /// Writes pages as page-001.svg or page-001.svg.gz.
    private static func write(_ pages: [EngravedPage], into folder: URL) throws(ScorePagesError) {
        for (number, page) in pages.enumerated() {
            let digits = String(number + 1)
            let name = "page-" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits + ".svg"
            let file = folder.appendingPathComponent(page.isCompressed ? name + ".gz" : name)
            do { try Data(page.svg).write(to: file) } catch {
                throw .cannotWrite(path: file.path, reason: error.localizedDescription)
            }
        }
    }

    /// Reads the folder that Sources/Python/engrave.py or Tools/engrave-concert wrote, with pages as .svg or .svg.gz.
    public static func readEngravedFolder(_ folder: URL) throws(ScorePagesError) -> EngravedScore {
        let file = folder.appendingPathComponent("layout.json")
        let found: EngravedLayout
        do {
            let handle = try FileHandle(forReadingFrom: file)
            let json = try handle.read(upToCount: EngravedLayout.maximumBytes) ?? Data()
            found = try JSONDecoder().decode(EngravedLayout.self, from: json)
        } catch { throw .engravingFailed(reason: "\(file.path) is no layout of pages") }
        if let fault = found.firstInconsistency { throw .engravingFailed(reason: fault) }
        var pages: [EngravedPage] = []
        for (number, paper) in found.pageSizes.enumerated() {
            let digits = String(number + 1)
            let name = "page-" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits + ".svg"
            let page = folder.appendingPathComponent(name)
            if let svg = try? Data(contentsOf: page) {
                pages.append(EngravedPage(paperSize: paper, svg: [UInt8](svg)))
            } else if let svg = try? Data(contentsOf: page.appendingPathExtension("gz")) {
                pages.append(EngravedPage(paperSize: paper, svg: [UInt8](svg), isCompressed: true))
            } else {
                throw .engravingFailed(reason: "\(page.path) is missing")
            }
        }
        let pdf = try? Data(contentsOf: folder.appendingPathComponent("score.pdf"))
        return EngravedScore(
            title: found.title, composer: found.composer, partNames: found.parts,
            pageLayout: PageLayout(part: found.part, pageSizes: found.pageSizes, measures: found.measures),
            pages: pages,
            printedMeasureNumbers: found.printed, playedOrder: found.playedOrder,
            silentMeasureRanges: found.rests.map { $0[0]...$0[1] }, rehearsalMarks: found.marks ?? [],
            pageMaps: found.maps, pdf: pdf.map { [UInt8]($0) })
    }
}
