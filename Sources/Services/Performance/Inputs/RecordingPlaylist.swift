import Basics
import Hosting
import Sound

/// Recordings played one after another, with room noise between them.
package struct RecordingPlaylist: Sendable {
    package enum Segment: Sendable, Equatable {
        case recording(path: String, frames: Int)
        case roomNoise(frames: Int)

        package var frameCount: Int {
            switch self {
            case .recording(_, let frames), .roomNoise(let frames): frames
            }
        }
    }

    /// The recordings and pauses of one repetition.
    package let segments: [Segment]
    package let rate: SampleRate
    package let channel: AudioChannelChoice
    /// The number of times that the whole list is played; nil for endless repetition.
    package let repetitions: Int?

    /// Keeps what ffmpeg made of recordings; nil if all are read as they are.
    private let readable: ReadableRecordings?

    package static let pauseBetweenRecordings = Seconds(3)

    /// Opens recordings as people bring them: what libsndfile does not read goes through ffmpeg.
    package static func open(
        paths: [String], channel: AudioChannelChoice, repetitions: Int?
    ) async throws -> RecordingPlaylist {
        let readable = ReadableRecordings()
        var readablePaths: [String] = []
        for path in paths {
            readablePaths.append(try await readable.path(of: path))
        }
        return try RecordingPlaylist(
            paths: readablePaths, channel: channel, repetitions: repetitions, readable: readable)
    }

    /// Opens each recording once to learn its length, and whether its first samples are sound.
    package init(
        paths: [String], channel: AudioChannelChoice, repetitions: Int?, readable: ReadableRecordings? = nil
    ) throws {
        var sections: [Segment] = []
        var rate: SampleRate?
        for path in paths {
            let reader = try SoundFileReader(path: path, channel: channel)
            try reader.checkFirstBlock()
            if let rate, rate != reader.sampleRate {
                throw ExplainedError(
                    "“\(path)” has \(reader.sampleRate), the recordings before it \(rate). Convert it: "
                        + "ffmpeg -i '\(path)' -ar \(Int(rate.hertz)) converted.flac")
            }
            rate = reader.sampleRate
            if !sections.isEmpty { sections.append(Self.roomNoiseSegment(at: reader.sampleRate)) }
            // The length that a truncated file should have: its error is reported when playback gets to the missing
            // part.
            sections.append(.recording(path: path, frames: reader.frameCount + reader.missingFrameCount))
        }
        guard let rate else { throw ExplainedError("No recording is given; name one with --live.") }
        if repetitions != 1 { sections.append(Self.roomNoiseSegment(at: rate)) }
        self.segments = sections
        self.rate = rate
        self.channel = channel
        self.repetitions = repetitions
        self.readable = readable
    }

    /// The number of samples in one repetition.
    package var samplesPerRepetition: Int { segments.reduce(0) { $0 + $1.frameCount } }

    private static func roomNoiseSegment(at rate: SampleRate) -> Segment {
        .roomNoise(frames: Int(pauseBetweenRecordings.value * rate.hertz))
    }
}

/// Reads the samples of a playlist in order. To be used by one thread at a time.
final class RecordingPlaylistReader {
    private let playlist: RecordingPlaylist
    private var repetitionIndex = 0
    private var segmentIndex = -1
    private var remainingSegmentFrames = 0
    private var currentFile: SoundFileReader?
    private var roomNoise = RoomNoiseGenerator()

    init(_ playlist: RecordingPlaylist) { self.playlist = playlist }

    /// Reads the next samples.
    /// - Returns: the number of samples; fewer than requested at the end of a recording, 0 at the end of the list.
    func read(into buffer: UnsafeMutableBufferPointer<Float>) throws(SoundFileError) -> Int {
        while remainingSegmentFrames == 0 { guard try openNextSegment() else { return 0 } }
        let wanted = UnsafeMutableBufferPointer(
            rebasing: buffer[..<min(buffer.count, remainingSegmentFrames)])
        guard let currentFile else {
            roomNoise.fill(wanted)
            remainingSegmentFrames -= wanted.count
            return wanted.count
        }
        let count = try currentFile.read(into: wanted)
        remainingSegmentFrames = count == 0 ? 0 : remainingSegmentFrames - count
        return count == 0 ? try read(into: buffer) : count
    }

    private func openNextSegment() throws(SoundFileError) -> Bool {
        segmentIndex += 1
        if segmentIndex == playlist.segments.count {
            repetitionIndex += 1
            segmentIndex = 0
        }
        if let turns = playlist.repetitions, repetitionIndex >= turns { return false }
        remainingSegmentFrames = playlist.segments[segmentIndex].frameCount
        currentFile = nil
        if case .recording(let path, _) = playlist.segments[segmentIndex] {
            currentFile = try SoundFileReader(path: path, channel: playlist.channel)
        }
        return true
    }
}

/// Generates noise at -80 dB of full scale, the same in every run, because no real room is digitally silent.
struct RoomNoiseGenerator {
    private var randomState: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func fill(_ buffer: UnsafeMutableBufferPointer<Float>) {
        for index in buffer.indices {
            randomState ^= randomState << 13
            randomState ^= randomState >> 7
            randomState ^= randomState << 17
            buffer[index] = (Float(randomState >> 40) / Float(1 << 23) - 1) * 1e-4
        }
    }
}
