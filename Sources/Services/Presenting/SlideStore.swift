import Basics
import Floor
import Foundation
import Hosting
import ScorePages
import Synchronization

/// The presenters' PDF files and videos in the folder `presenting`, and the images of the pages.
///
/// Only limited processes read the PDFs; of a video only the first bytes are looked at. Files whose document the floor
/// has forgotten are deleted.
actor SlideStore {
    /// The most disk space for all files together, in bytes.
    static let mostBytes = 4_000_000_000
    /// The number of files that are checked at once.
    private static let mostChecks = 2

    nonisolated let folder: URL
    private let limitBytes: Int
    let videoRoom: VideoRoom
    let reserve: DiskReserve
    private let images: PageImageProvider
    private let shown: ShownDocuments
    private var summaries: [FloorDocument.ID: PDFSummary] = [:]
    /// The bytes that were announced of the files that are arriving, by their names in the folder.
    private var arriving: [String: Int] = [:]
    private var runningChecks = 0
    let frameDrawing: VideoFrameDrawing
    /// The frame of a video that was asked for last.
    var lastFrame: Task<VideoFrame?, Never>?
    private var waitingChecks: [CheckedContinuation<Void, Never>] = []

    /// - Parameters:
    ///   - data: the server's data folder.
    ///   - limitBytes: the size of the largest PDF.
    ///   - shown: the documents whose files are kept for the event's PDF.
    init(
        data: String, limitBytes: Int, videoRoom: VideoRoom = VideoRoom(),
        frames: VideoFrameDrawing = VideoFrameDrawing(), shown: ShownDocuments
    ) {
        (self.shown, self.videoRoom, frameDrawing) = (shown, videoRoom, frames)
        folder = URL(fileURLWithPath: data).appendingPathComponent("presenting")
        self.limitBytes = limitBytes
        let reserve = DiskReserve(folder: data)
        self.reserve = reserve
        images = PageImageProvider(
            cacheFolder: folder.path + "/images", places: 1, hasRoom: { reserve.refusal(adding: $0) == nil })
    }

    /// Begins a presenter's PDF.
    /// - Parameter known: gives the floor's documents of this moment; files of others make room.
    /// - Throws: ``ExplainedError`` if the disk has no room.
    func beginFile(byteCount: Int, known: @Sendable () -> [FloorDocument]) throws -> ArrivingSlides {
        deleteForgotten(known: known)
        return try beginFile(byteCount: byteCount, suffix: Self.slidesSuffix, within: Self.mostBytes)
    }

    /// Begins a file.
    /// - Parameter most: the bytes that all files together may then have.
    func beginFile(byteCount: Int, suffix: String, within most: Int) throws -> ArrivingSlides {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let sizes = expectedSizes()
        let outstanding = sizes.reduce(byteCount) { $0 + $1.value.expected - $1.value.written }
        guard reserve.refusal(adding: outstanding) == nil,
            sizes.values.reduce(byteCount, { $0 + $1.expected }) <= most
        else {
            throw ExplainedError("The server's disk has no room for this file.")
        }
        let id = String(UInt64.random(in: 0 ... .max), radix: 36)
        let file = try ArrivingSlides(id: id, path: folder.appendingPathComponent(id + suffix).path)
        arriving[id + suffix] = byteCount
        return file
    }

    /// The sizes of the presenters' files, by name: as written so far, and as they will be.
    func expectedSizes() -> [String: (written: Int, expected: Int)] {
        let sizes = storedSizes()
        return Dictionary(
            uniqueKeysWithValues: Set(sizes.keys).union(arriving.keys).map { name in
                let written = sizes[name] ?? 0
                return (name, (written, max(written, arriving[name] ?? 0)))
            })
    }

    static let slidesSuffix = ".pdf"

    /// Checks a file that has arrived, and draws its first page.
    /// - Returns: the number of pages.
    /// - Throws: ``ScorePagesError`` if it is no PDF that can be shown.
    func check(_ slides: ArrivingSlides) async throws -> Int {
        if runningChecks >= Self.mostChecks {
            await withCheckedContinuation { waitingChecks.append($0) }
        } else {
            runningChecks += 1
        }
        defer {
            if waitingChecks.isEmpty { runningChecks -= 1 } else { waitingChecks.removeFirst().resume() }
        }
        let inspector = ScorePDFInspector(limits: .init(bytes: limitBytes))
        let summary = try await inspector.inspect(slides.path)
        _ = try await images.pageImage(of: summary, page: 0, size: .small)
        try JSONEncoder().encode(summary).write(to: summaryURL(slides.id))
        summaries[slides.id] = summary
        return summary.pages.count
    }

    /// Ends the arrival of a file: it is kept if the floor has it.
    /// - Parameter known: gives the floor's documents of that moment.
    func endFile(_ slides: ArrivingSlides, known: @Sendable () -> [FloorDocument]) {
        arriving[URL(fileURLWithPath: slides.path).lastPathComponent] = nil
        deleteForgotten(known: known)
    }

    /// Draws all pages ahead, first the pictures for the screen.
    func drawAhead(_ id: FloorDocument.ID) async {
        guard let summary = summaries[id] else { return }
        await images.renderMissingPages(summary, size: .small)
        await images.renderMissingPages(summary, size: .thumbnail)
    }

    /// The image of a page, counted from 1; nil if there is none.
    func image(of id: FloorDocument.ID, page: Int, size: PageImageSize = .small) async -> PageImage? {
        guard let summary = summary(of: id) else { return nil }
        return try? await images.pageImage(of: summary, page: page - 1, size: size)
    }

    /// The size of a page, counted from 1; nil if there is none.
    func paperSize(of id: FloorDocument.ID, page: Int) -> PaperSize? {
        guard let pages = summary(of: id)?.pages, pages.indices.contains(page - 1) else { return nil }
        return pages[page - 1]
    }

    private func summary(of id: FloorDocument.ID) -> PDFSummary? {
        if summaries[id] == nil {
            var summary = (try? Data(contentsOf: summaryURL(id))).flatMap {
                try? JSONDecoder().decode(PDFSummary.self, from: $0)
            }
            // A copy from another server has the path there.
            summary?.path = path(id).path
            summaries[id] = summary
        }
        return summaries[id]
    }

    /// Makes a new file for the event's PDF, after deleting older ones.
    /// - Throws: ``ExplainedError`` if the disk has no room for so many pages.
    func beginEventPDF(pageCount: Int) throws -> String {
        guard reserve.refusal(adding: pageCount * Self.eventPageBytes) == nil else {
            throw ExplainedError(
                "The server's disk has no room for the event's PDF; free some space.")
        }
        let place = folder.appendingPathComponent("event")
        try? FileManager.default.removeItem(at: place)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        return place.appendingPathComponent(String(UInt64.random(in: 0 ... .max), radix: 36) + ".pdf").path
    }

    /// The space that a page of the event's PDF takes at most, in bytes.
    private static let eventPageBytes = 1_500_000

    /// Deletes the files that neither the floor knows nor a connection is sending, and of which nothing was shown. Of a
    /// video that was shown only the frame stays, because videos are large. While the show log is not read, nothing is
    /// deleted.
    /// - Parameter known: gives the floor's documents of this moment. A list that was made before the call may lack one
    ///   whose file has ended since.
    func deleteForgotten(known: @Sendable () -> [FloorDocument]) {
        guard let shown = shown.ids else { return }
        let announced = arriving.keys.map {
            URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent
        }
        let kept = Set(known().map(\.id)).union(announced)
        let files =
            (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        for file in files where ["pdf", "json", "video", "size", "jpg"].contains(file.pathExtension) {
            let id = file.deletingPathExtension().lastPathComponent
            let isVideo = ["video", "size"].contains(file.pathExtension)
            guard !kept.contains(id), isVideo || !shown.contains(id) else { continue }
            try? FileManager.default.removeItem(at: file)
            summaries[id] = nil
        }
    }

    /// The sizes of the files in the folder, by name.
    private func storedSizes() -> [String: Int] {
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.fileSizeKey])
        return (files ?? []).reduce(into: [:]) {
            $0[$1.lastPathComponent] = (try? $1.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0
        }
    }

    private func path(_ id: String) -> URL { folder.appendingPathComponent(id + Self.slidesSuffix) }

    private func summaryURL(_ id: String) -> URL { folder.appendingPathComponent(id + ".json") }
}

/// A file that is being written as it arrives.
final class ArrivingSlides: Sendable {
    let id: String
    let path: String
    private let file: FileHandle
    /// Writing may wait for the disk, so it has a thread of its own.
    private let queue = DispatchQueue(label: "presenting.upload")

    init(id: String, path: String) throws {
        (self.id, self.path) = (id, path)
        guard
            FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: path)
        else { throw ExplainedError("The slides cannot be written to the folder presenting.") }
        self.file = file
    }

    func write(_ bytes: [UInt8]) async throws {
        try await perform { try $0.write(contentsOf: Data(bytes)) }
    }

    func close() async throws { try await perform { try $0.close() } }

    private func perform(_ action: @escaping @Sendable (FileHandle) throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [file] in continuation.resume(with: Result { try action(file) }) }
        }
    }
}
