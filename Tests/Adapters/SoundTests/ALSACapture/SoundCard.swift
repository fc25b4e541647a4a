import Foundation
import Repository

/// An ALSA configuration of the test's own, in force as long as it lives.
final class ALSAConfiguration {
    private let folder: URL

    /// - Parameter tape: interleaved stereo that the device `tape` plays at 48 kHz.
    init(tape: [Int16]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "alsa-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let tapePath = folder.appending(path: "tape.raw")
        try tape.withUnsafeBytes { Data($0) }.write(to: tapePath)
        let text = """
            </usr/share/alsa/alsa.conf>
            pcm.silence { type null hint { show on description "Nothing at all" } }
            pcm.tape {
                type plug
                slave {
                    pcm { type file slave.pcm { type null } file "/dev/null" infile "\(tapePath.path)" format "raw" }
                    format S16_LE
                    rate 48000
                    channels 2
                }
            }
            pcm.narrow {
                type multi
                slaves.a { pcm { type null } channels 2 }
                bindings { 0 { slave a channel 0 } 1 { slave a channel 1 } }
            }
            """
        let configuration = folder.appending(path: "asoundrc")
        try Data(text.utf8).write(to: configuration)
        setenv("ALSA_CONFIG_PATH", configuration.path, 1)
    }

    deinit {
        unsetenv("ALSA_CONFIG_PATH")
        try? FileManager.default.removeItem(at: folder)
    }
}

/// The private sound card of `Tools/soundcard`, in a folder of its own.
struct SoundCard {
    private static let script = Repository.root.appending(path: "Tools/soundcard").path
    private let folder: URL
    private let sound: URL

    static var canStart: Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/pulseaudio")
        }
    }

    /// Starts the card and takes over the environment that it prints.
    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "card-\(UUID().uuidString)")
        sound = folder.appendingPathExtension("wav")
        let environment = try run(["start"]).wait()
        for line in environment.split(separator: "\n") where line.hasPrefix("export ") {
            let parts = line.dropFirst("export ".count).split(separator: "=", maxSplits: 1)
            if parts.count == 2 { setenv(String(parts[0]), String(parts[1]), 1) }
        }
    }

    /// Starts playing a 440 Hz sine of half amplitude and returns.
    func play(seconds: Int) throws {
        try Data(sine(seconds: seconds)).write(to: sound)
        _ = try run(["play", sound.path])
    }

    /// Adds a source of so many channels, `NAME.monitor`, and returns its number.
    func plugIn(_ name: String, channels: Int) throws -> String {
        let map = (0..<channels).map { "aux\($0)" }.joined(separator: ",")
        return try run(
            "pactl",
            [
                "load-module", "module-null-sink", "sink_name=\(name)", "channels=\(channels)",
                "channel_map=\(map)", "rate=48000",
            ]
        ).wait().trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func unplug(_ number: String) throws { _ = try run("pactl", ["unload-module", number]).wait() }

    func makeDefault(_ source: String) throws { _ = try run("pactl", ["set-default-source", source]).wait() }

    /// Starts playing a 440 Hz sine of half amplitude on one channel of a source of `plugIn`, and returns.
    func play(to name: String, channel: Int, of channels: Int, seconds: Int) throws {
        let map = (0..<channels).map { "aux\($0)" }.joined(separator: ",")
        var samples = [Float](repeating: 0, count: 48_000 * seconds * channels)
        for frame in 0..<48_000 * seconds {
            samples[frame * channels + channel - 1] = 0.5 * Float(sin(2 * .pi * 440 * Double(frame) / 48_000))
        }
        try samples.withUnsafeBytes { try Data($0).write(to: sound) }
        _ = try run(
            "pacat",
            [
                "--playback", "--device=\(name)", "--channels=\(channels)", "--channel-map=\(map)",
                "--no-remix", "--format=float32le", "--rate=48000", "--latency-msec=20", "--raw", sound.path,
            ])
    }

    func stop() {
        _ = try? run(["stop"]).wait()
        for name in ["ALSA_CONFIG_PATH", "PULSE_SERVER", "PULSE_RUNTIME_PATH"] { unsetenv(name) }
        try? FileManager.default.removeItem(at: sound)
    }

    private struct Running {
        var process: Process
        var output: Pipe

        func wait() throws -> String {
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            return text
        }
    }

    private func run(_ arguments: [String]) throws -> Running { try run(Self.script, arguments) }

    private func run(_ program: String, _ arguments: [String]) throws -> Running {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(["BATON_SOUNDCARD": folder.path]) { $1 }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        return Running(process: process, output: output)
    }

    /// A mono 16-bit WAV file at 48 kHz.
    private func sine(seconds: Int) -> [UInt8] {
        let samples = (0..<48_000 * seconds).map { Int16(16_384 * sin(2 * .pi * 440 * Double($0) / 48_000)) }
        func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let size = samples.count * 2
        let format: [UInt8] = [1, 0, 1, 0] + word(48_000) + word(96_000) + [2, 0, 16, 0]
        return Array("RIFF".utf8) + word(36 + size) + Array("WAVEfmt ".utf8) + word(16) + format
            + Array("data".utf8) + word(size) + samples.flatMap { word(Int($0)).prefix(2) }
    }
}
