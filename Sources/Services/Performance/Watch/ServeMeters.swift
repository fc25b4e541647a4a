import Foundation
import Hosting
import Podium
import RealTime
import Synchronization

/// Collects and publishes the figures that a technician watches during the show.
final class ServeMeters: ShowOutput {
    private struct Memory {
        var floor: Double = 0
        var sent: (count: Int, at: Double)?
        var rate = 0.0
        var freeGigabytes = 0.0
        var freeAt = -1e9
        var publishedAt = ShowTime(milliseconds: -1_000)
    }

    private let lane: FollowLane
    private let input: any LiveInput
    private let air: LiveAir?
    private let clients: @Sendable () -> MetersSection.Clients
    private let logBytes: @Sendable () -> Int
    private let folder: String
    private let stream: ConsoleStream
    private let memory = Mutex(Memory())

    init(
        lane: FollowLane, input: any LiveInput, air: LiveAir?, folder: String, stream: ConsoleStream,
        clients: @escaping @Sendable () -> MetersSection.Clients, logBytes: @escaping @Sendable () -> Int
    ) {
        self.lane = lane
        self.input = input
        self.air = air
        self.folder = folder
        self.stream = stream
        self.clients = clients
        self.logBytes = logBytes
    }

    func carry(_ effect: PodiumEffect, of course: ShowProgramme) {}

    /// Publishes ten times a second.
    func show(_ picture: DeskPicture) {
        let isDue = memory.withLock { memory in
            guard picture.now.milliseconds(since: memory.publishedAt) >= 100 else { return false }
            memory.publishedAt = picture.now
            return true
        }
        if isDue { stream.publish(.meters, section(picture)) }
    }

    func section(_ picture: DeskPicture) -> MetersSection {
        let status = input.status
        let hops = lane.hopTime.reading()
        let pump = air?.counters
        let now = Double(picture.now.milliseconds) / 1_000
        let (floor, rate, free) = memory.withLock { memory in
            note(rms: Double(status.rms), sent: Int(clamping: pump?.sent ?? 0), at: now, &memory)
            return (memory.floor, memory.rate, memory.freeGigabytes)
        }
        let newest = picture.newest
        let age = newest.map { Double(MonotonicClock.now.nanoseconds - $0.made.nanoseconds) / 1e6 }
        return MetersSection(
            peakDb: decibels(Double(status.heldPeak)), rmsDb: decibels(Double(status.rms)),
            noiseFloorDb: decibels(floor), clipped: status.clippedSamples,
            silentSeconds: tenths(status.silentSeconds), inputLost: status.isLost, xruns: status.overruns,
            hopP99Ms: thousandths(hops.p99.milliseconds), hopWorstMs: thousandths(hops.longest.milliseconds),
            overruns: hops.overruns, packetsPerSecond: tenths(rate),
            packetsSent: Int(clamping: pump?.sent ?? 0),
            packetsFailed: Int(clamping: pump?.failed ?? 0), clients: clients(),
            captureToReportMs: tenths((newest?.said.report.captureToReport.value ?? 0) * 1_000),
            reportToPacketMs: tenths(air?.reportToSent.p99.milliseconds ?? 0),
            clock: WallOffset.clock(Date().timeIntervalSince1970), diskFreeGb: tenths(free),
            logBytes: logBytes(),
            confidence: picture.heardConfidence, reportAgeMs: tenths(age ?? -1))
    }

    private func note(rms: Double, sent: Int, at now: Double, _ memory: inout Memory) {
        // The estimated noise floor falls at once and doubles in about twenty seconds, at ten calls a second.
        memory.floor = memory.floor == 0 ? rms : min(memory.floor * 1.0035, max(rms, 1e-6))
        if let before = memory.sent, now - before.at >= 1 {
            memory.rate = Double(sent - before.count) / (now - before.at)
            memory.sent = (sent, now)
        } else if memory.sent == nil {
            memory.sent = (sent, now)
        }
        if now - memory.freeAt > 10 {
            memory.freeAt = now
            memory.freeGigabytes = Double(DiskReserve.room(folder)?.free ?? 0) / 1e9
        }
    }

    private func decibels(_ amplitude: Double) -> Double {
        amplitude > 1e-6 ? tenths(20 * log10(amplitude)) : -120
    }

    private func tenths(_ value: Double) -> Double { value.isFinite ? (value * 10).rounded() / 10 : 0 }
}
