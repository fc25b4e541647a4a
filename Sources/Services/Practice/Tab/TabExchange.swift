import Basics
import Foundation
import Platform
import ScoreFiles
import TabFiles
import Tablature

/// Reads and writes tabs in all formats.
public struct TabExchange: Sendable {
    /// The largest file in bytes. A file in a ZIP has further limits (``zipLimits``).
    public static let mostBytes = 48_000_000
    static let zipLimits: ZipLimits = {
        var limits = ZipLimits(mostEntries: 2_000, mostFileBytes: 256 << 20, mostBytes: 512 << 20)
        limits.mostPathParts = 8
        return limits
    }()

    let guitarPro = GuitarProReader()

    public init() {}

    /// Reads a file; its ending names the format.
    /// - Throws: ``ExplainedError``.
    public func read(path: String) async throws -> TabReading {
        let name = URL(fileURLWithPath: path).lastPathComponent
        let format = try TabFormat(fileName: path)
        let bytes: [UInt8]
        do {
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? handle.close() }
            bytes = [UInt8](try handle.read(upToCount: Self.mostBytes + 1) ?? Data())
        } catch {
            let isThere = FileManager.default.fileExists(atPath: path)
            throw ExplainedError(
                "\(path) cannot be read: \(isThere ? "it is no plain file, or its permissions forbid it" : "there is no such file")."
            )
        }
        return try await read(bytes, as: format, name: name)
    }

    /// - Parameter name: the file's name, for errors.
    /// - Throws: ``ExplainedError``.
    public func read(_ bytes: [UInt8], as format: TabFormat, name: String) async throws
        -> TabReading
    {
        guard !bytes.isEmpty else { throw ExplainedError("\(name) is empty.") }
        guard bytes.count <= Self.mostBytes else {
            throw ExplainedError("\(name) has more than \(Self.mostBytes / 1_000_000) MB; split the piece.")
        }
        var reading = try await readUnchecked(bytes, as: format, name: name)
        reading.tab = reading.tab.withinLimits()
        do { try TabCheck.check(reading.tab) } catch { throw ExplainedError("\(name): \(error.sentence)") }
        return reading
    }

    private func readUnchecked(
        _ bytes: [UInt8], as format: TabFormat, name: String
    ) async throws -> TabReading {
        let isZip = bytes.starts(with: [0x50, 0x4B, 3, 4]) || bytes.starts(with: [0x50, 0x4B, 5, 6])
        switch format {
        case .json: return TabReading(tab: try TabJSON.read(bytes, name: name))
        case .propertyList: return TabReading(tab: try TabPropertyList.read(bytes, name: name))
        case .ascii: return try ASCIITabReader.read(bytes, name: name)
        case .midi: return try MIDITabReader.read(bytes, name: name)
        case .musicXML, .compressedMusicXML:
            guard isZip else { return try MusicXMLReader.read(bytes, name: name) }
            return try MusicXMLReader.read(try musicXML(inZip: bytes, name), name: name)
        case .guitarPro5, .guitarPro6, .guitarPro7:
            // The content decides: people rename files.
            if isZip {
                return try GPIFReader.read(try file("Content/score.gpif", inZip: bytes, name), name: name)
            }
            if bytes.starts(with: "BCF".utf8) {
                return try GPIFReader.read(try GPXContainer.scoreFile(bytes, name: name), name: name)
            }
            if format == .guitarPro7 || format == .guitarPro6, !Self.looksLikeGuitarPro5(bytes) {
                throw ExplainedError("\(name) is no Guitar Pro file; save it again in Guitar Pro.")
            }
            return try await guitarPro.read(bytes, name: name)
        }
    }

    /// Old files begin with the length of a text such as “FICHIER GUITAR PRO v5.10”.
    private static func looksLikeGuitarPro5(_ bytes: [UInt8]) -> Bool {
        bytes.dropFirst().starts(with: "FICHIER GUITAR".utf8)
    }

    // MARK: ZIP

    private func file(_ wanted: String, inZip bytes: [UInt8], _ name: String) throws -> [UInt8] {
        try withZip(bytes, name) { (zip) throws in try Self.entry(wanted, of: zip, name) }
    }

    private func musicXML(inZip bytes: [UInt8], _ name: String) throws -> [UInt8] {
        try withZip(bytes, name) { (zip) throws in
            var path = zip.entries.first {
                !$0.name.hasPrefix("META-INF/")
                    && ($0.name.hasSuffix(".xml") || $0.name.hasSuffix(".musicxml"))
            }?.name
            if zip.entries.contains(where: { $0.name == "META-INF/container.xml" }) {
                let container = try Self.entry("META-INF/container.xml", of: zip, name)
                let named = try MusicXMLContainer.scorePaths(container, name: name)
                path = Self.firstEntry(of: named, in: zip) ?? path ?? named.first
            }
            guard let path else { throw ExplainedError("\(name) holds no score; export it again.") }
            return try Self.entry(path, of: zip, name)
        }
    }

    /// The first of the paths that the ZIP has; some programs write them with a slash before them or other letters.
    private static func firstEntry(of paths: [String], in zip: ZipReader) -> String? {
        func plain(_ path: String) -> String {
            (path.hasPrefix("./") ? path.dropFirst(2) : path.drop { $0 == "/" }).lowercased()
        }
        for path in paths {
            let exact = zip.entries.first { $0.name == path }
            if let found = exact ?? zip.entries.first(where: { plain($0.name) == plain(path) }) {
                return found.name
            }
        }
        return nil
    }

    private static func entry(_ path: String, of zip: ZipReader, _ name: String) throws
        -> [UInt8]
    {
        guard let entry = zip.entries.first(where: { $0.name == path }) else {
            throw ExplainedError(
                "\(name) holds no \(path.prefix(200)); save it again in the program that made it.")
        }
        guard entry.unpackedByteCount <= mostBytes else {
            throw ExplainedError(
                "\(name) holds \(entry.unpackedByteCount >> 20) MB of score; at most \(mostBytes >> 20) are read."
            )
        }
        do { return try zip.readFile(entry) } catch { throw Self.error(error, name) }
    }

    private func withZip(
        _ bytes: [UInt8], _ name: String, _ body: (ZipReader) throws -> [UInt8]
    ) throws -> [UInt8] {
        let scratch = try ScratchFolder(prefix: "baton-tab") { path, reason in
            ExplainedError("\(path) cannot be made: \(reason).")
        }
        let copy = scratch.fileURL("tab.zip")
        do { try Data(bytes).write(to: copy) } catch {
            throw ExplainedError("\(copy.path) cannot be written: \(error.localizedDescription).")
        }
        let zip: ZipReader
        do { zip = try ZipReader(path: copy.path, limits: Self.zipLimits) } catch {
            throw Self.error(error, name)
        }
        return try body(zip)
    }

    private static func error(_ error: ZipError, _ name: String) -> ExplainedError {
        let what: String =
            switch error {
            case .unreadable(let reason), .notWritten(let reason): reason
            case .notZip: "its ZIP is cut off"
            case .broken(let what), .unsupported(let what): "its ZIP is damaged or unusual: \(what)"
            case .encrypted: "it is locked with a password"
            case .tooManyEntries(let count, let limit):
                "it holds \(count) files, and at most \(limit) are read"
            case .fileTooLarge(_, let bytes, let limit), .totalTooLarge(let bytes, let limit):
                "it unpacks to \(bytes >> 20) MB, and at most \(limit >> 20) are read"
            case .refusedPath(let path, let why): "“\(path)” in it \(why)"
            case .diskFull: "the disk is full"
            }
        return ExplainedError("\(name) cannot be read: \(what). Save it again in the program that made it.")
    }
}

