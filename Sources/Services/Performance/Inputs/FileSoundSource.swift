import Glibc
import MusicalTime
import RealTime
import SoundFiles
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
    private let peak = Atomic<UInt32>(0)
    private let rms = Atomic<UInt32>(0)
    private let heldPeak = Atomic<UInt32>(0)
    private let clippedSampleCount = Atomic<Int>(0)
    private let silentSampleCount = Atomic<Int>(0)

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
    }

    package var rate: SampleRate { playlist.rate }

    package func deliverSamples(to sound: CapturedSound, until stop: StopRequest) {
        let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: max(Int(rate.hertz / 100), 1))
        defer { block.deallocate() }
        let reader = RecordingPlaylistReader(playlist)
        let start = MonotonicClock.now
        var sent = 0
        do throws(SoundFileError) {
            try skipElapsedMusic(in: reader, block)
            while !stop.isMade {
                let wanted = sampleCountToRead(after: sent, atMost: block.count)
                guard wanted > 0 else { break }
                let count = try reader.read(into: UnsafeMutableBufferPointer(rebasing: block[..<wanted]))
                guard count > 0 else { break }
                sent += count
                let due = start.nanoseconds + Int64(Double(sent) / (rate.hertz * playbackSpeed) * 1e9)
                sleepUntil(due)
                let samples = UnsafeBufferPointer(rebasing: block[..<count])
                sound.write(samples, capturedAt: MonotonicInstant(nanoseconds: due))
                updateLevels(from: samples)
            }
        } catch {
            failureReason.withLock { $0 = error.sentence }
        }
        hasReachedEnd.store(true, ordering: .releasing)
    }

    package var status: SoundSourceStatus {
        SoundSourceStatus(
            hasReachedEnd: hasReachedEnd.load(ordering: .acquiring),
            failureReason: failureReason.withLock { $0 },
            peak: Float(bitPattern: peak.load(ordering: .relaxed)),
            rms: Float(bitPattern: rms.load(ordering: .relaxed)),
            heldPeak: Float(bitPattern: heldPeak.load(ordering: .relaxed)),
            clippedSamples: clippedSampleCount.load(ordering: .relaxed),
            silentSeconds: Double(silentSampleCount.load(ordering: .relaxed)) / rate.hertz)
    }

    private func skipElapsedMusic(
        in reader: RecordingPlaylistReader, _ block: UnsafeMutableBufferPointer<Float>
    ) throws(SoundFileError) {
        guard let musicStart else { return }
        // Read here and not at the start of the program, because the performance goes on while the models are loaded.
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let played = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 - musicStart
        var missing = Int(max(played, 0) * rate.hertz)
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

    private func updateLevels(from samples: UnsafeBufferPointer<Float>) {
        var greatest: Float = 0
        var squares: Float = 0
        var atFullScale = 0
        for sample in samples {
            greatest = max(greatest, abs(sample))
            squares += sample * sample
            if abs(sample) >= 32_767.0 / 32_768 { atFullScale += 1 }
        }
        peak.store(greatest.bitPattern, ordering: .relaxed)
        rms.store((squares / Float(max(samples.count, 1))).squareRoot().bitPattern, ordering: .relaxed)
        // The held peak falls by 20 dB a second; this is the factor for 10 ms.
        let fallen = Float(bitPattern: heldPeak.load(ordering: .relaxed)) * 0.977
        heldPeak.store(max(greatest, fallen).bitPattern, ordering: .relaxed)
        clippedSampleCount.wrappingAdd(atFullScale, ordering: .relaxed)
        // A peak below -90 dB of full scale counts as silence.
        let isSilent = greatest <= 3.1623e-5
        silentSampleCount.store(
            isSilent ? silentSampleCount.load(ordering: .relaxed) + samples.count : 0, ordering: .relaxed)
    }
}
