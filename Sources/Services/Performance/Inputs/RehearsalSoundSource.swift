import Basics
import Glibc
import Hosting
import Platform
import Synchronization

/// The server's own device or file or, in rehearsals, the microphone of a tablet in its place.
///
/// The capture thread runs the one or the other. It takes the tablet's sound from a ``RemoteSoundFeed``, without
/// locks and without allocation. Sound that is late is waited for; then silence takes its place, in real time, so that
/// the follower waits as it does for a lost device.
package final class RehearsalSoundSource: SoundSource, RemoteMicrophoneInput {
    /// The device or file of the server.
    package let own: any SoundSource
    package let feed: RemoteSoundFeed
    private let levels: SoundLevels
    private let isRemote = Atomic<Bool>(false)
    private let isSilent = Atomic<Bool>(false)
    private let remoteName = Mutex("")
    /// Ends the work of the device or file when a tablet is chosen.
    private let ownStop = Mutex<StopRequest?>(nil)

    /// The time for which late sound of a tablet is waited for.
    package static let patienceMilliseconds: Int64 = 1_000
    private static let pauseMicroseconds: UInt32 = 5_000
    private static let feedSeconds = 8.0
    private static let blocksPerSecond = 50.0

    package init(_ own: any SoundSource) {
        self.own = own
        feed = RemoteSoundFeed(capacity: Int(own.rate.hertz * Self.feedSeconds))
        levels = SoundLevels(rate: own.rate)
    }

    package var rate: SampleRate { own.rate }
    /// The device, or the names of the files without their folders.
    package var ownName: String {
        own.name.split(separator: ", ").map { $0.split(separator: "/").last.map(String.init) ?? "" }
            .joined(separator: ", ")
    }
    package var name: String {
        isRemote.load(ordering: .acquiring) ? remoteName.withLock(\.self) : own.name
    }

    /// Hears a tablet from now on instead of the device or file.
    package func hearRemote(named name: String) {
        remoteName.withLock { $0 = name }
        isRemote.store(true, ordering: .releasing)
        ownStop.withLock { $0?.make() }
    }

    /// Hears the device or file again.
    package func hearOwn() { isRemote.store(false, ordering: .releasing) }

    package func deliverSamples(to sound: CapturedSound, until stop: StopRequest) {
        let block = UnsafeMutableBufferPointer<Float>.allocate(
            capacity: max(Int(rate.hertz / Self.blocksPerSecond), 1))
        defer { block.deallocate() }
        while !stop.isMade {
            if isRemote.load(ordering: .acquiring) {
                deliverRemote(to: sound, until: stop, block)
            } else {
                deliverOwn(to: sound, until: stop)
            }
        }
    }

    private func deliverOwn(to sound: CapturedSound, until stop: StopRequest) {
        let part = StopRequest(partOf: stop)
        ownStop.withLock { $0 = part }
        defer { ownStop.withLock { $0 = nil } }
        // A tablet that was chosen before the request could be found is seen here.
        guard !isRemote.load(ordering: .acquiring) else { return }
        own.deliverSamples(to: sound, until: part)
        // A file has ended; a tablet may still be chosen.
        while !part.isMade { usleep(20_000) }
    }

    private func deliverRemote(
        to sound: CapturedSound, until stop: StopRequest, _ block: UnsafeMutableBufferPointer<Float>
    ) {
        feed.drop(using: block)
        var newest = MonotonicClock.now.nanoseconds
        isSilent.store(false, ordering: .relaxed)
        while !stop.isMade, isRemote.load(ordering: .acquiring) {
            let count = feed.read(into: block)
            let now = MonotonicClock.now.nanoseconds
            if count > 0 {
                let samples = UnsafeBufferPointer(rebasing: block[..<count])
                sound.write(
                    samples, capturedAt: MonotonicInstant(nanoseconds: now - feed.delayNanoseconds))
                levels.measure(samples)
                newest = now
                isSilent.store(false, ordering: .relaxed)
                continue
            }
            let isLate = isSilent.load(ordering: .relaxed)
            if isLate || now - newest > Self.patienceMilliseconds * 1_000_000 {
                let missing = Int(Double(now - newest) / 1e9 * rate.hertz)
                newest = now
                sound.writeSilence(count: missing, capturedAt: MonotonicInstant(nanoseconds: now))
                feed.noteSilence(count: missing)
                levels.measureSilence(count: missing)
                isSilent.store(true, ordering: .relaxed)
            }
            usleep(Self.pauseMicroseconds)
        }
    }

    package var status: SoundSourceStatus {
        guard isRemote.load(ordering: .acquiring) else { return own.status }
        var status = SoundSourceStatus(
            isLost: isSilent.load(ordering: .relaxed), failureReason: "no sound arrives from it",
            remedy: "wake that tablet, or choose the server’s own input on the console",
            lostSamples: feed.lateSamples)
        levels.describe(in: &status)
        return status
    }
}