/// A tab in another format, and the parts that the format cannot represent.
public struct WrittenTab: Sendable {
    public var bytes: [UInt8]
    public var remarks: [String]
}

extension TabExchange {
    /// - Throws: ``ExplainedError`` for formats that are only read.
    public func write(_ tab: Tab, as format: TabFormat) throws -> WrittenTab {
        switch format {
        case .json: return WrittenTab(bytes: try TabJSON.write(tab), remarks: [])
        case .propertyList: return WrittenTab(bytes: try TabPropertyList.write(tab), remarks: [])
        case .ascii:
            let (text, remarks) = ASCIITabWriter.write(tab)
            return WrittenTab(bytes: Array(text.utf8), remarks: remarks)
        case .musicXML:
            let (text, remarks) = MusicXMLWriter.write(tab)
            return WrittenTab(bytes: Array(text.utf8), remarks: remarks)
        case .compressedMusicXML:
            let (text, remarks) = MusicXMLWriter.write(tab)
            return WrittenTab(bytes: try Self.compress(Array(text.utf8)), remarks: remarks)
        case .midi:
            let (bytes, remarks) = MIDITabWriter.write(tab)
            return WrittenTab(bytes: bytes, remarks: remarks)
        case .guitarPro5, .guitarPro6, .guitarPro7:
            throw ExplainedError("Guitar Pro files are only read; write .musicxml, which Guitar Pro opens.")
        }
    }

    private static func compress(_ score: [UInt8]) throws -> [UInt8] {
        let scratch = try ScratchFolder(prefix: "baton-tab") { path, reason in
            ExplainedError("\(path) cannot be made: \(reason).")
        }
        let path = scratch.fileURL("score.mxl").path
        do {
            let zip = try ZipWriter(path: path)
            try zip.addFile(
                "META-INF/container.xml", Array(MusicXMLContainer.text(scorePath: "score.musicxml").utf8),
                packs: true)
            try zip.addFile("score.musicxml", score, packs: true)
            try zip.finish()
        } catch { throw Self.error(error, "The file") }
        do { return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) } catch {
            throw ExplainedError("\(path) cannot be read: \(error.localizedDescription).")
        }
    }
}
