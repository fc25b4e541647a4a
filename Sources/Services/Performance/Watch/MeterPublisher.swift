import Foundation
import Hosting
import Podium
import RealTime
import Synchronization

/// Collects and publishes the figures that a technician watches during the show.
final class MeterPublisher: ShowOutput {
    private struct MeterState {
        var floor: Double = 0
        var sent: (count: Int, at: Double)?
        var rate = 0.0
        var freeGigabytes = 0.0
        var diskCheckedAt = -1e9
        var publishedAt = ShowTime(milliseconds: -1_000)
    }

    private let lane: FollowLane
    private let input: any SoundSource
    private let packetSender: PhonePacketSender?
    private let clients: @Sendable () -> MetersSection.Clients
    private let logBytes: @Sendable () -> Int
    private let folder: String
    private let stream: ConsoleStream
    private let memory = Mutex(MeterState())

    init(
        lane: FollowLane, input: any SoundSource, packetSender: PhonePacketSender?, folder: String,
        stream: ConsoleStream,
        clients: @escaping @Sendable () -> MetersSection.Clients, logBytes: @escaping @Sendable () -> Int
    ) {
        self.lane = lane
        self.input = input
        self.packetSender = packetSender
        self.folder = folder
        self.stream = stream
        self.clients = clients
        self.logBytes = logBytes
    }

    func carryOut(_ effect: PodiumEffect, of course: ShowProgramme) {}

    /// Publishes ten times a second.
    func update(_ snapshot: ShowEngineSnapshot) {
        let isDue = memory.withLock { memory in
            guard snapshot.now.milliseconds(since: memory.publishedAt) >= 100 else { return false }
            memory.publishedAt = snapshot.now
            return true
        }
        if isDue { stream.publish(.meters, section(snapshot)) }
    }

    func section(_ snapshot: ShowEngineSnapshot) -> MetersSection {
        let status = input.status
        let hops = lane.hopTime.reading()
        let transmitter = packetSender?.counters
        let now = Double(snapshot.now.milliseconds) / 1_000
        let (floor, rate, free) = memory.withLock { memory in
            note(rms: Double(status.rms), sent: Int(clamping: transmitter?.sent ?? 0), at: now, &memory)
            return (memory.floor, memory.rate, memory.freeGigabytes)
        }
        let newest = snapshot.newest
        let age = newest.map { Double(MonotonicClock.now.nanoseconds - $0.made.nanoseconds) / 1e6 }
        return MetersSection(
            peakDb: decibels(Double(status.heldPeak)), rmsDb: decibels(Double(status.rms)),
            noiseFloorDb: decibels(floor), clipped: status.clippedSamples,
            silentSeconds: tenths(status.silentSeconds), inputLost: status.isLost, xruns: status.overruns,
            hopP99Ms: roundedToThousandths(hops.p99.milliseconds),
            hopWorstMs: roundedToThousandths(hops.longest.milliseconds),
            overruns: hops.overruns, packetsPerSecond: tenths(rate),
            packetsSent: Int(clamping: transmitter?.sent ?? 0),
            packetsFailed: Int(clamping: transmitter?.failed ?? 0), clients: clients(),
            captureToReportMs: tenths((newest?.concertReport.report.captureToReport.value ?? 0) * 1_000),
            reportToPacketMs: tenths(packetSender?.reportToSent.p99.milliseconds ?? 0),
            clock: TimeOfDayConverter.clock(Date().timeIntervalSince1970), diskFreeGb: tenths(free),
            logBytes: logBytes(),
            confidence: snapshot.confidenceInMusic, reportAgeMs: tenths(age ?? -1))
    }

    private func note(rms: Double, sent: Int, at now: Double, _ memory: inout MeterState) {
        // The estimated noise floor falls at once and doubles in about twenty seconds, at ten calls a second.
        memory.floor = memory.floor == 0 ? rms : min(memory.floor * 1.0035, max(rms, 1e-6))
        if let before = memory.sent, now - before.at >= 1 {
            memory.rate = Double(sent - before.count) / (now - before.at)
            memory.sent = (sent, now)
        } else if memory.sent == nil {
            memory.sent = (sent, now)
        }
        if now - memory.diskCheckedAt > 10 {
            memory.diskCheckedAt = now
            memory.freeGigabytes = Double(DiskReserve.room(folder)?.free ?? 0) / 1e9
        }
    }

    private func decibels(_ amplitude: Double) -> Double {
        amplitude > 1e-6 ? tenths(20 * log10(amplitude)) : -120
    }

    private func tenths(_ value: Double) -> Double { value.isFinite ? (value * 10).rounded() / 10 : 0 }
}
