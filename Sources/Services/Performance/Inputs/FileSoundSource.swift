import Basics
import Glibc
import Platform
import Sound
import Synchronization

/// Plays recordings in real time as if they were a sound device, in blocks of 10 ms.
package final class FileSoundSource: SoundSource {
    package let name: String
    private let playlist: RecordingPlaylist
    private let playbackSpeed: Double
    private let limitSeconds: Double?
    private let musicStart: Double?
    private let hasReachedEnd = Atomic<Bool>(false)
    private let failureReason = Mutex<String?>(nil)
    private let levels: SoundLevels
    /// The samples that were played before the source was told to stop; a later call goes on after them.
    private let playedSamples = Atomic<Int>(0)

    /// Creates a source that plays recordings.
    /// - Parameters:
    ///   - playbackSpeed: the playback speed; 1 is real time.
    ///   - limitSeconds: the number of seconds of sound to play; nil for everything.
    ///   - since: the time at which the music began, in seconds since 1970; the sound before the present moment is
    ///     skipped. Nil to play from the beginning.
    package init(
        _ playlist: RecordingPlaylist, name: String, playbackSpeed: Double, limitSeconds: Double?,
        playingSince since: Double? = nil
    ) {
        self.musicStart = since
        self.playlist = playlist
        self.name = name
        self.playbackSpeed = playbackSpeed
        self.limitSeconds = limitSeconds
        levels = SoundLevels(rate: playlist.rate)
    }

    package var rate: SampleRate { playlist.rate }

    package func deliverSamples(to sound: CapturedSound, until stop: StopRequest) {
        let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: max(Int(rate.hertz / 100), 1))
        defer { block.deallocate() }
        let reader = RecordingPlaylistReader(playlist)
        let start = MonotonicClock.now
        let before = playedSamples.load(ordering: .relaxed)
        var sent = before
        do throws(SoundFileError) {
            try skipElapsedMusic(in: reader, block)
            try skip(before, in: reader, block)
            while !stop.isMade {
                let wanted = sampleCountToRead(after: sent, atMost: block.count)
                guard wanted > 0 else { break }
                let count = try reader.read(into: UnsafeMutableBufferPointer(rebasing: block[..<wanted]))
                guard count > 0 else { break }
                sent += count
                let due =
                    start.nanoseconds + Int64(Double(sent - before) / (rate.hertz * playbackSpeed) * 1e9)
                sleepUntil(due)
                let samples = UnsafeBufferPointer(rebasing: block[..<count])
                sound.write(samples, capturedAt: MonotonicInstant(nanoseconds: due))
                levels.measure(samples)
            }
        } catch {
            failureReason.withLock { $0 = error.sentence }
        }
        playedSamples.store(sent, ordering: .relaxed)
        if !stop.isMade { hasReachedEnd.store(true, ordering: .releasing) }
    }

    package var status: SoundSourceStatus {
        let reason = failureReason.withLock { $0 }
        var status = SoundSourceStatus(
            hasReachedEnd: hasReachedEnd.load(ordering: .acquiring), isLost: reason != nil,
            failureReason: reason,
            remedy: "nothing more of it is played; start the server with another file")
        levels.describe(in: &status)
        return status
    }

    private func skipElapsedMusic(
        in reader: RecordingPlaylistReader, _ block: UnsafeMutableBufferPointer<Float>
    ) throws(SoundFileError) {
        guard let musicStart else { return }
        // Read here and not at the start of the program, because the performance goes on while the models are loaded.
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let played = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 - musicStart
        try skip(Int(max(played, 0) * rate.hertz), in: reader, block)
    }

    private func skip(
        _ count: Int, in reader: RecordingPlaylistReader, _ block: UnsafeMutableBufferPointer<Float>
    ) throws(SoundFileError) {
        var missing = count
        while missing > 0 {
            let count = try reader.read(
                into: UnsafeMutableBufferPointer(rebasing: block[..<min(missing, block.count)]))
            guard count > 0 else { return }
            missing -= count
        }
    }

    private func sampleCountToRead(after sent: Int, atMost most: Int) -> Int {
        guard let limitSeconds else { return most }
        return min(most, max(Int((limitSeconds * rate.hertz).rounded()) - sent, 0))
    }

    private func sleepUntil(_ nanoseconds: Int64) {
        var until = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, Int32(TIMER_ABSTIME), &until, nil) == EINTR {}
    }
}
