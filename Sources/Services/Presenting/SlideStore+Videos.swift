import Basics
import Floor
import Foundation
import Hosting
import Pictures
import WebServer

/// The presenters' videos.
extension SlideStore {
    /// The most disk space for videos, in bytes.
    struct VideoRoom {
        /// For all together; the rest of ``SlideStore/mostBytes`` is kept for slides.
        var ofAll = 3_200_000_000
        var ofEach = 2_000_000_000
    }

    static let videoSuffix = ".video"
    /// The file beside a video that was checked, with its size in bytes.
    static let videoSizeSuffix = ".size"
    /// The picture beside a video, which stays for the event's PDF when the video is gone.
    static let frameSuffix = ".jpg"

    /// Begins a presenter's video.
    /// - Parameters:
    ///   - own: the presenter's videos that are here already.
    ///   - known: gives the floor's documents of this moment; files of others make room.
    /// - Throws: ``ExplainedError`` if there is no room.
    func beginVideo(
        byteCount: Int, beside own: Set<FloorDocument.ID>, known: @Sendable () -> [FloorDocument]
    ) throws -> ArrivingSlides {
        deleteForgotten(known: known)
        let sizes = expectedSizes().filter { $0.key.hasSuffix(Self.videoSuffix) }
        let ownBytes = own.reduce(byteCount) { $0 + (sizes[$1 + Self.videoSuffix]?.expected ?? 0) }
        guard ownBytes <= videoRoom.ofEach else {
            throw ExplainedError(
                "Your videos may have \(videoRoom.ofEach / 1_000_000) MB together; make them smaller.")
        }
        guard sizes.values.reduce(byteCount, { $0 + $1.expected }) <= videoRoom.ofAll else {
            throw ExplainedError(
                "The speakers' videos have no more room on this server; ask the moderator to remove somebody's."
            )
        }
        return try beginFile(byteCount: byteCount, suffix: Self.videoSuffix, within: Self.mostBytes)
    }

    /// Checks a video that has arrived, and removes where and with what it was made.
    /// - Throws: ``VideoRefusal`` if browsers do not play it.
    func checkVideo(_ file: ArrivingSlides) throws {
        let format = VideoFormat(path: file.path)
        if format == .mp4 { try CleanVideo.removeNotes(fromMP4: file.path) }
        guard format != nil, let size = Self.size(ofVideo: file.path) else {
            throw VideoRefusal()
        }
        try Data("\(size)".utf8).write(to: folder.appendingPathComponent(file.id + Self.videoSizeSuffix))
    }

    static func size(ofVideo path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    }

    /// A frame of a video for the event's PDF, drawn if there is none yet; nil if none can be drawn. Frames are drawn
    /// one after another.
    func frame(ofVideo id: FloorDocument.ID) async -> VideoFrame? {
        let frame: Task<VideoFrame?, Never> = Task { [before = lastFrame] in
            _ = await before?.value
            return await drawFrame(ofVideo: id)
        }
        lastFrame = frame
        return await frame.value
    }

    private func drawFrame(ofVideo id: FloorDocument.ID) async -> VideoFrame? {
        let place = folder.appendingPathComponent(id + Self.frameSuffix)
        if let drawn = try? Data(contentsOf: place) { return VideoFrame(jpeg: Array(drawn)) }
        let path = folder.appendingPathComponent(id + Self.videoSuffix).path
        guard let format = VideoFormat(path: path) else { return nil }
        let frame = await frameDrawing.draw(path, format)
        // The video may have been forgotten meanwhile.
        if let frame, FileManager.default.fileExists(atPath: path) { try? Data(frame.jpeg).write(to: place) }
        return frame
    }

    /// The response with a video, of which browsers request parts; nil if it is not here.
    nonisolated func videoResponse(of id: FloorDocument.ID) -> WebResponse? {
        let path = folder.appendingPathComponent(id + Self.videoSuffix).path
        return VideoFormat(path: path).map { .file(path, contentType: $0.mediaType, tag: id) }
    }
}
