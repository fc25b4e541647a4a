import Basics
import Following
import Listening
import Sound

/// Replays recordings as fast as possible: one thread decodes, another follows. The result does not depend on the
/// speed of the threads.
package struct FastReplay {
    package var playlist: RecordingPlaylist
    package var startPosition: ProgrammePosition
    /// The number of seconds of sound to replay; nil for everything.
    package var limitSeconds: Double?
    /// The number of samples passed to the follower at a time; the reports do not depend on it.
    package var blockSamples = 4096

    package init(
        playlist: RecordingPlaylist, startPosition: ProgrammePosition, limitSeconds: Double? = nil,
        blockSamples: Int = 4096
    ) {
        self.playlist = playlist
        self.startPosition = startPosition
        self.limitSeconds = limitSeconds
        self.blockSamples = blockSamples
    }

    /// Replays the recordings.
    /// - Parameters:
    ///   - isWanted: called before each block; the replay ends when it returns false.
    ///   - report: called with each report.
    /// - Returns: the number of samples heard.
    package func replayPlaylist(
        _ concert: ConcertFollower, while isWanted: () -> Bool, report: (ConcertReport) -> Void
    ) throws(SoundFileError) -> SampleTime {
        let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: blockSamples)
        defer { block.deallocate() }
        let decoder = RecordingPlaylistReader(playlist)
        let reader = ReadAheadDecoder { buffer throws(SoundFileError) in try decoder.read(into: buffer) }
        defer { reader.stop() }
        var repetitionEnd = playlist.samplesPerRepetition
        while isWanted() {
            // A repetition may end in the middle of a hop. The follower restarts at the end of that hop, as it does
            // in real time.
            var wanted = blockSamples
            if concert.heardSamples.count >= repetitionEnd {
                if concert.isAtHopEnd {
                    repetitionEnd += playlist.samplesPerRepetition
                    concert.begin(at: startPosition)
                } else {
                    wanted = min(wanted, concert.samplesToHopEnd)
                }
            } else {
                wanted = min(wanted, repetitionEnd - concert.heardSamples.count)
            }
            if let limitSeconds {
                let end = Int((limitSeconds * playlist.rate.hertz).rounded())
                wanted = min(wanted, max(end - concert.heardSamples.count, 0))
            }
            guard wanted > 0 else { break }
            let count = try reader.read(into: UnsafeMutableBufferPointer(rebasing: block[..<wanted]))
            guard count > 0 else { break }
            concert.hearSamples(UnsafeBufferPointer(rebasing: block[..<count]), report: report)
        }
        return concert.heardSamples
    }
}
