import ChildProcesses
import Foundation

/// Reads with ffmpeg, in a limited process, the recordings that libsndfile does not read: AAC, Apple Lossless, WMA, the
/// sound of videos, and files that do not say how long they are.
public enum SoundConversion {
    /// Two hours of stereo in 24 bits take 2 GB.
    private static let bounds = LimitedProcess.ResourceLimits(
        cpuSeconds: 900, wallSeconds: 1_800, memoryBytes: 3_000_000_000, largestFileBytes: 3 << 30,
        niceness: 10)

    /// ffmpeg's names of the containers that it may read. It guesses none whose files name further files.
    private static let containers =
        "aac,ac3,aiff,amr,ape,asf,au,avi,caf,flac,flv,matroska,mov,mp3,mpeg,mpegts,ogg,rm,tta,w64,wav,wv"

    /// The path of a recording that ``SoundFileReader`` reads: the file itself, or a new FLAC file in a folder.
    /// - Throws: the error of ``SoundFileReader`` if ffmpeg is missing, or complains about the file, or finds no sound.
    public static func makeReadable(_ path: String, in folder: URL) async throws(SoundFileError) -> String {
        do throws(SoundFileError) {
            _ = try SoundFileReader(path: path)
            return path
        } catch {
            switch error {
            case .compressedUnsupported(_, .protected), .compressedUnsupported(_, .incomplete): throw error
            case .notAudio, .compressedUnsupported, .empty, .unknownLength: break
            default: throw error
            }
            guard let made = await convert(path, in: folder), (try? SoundFileReader(path: made)) != nil else {
                throw error
            }
            return made
        }
    }

    private static func convert(_ path: String, in folder: URL) async -> String? {
        let paths = ProgramPaths(
            repositoryScript: "Tools/engrave.py", environment: ProcessInfo.processInfo.environment,
            workingDirectory: URL(fileURLWithPath: "/"), program: URL(fileURLWithPath: "/proc/self/exe"))
        guard let ffmpeg = paths.findProgram("ffmpeg") else { return nil }
        let (made, errors) = (
            folder.appending(path: "\(UUID().uuidString).flac"), folder.appending(path: "ffmpeg.errors")
        )
        let conversion = LimitedProcess(
            executable: ffmpeg,
            arguments: [
                "-nostdin", "-v", "error", "-threads", "1", "-protocol_whitelist", "file",
                "-format_whitelist", containers, "-i", "file:" + URL(fileURLWithPath: path).path,
                "-map", "0:a:0", "-vn", "-y", "file:" + made.path,
            ], resourceLimits: bounds)
        let outcome = await conversion.run(
            in: folder, output: folder.appending(path: "ffmpeg.output"), errors: errors)
        // ffmpeg ends with 0 also if it has left out what is damaged.
        guard outcome == .finished(status: 0), ChildProcess.outputText(of: errors).isEmpty else { return nil }
        return made.path
    }
}
