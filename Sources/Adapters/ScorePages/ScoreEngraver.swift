import ChildProcesses
import Foundation

/// Engraves MusicXML with Verovio, in a process of its own.
public struct ScoreEngraver: Sendable {
    /// The limits of one engraving. For comparison: twelve parts and 156 measures take 3 seconds, with a PDF 15.
    static let bounds = LimitedProcess.Bounds(
        cpuSeconds: 120, wallSeconds: 180, memoryBytes: 4_000_000_000, fileBytes: 200_000_000, niceness: 10)
    public static let maximumBytes = 9_000_000

    public var tools: PageTools

    public init(tools: PageTools = .find()) { self.tools = tools }

    /// Engraves a full score or one part of it.
    /// - Parameters:
    ///   - musicXML: plain or compressed (.mxl); up to 9 MB.
    ///   - part: a name from ``EngravedScore/parts``; nil for the full score.
    ///   - withPDF: also make a PDF, which takes five times as long.
    /// - Throws: ``ScorePagesError``.
    public func engrave(
        musicXML: [UInt8], part: String? = nil, withPDF: Bool = false
    ) async throws(ScorePagesError) -> EngravedScore {
        guard musicXML.count <= Self.maximumBytes else {
            throw .tooLarge(path: "The score", bytes: musicXML.count, limit: Self.maximumBytes)
        }
        guard let engraver = tools.engraver else { throw .engraverMissing }
        guard let python = tools.python else {
            throw .verovioMissing(environment: tools.pythonEnvironment.path)
        }
        let scratch = try ScratchFolder()
        let zipped = musicXML.starts(with: [0x50, 0x4B])
        let score = scratch.file(zipped ? "score.mxl" : "score.musicxml")
        do { try Data(musicXML).write(to: score) } catch {
            throw .cannotWrite(path: score.path, reason: error.localizedDescription)
        }
        let pages = scratch.file("pages")
        let program = LimitedProcess(
            executable: python,
            arguments: ["-I", "-B", engraver.path, score.path, pages.path]
                + (part.map { ["--part", $0] } ?? []) + (withPDF ? ["--pdf"] : []),
            bounds: Self.bounds)
        let errors = scratch.file("errors.txt")
        switch await program.run(in: scratch.url, output: scratch.file("output.txt"), errors: errors) {
        case .finished(status: 0): break
        case .finished(status: 1):
            let line = ChildProcess.lastLine(of: errors)
            throw .notMusicXML(reason: line.isEmpty ? "Verovio cannot read it" : line)
        case .finished(status: 3): throw .verovioMissing(environment: tools.pythonEnvironment.path)
        case .finished(status: 4):
            let known = ChildProcess.text(of: errors).split(whereSeparator: \.isNewline).map(String.init)
            throw .unknownPart(name: part ?? "", known: known)
        case .finished(status: 5): throw .engravingFailed(reason: ChildProcess.lastLine(of: errors))
        case .finished(let status):
            throw .engravingFailed(reason: "Tools/engrave.py ended with status \(status)")
        case .killed: throw .engravingFailed(reason: "it takes more time or memory than a score may")
        case .timedOut: throw .engravingTooLong(seconds: Self.bounds.wallSeconds)
        case .notStarted(let reason): throw .engravingFailed(reason: reason)
        }
        return try Self.read(pages)
    }

    /// Writes engraved pages as one PDF of vector graphics.
    /// - Throws: ``ScorePagesError``; after an error, no new file is at `path`.
    public func writePDF(of pages: [EngravedPage], to path: String) async throws(ScorePagesError) {
        guard let engraver = tools.engraver else { throw .engraverMissing }
        guard let python = tools.python else {
            throw .verovioMissing(environment: tools.pythonEnvironment.path)
        }
        let scratch = try ScratchFolder()
        for (number, page) in pages.enumerated() {
            let digits = String(number + 1)
            let name = "page-" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits + ".svg"
            let file = scratch.file(page.isCompressed ? name + ".gz" : name)
            do { try Data(page.svg).write(to: file) } catch {
                throw .cannotWrite(path: file.path, reason: error.localizedDescription)
            }
        }
        let program = LimitedProcess(
            executable: python, arguments: ["-I", "-B", engraver.path, "--print", scratch.url.path],
            bounds: Self.bounds)
        let errors = scratch.file("errors.txt")
        switch await program.run(in: scratch.url, output: scratch.file("output.txt"), errors: errors) {
        case .finished(status: 0): break
        case .finished(status: 3): throw .verovioMissing(environment: tools.pythonEnvironment.path)
        case .finished(_): throw .engravingFailed(reason: ChildProcess.lastLine(of: errors))
        case .killed: throw .engravingFailed(reason: "it takes more time or memory than a score may")
        case .timedOut: throw .engravingTooLong(seconds: Self.bounds.wallSeconds)
        case .notStarted(let reason): throw .engravingFailed(reason: reason)
        }
        // The scratch folder may be on another disk.
        do {
            try Data(contentsOf: scratch.file("score.pdf")).write(
                to: URL(fileURLWithPath: path), options: .atomic)
        } catch { throw .cannotWrite(path: path, reason: error.localizedDescription) }
    }

    /// Reads the folder that Tools/engrave.py or Tools/engrave-concert wrote, with pages as .svg or .svg.gz.
    public static func read(_ folder: URL) throws(ScorePagesError) -> EngravedScore {
        let file = folder.appendingPathComponent("layout.json")
        let found: EngravedLayout
        do {
            let handle = try FileHandle(forReadingFrom: file)
            let json = try handle.read(upToCount: EngravedLayout.maximumBytes) ?? Data()
            found = try JSONDecoder().decode(EngravedLayout.self, from: json)
        } catch { throw .engravingFailed(reason: "\(file.path) is no layout of pages") }
        if let fault = found.firstInconsistency { throw .engravingFailed(reason: fault) }
        var pages: [EngravedPage] = []
        for (number, paper) in found.pages.enumerated() {
            let digits = String(number + 1)
            let name = "page-" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits + ".svg"
            let page = folder.appendingPathComponent(name)
            if let svg = try? Data(contentsOf: page) {
                pages.append(EngravedPage(paper: paper, svg: [UInt8](svg)))
            } else if let svg = try? Data(contentsOf: page.appendingPathExtension("gz")) {
                pages.append(EngravedPage(paper: paper, svg: [UInt8](svg), isCompressed: true))
            } else {
                throw .engravingFailed(reason: "\(page.path) is missing")
            }
        }
        let pdf = try? Data(contentsOf: folder.appendingPathComponent("score.pdf"))
        return EngravedScore(
            title: found.title, composer: found.composer, parts: found.parts,
            layout: PageLayout(part: found.part, pages: found.pages, measures: found.measures), pages: pages,
            printedNumbers: found.printed, playedOrder: found.playedOrder,
            rests: found.rests.map { $0[0]...$0[1] },
            pdf: pdf.map { [UInt8]($0) })
    }
}
