import Foundation
import Platform

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
        guard let error = try faultOfReader(path) else { return path }
        guard let conversion = Conversion(of: path, in: folder) else { throw error }
        return try conversion.result(
            after: await conversion.process.run(
                in: folder, output: conversion.output, errors: conversion.errors), else: error)
    }

    /// Does the same and blocks the thread meanwhile, for work that is not asynchronous.
    public static func makeReadableBlocking(_ path: String, in folder: URL) throws(SoundFileError) -> String {
        guard let error = try faultOfReader(path) else { return path }
        guard let conversion = Conversion(of: path, in: folder) else { throw error }
        return try conversion.result(
            after: conversion.process.runBlocking(
                in: folder, output: conversion.output, errors: conversion.errors), else: error)
    }

    /// The fault for which ffmpeg is asked; nil if ``SoundFileReader`` reads the file.
    /// - Throws: a fault for which ffmpeg does not help.
    private static func faultOfReader(_ path: String) throws(SoundFileError) -> SoundFileError? {
        do throws(SoundFileError) {
            _ = try SoundFileReader(path: path)
            return nil
        } catch {
            switch error {
            case .compressedUnsupported(_, .protected), .compressedUnsupported(_, .incomplete): throw error
            case .notAudio, .compressedUnsupported, .empty, .unknownLength: return error
            default: throw error
            }
        }
    }

    private struct Conversion {
        var process: LimitedProcess
        var made, output, errors: URL

        /// - Returns: nil if ffmpeg is missing.
        init?(of path: String, in folder: URL) {
            let paths = ProgramPaths(
                repositoryScript: "Sources/Python/engrave.py",
                environment: ProcessInfo.processInfo.environment,
                workingDirectory: URL(fileURLWithPath: "/"), program: URL(fileURLWithPath: "/proc/self/exe"))
            guard let ffmpeg = paths.findProgram("ffmpeg") else { return nil }
            made = folder.appending(path: "\(UUID().uuidString).flac")
            (output, errors) = (
                folder.appending(path: "ffmpeg.output"), folder.appending(path: "ffmpeg.errors")
            )
            process = LimitedProcess(
                executable: ffmpeg,
                arguments: [
                    "-nostdin", "-v", "error", "-threads", "1", "-protocol_whitelist", "file",
                    "-format_whitelist", containers, "-i", "file:" + URL(fileURLWithPath: path).path,
                    "-map", "0:a:0", "-vn", "-y", "file:" + made.path,
                ], resourceLimits: bounds)
        }

        func result(
            after outcome: ChildProcess.Outcome, else error: SoundFileError
        ) throws(SoundFileError) -> String {
            // ffmpeg ends with 0 also if it has left out what is damaged.
            guard outcome == .finished(status: 0), ChildProcess.outputText(of: errors).isEmpty,
                (try? SoundFileReader(path: made.path)) != nil
            else { throw error }
            return made.path
        }
    }
}
