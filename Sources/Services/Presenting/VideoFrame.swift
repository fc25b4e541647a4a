import Foundation
import PDFWriting
import Pictures
import Platform

/// A picture from a video, for the event's PDF.
struct VideoFrame: Equatable, Sendable {
    var jpeg: [UInt8]
    /// Pixels.
    var width: Int
    var height: Int

    /// - Returns: nil if the bytes are no JPEG.
    init?(jpeg: [UInt8]) {
        guard let picture = PDFPicture(jpeg: jpeg) else { return nil }
        (self.jpeg, width, height) = (jpeg, picture.width, picture.height)
    }
}

/// Draws a frame of a video with ffmpeg, in a limited process that opens this file only.
struct VideoFrameDrawing: Sendable {
    /// The path of ffmpeg; nil if it is not installed, and then videos have no frames.
    var ffmpeg = ProgramPaths(
        repositoryScript: "Sources/Python/engrave.py", environment: ProcessInfo.processInfo.environment,
        workingDirectory: URL(fileURLWithPath: "/"), program: URL(fileURLWithPath: "/proc/self/exe")
    ).findProgram("ffmpeg")

    private static let bounds = LimitedProcess.ResourceLimits(
        cpuSeconds: 20, wallSeconds: 40, memoryBytes: 3_000_000_000, largestFileBytes: 4_000_000,
        niceness: 19)

    /// Draws the frame after one second, or the first one of a shorter video.
    /// - Returns: nil if there is no ffmpeg, or it finds no picture.
    func draw(_ path: String, _ format: VideoFormat) async -> VideoFrame? {
        for second in ["1", "0"] {
            if let frame = await draw(path, format, atSecond: second) { return frame }
        }
        return nil
    }

    private func draw(_ path: String, _ format: VideoFormat, atSecond second: String) async -> VideoFrame? {
        guard let ffmpeg else { return nil }
        do { return try await draw(path, format, atSecond: second, with: ffmpeg) } catch { return nil }
    }

    private func draw(
        _ path: String, _ format: VideoFormat, atSecond second: String, with ffmpeg: URL
    ) async throws(NoScratch) -> VideoFrame? {
        let scratch = try Self.makeScratch()
        let drawing = LimitedProcess(
            executable: ffmpeg,
            arguments: [
                "-nostdin", "-v", "error", "-threads", "1", "-protocol_whitelist", "file",
                "-f", format.demuxer, "-ss", second, "-i", "file:" + path, "-map", "0:v:0", "-frames:v", "1",
                "-vf", "scale='min(1280,iw)':-2", "-threads", "1", "-c:v", "mjpeg", "-q:v", "4",
                "-f", "image2", "-update", "1", "frame.jpg",
            ], resourceLimits: Self.bounds)
        _ = await drawing.run(
            in: scratch.url, output: scratch.fileURL("output.txt"), errors: scratch.fileURL("errors.txt"))
        return (try? Data(contentsOf: scratch.fileURL("frame.jpg"))).flatMap { VideoFrame(jpeg: Array($0)) }
    }

    private struct NoScratch: Error {}

    private static func makeScratch() throws(NoScratch) -> ScratchFolder {
        try ScratchFolder(prefix: "baton-frame") { _, _ in NoScratch() }
    }
}

extension VideoFormat {
    /// ffmpeg's name for the container. It reads no other one, so no file can name further ones.
    fileprivate var demuxer: String {
        switch self {
        case .mp4: "mp4"
        case .webm: "webm"
        case .ogg: "ogg"
        }
    }
}
