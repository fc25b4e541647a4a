import Basics
import Following
import Foundation
import Hosting
import Listening
import Platform
import Sound

/// Speed of following a sound file without pauses, including its decoding.
package struct ReplayCosts: Encodable {
    package var audioSeconds: Double
    var cpuSeconds: Double
    var wallSeconds: Double
    /// Processor time for decoding the sound file alone.
    var decodingSeconds: Double
    /// Seconds of audio per second of wall-clock time, with decoding on a separate thread, as in `replay`.
    package var speed: Double

    /// Writes synthetic music as stereo Ogg Vorbis, the format of the repository's own recordings, and follows it.
    package init(model: ReferenceModel, seconds: Double) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "baton-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "tones.ogg").path
        try Self.writeSyntheticRecording(path, seconds: seconds)

        var start = ThreadProcessorClock.nanoseconds
        try forEachBlock(of: SoundFileReader(path: path)) { _ in }
        decodingSeconds = Double(ThreadProcessorClock.nanoseconds - start) / 1e9

        let reader = try SoundFileReader(path: path)
        let concert = ConcertFollower(
            programme: ConcertProgramme(title: "Benchmark", pieceModels: [model]),
            sampleRate: reader.sampleRate,
            transforms: FFTWSpectrumMaker())
        let wall = MonotonicClock.now
        start = ThreadProcessorClock.nanoseconds
        let ahead = ReadAheadDecoder { buffer throws(SoundFileError) in try reader.read(into: buffer) }
        defer { ahead.stop() }
        let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4096)
        defer { block.deallocate() }
        while case let count = try ahead.read(into: block), count > 0 {
            concert.hearSamples(UnsafeBufferPointer(rebasing: block[..<count])) { _ in }
        }
        cpuSeconds = Double(ThreadProcessorClock.nanoseconds - start) / 1e9
        wallSeconds = (MonotonicClock.now - wall).seconds
        audioSeconds = reader.duration.value
        speed = audioSeconds / wallSeconds
    }

    private static func writeSyntheticRecording(_ path: String, seconds: Double) throws {
        let rate = SyntheticReference.rate
        let writer = try SoundFileWriter(path: path, rate: rate, channels: 2)
        var music = SyntheticMusic(rate: rate)
        let mono = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4_410)
        let stereo = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * mono.count)
        defer {
            mono.deallocate()
            stereo.deallocate()
        }
        for _ in 0..<Int(seconds * 10) {
            music.play(into: mono)
            for index in mono.indices {
                stereo[2 * index] = mono[index]
                stereo[2 * index + 1] = mono[index] * 0.7
            }
            try writer.write(UnsafeBufferPointer(stereo))
        }
        try writer.close()
    }
}
