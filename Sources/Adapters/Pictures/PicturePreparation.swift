import Foundation
import Platform

/// Makes of any picture that comes in one that can be published: without data about its maker, upright, and not larger
/// than a page shows. Pictures that are so already stay bit for bit, so that one that goes out and comes in again is the
/// same.
///
/// libvips decodes a picture in a limited process if cleaning its bytes is not enough.
public struct PicturePreparation: Sendable {
    /// The longest side in pixels: a little more than a screen in full HD shows.
    public static let longestSide = 2_048
    /// Photographs with more bytes are compressed again.
    public static let mostPhotographBytes = 1_500_000
    /// The most pixels of a picture that is not decoded here; phones decode it.
    static let mostPixelsUndecoded = 50_000_000

    private static let bounds = LimitedProcess.ResourceLimits(
        cpuSeconds: 30, wallSeconds: 60, memoryBytes: 3_000_000_000, largestFileBytes: 64 << 20, niceness: 10)

    /// The path of `vipsthumbnail`; nil if it is not installed.
    public var vipsthumbnail: URL?

    /// - Parameter vipsthumbnail: found on the search path unless given.
    public init(vipsthumbnail: URL?? = nil) {
        self.vipsthumbnail =
            vipsthumbnail
            ?? ProgramPaths(
                repositoryScript: "Sources/Python/engrave.py",
                environment: ProcessInfo.processInfo.environment,
                workingDirectory: URL(fileURLWithPath: "/"), program: URL(fileURLWithPath: "/proc/self/exe")
            ).findProgram("vipsthumbnail")
    }

    /// - Returns: the picture in a format that every browser shows.
    /// - Throws: ``PictureRefusal``.
    public func prepare(_ bytes: [UInt8], _ format: PictureFormat) async throws(PictureRefusal) -> (
        bytes: [UInt8], format: PictureFormat
    ) {
        let clean = CleanPicture(bytes, format)
        if let clean, !clean.isComplete { throw .cutShort }
        if format.isForBrowsers, clean == nil { throw .damaged }
        if let clean, clean.orientation == 1, Self.isSmall(clean, format) { return (clean.bytes, format) }
        guard let vipsthumbnail else {
            // A JPEG says its turn by itself, and browsers turn it.
            guard let clean, clean.orientation == 1 || format == .jpeg else { throw .noConverter }
            guard clean.width * clean.height <= Self.mostPixelsUndecoded else {
                throw .tooManyPixels(width: clean.width, height: clean.height)
            }
            return (clean.bytes, format)
        }
        let target = format.isForBrowsers ? format : .jpeg
        guard let decoded = await Self.queue.run({ await convert(bytes, format, to: target, vipsthumbnail) }),
            let made = CleanPicture(decoded, target), made.isComplete, made.orientation == 1
        else { throw .damaged }
        // Compressing again may make a small file larger.
        if let clean, clean.orientation == 1, max(clean.width, clean.height) <= Self.longestSide,
            clean.bytes.count <= made.bytes.count
        {
            return (clean.bytes, format)
        }
        return (made.bytes, target)
    }

    private static func isSmall(_ picture: CleanPicture, _ format: PictureFormat) -> Bool {
        max(picture.width, picture.height) <= longestSide
            && (picture.bytes.count <= mostPhotographBytes || ![.jpeg, .webp].contains(format))
    }

    /// One picture at a time: decoding a large one takes some hundred megabytes.
    private static let queue = PictureQueue()

    private func convert(
        _ bytes: [UInt8], _ format: PictureFormat, to target: PictureFormat, _ program: URL
    ) async -> [UInt8]? {
        do throws(NoScratch) {
            let scratch = try ScratchFolder(prefix: "baton-picture") { _, _ in NoScratch() }
            let (source, made) = (scratch.fileURL("source"), scratch.fileURL("made." + target.rawValue))
            guard FileManager.default.createFile(atPath: source.path, contents: Data(bytes)) else {
                return nil
            }
            let allFrames = [.gif, .webp].contains(format) ? "[n=-1]" : ""
            let conversion = LimitedProcess(
                executable: program,
                arguments: [
                    source.path + allFrames, "--size", "\(Self.longestSide)x\(Self.longestSide)>",
                    "--export-profile", "srgb", "-o", made.path + Self.savingOptions(of: target),
                ], resourceLimits: Self.bounds,
                // Only the loaders that libvips calls safe for files of strangers.
                furtherEnvironment: ["VIPS_BLOCK_UNTRUSTED": "1", "VIPS_CONCURRENCY": "1"])
            let outcome = await conversion.run(
                in: scratch.url, output: scratch.fileURL("output.txt"), errors: scratch.fileURL("errors.txt"))
            guard outcome == .finished(status: 0) else { return nil }
            return (try? Data(contentsOf: made)).map(Array.init)
        } catch {
            return nil
        }
    }

    private struct NoScratch: Error {}

    private static func savingOptions(of format: PictureFormat) -> String {
        switch format {
        case .jpeg, .heic, .avif, .tiff: "[Q=84,strip,optimize_coding,background=255]"
        case .webp: "[Q=84,strip]"
        case .png: "[strip,compression=9]"
        case .gif: "[strip]"
        }
    }
}

/// The reason why a picture cannot be published.
public enum PictureRefusal: Error, Equatable, Sendable {
    case cutShort
    case damaged
    /// The picture must be decoded, and the program for that is not installed.
    case noConverter
    case tooManyPixels(width: Int, height: Int)

    /// - Parameter name: the file's name, as people know it.
    public func sentence(about name: String) -> String {
        switch self {
        case .cutShort: "“\(name)” ends before the picture does; copy it again from where it is whole."
        case .damaged:
            "“\(name)” cannot be read as a picture; open it in another program and export it again."
        case .noConverter:
            "This server cannot turn or convert “\(name)”; install the package libvips-tools on it, or save the picture "
                + "upright, as JPEG or PNG."
        case .tooManyPixels(let width, let height):
            "“\(name)” has \(width) × \(height) pixels, too many for phones; make it smaller, or install the package "
                + "libvips-tools on the server."
        }
    }
}

/// Runs one piece of work after the other.
private actor PictureQueue {
    private var newest: Task<Void, Never>?

    func run(_ work: @escaping @Sendable () async -> [UInt8]?) async -> [UInt8]? {
        let before = newest
        let task = Task {
            await before?.value
            return await work()
        }
        newest = Task { _ = await task.value }
        return await task.value
    }
}
