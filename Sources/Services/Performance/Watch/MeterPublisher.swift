import Foundation
import Hosting
import Platform
import Podium
import Synchronization

/// Collects and publishes the figures that a technician watches during the show.
final class MeterPublisher: ShowOutput {
    private struct MeterState {
        var noiseFloor: Double = 0
        var lastPacketCount: (count: Int, at: Double)?
        var packetsPerSecond = 0.0
        var freeGigabytes = 0.0
        var diskCheckedAt = -1e9
        var publishedAt = ShowTime(milliseconds: -1_000)
    }

    private let followLane: FollowLane
    private let input: any SoundSource
    private let silenceMeter: SilenceMeter?
    private let packetSender: PhonePacketSender?
    private let countClients: @Sendable () -> MetersSection.ClientCounts
    private let countLogBytes: @Sendable () -> Int
    private let dataFolderPath: String
    private let consoleStream: ConsoleStream
    private let meterState = Mutex(MeterState())

    init(
        followLane: FollowLane, input: any SoundSource, silenceMeter: SilenceMeter? = nil,
        packetSender: PhonePacketSender?, dataFolderPath: String,
        consoleStream: ConsoleStream,
        countClients: @escaping @Sendable () -> MetersSection.ClientCounts,
        countLogBytes: @escaping @Sendable () -> Int
    ) {
        self.followLane = followLane
        (self.input, self.silenceMeter) = (input, silenceMeter)
        self.packetSender = packetSender
        self.dataFolderPath = dataFolderPath
        self.consoleStream = consoleStream
        self.countClients = countClients
        self.countLogBytes = countLogBytes
    }

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {}

    /// Publishes the figures, at most ten times a second.
    func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        let isDue = meterState.withLock { memory in
            guard snapshot.now.milliseconds(since: memory.publishedAt) >= 100 else { return false }
            memory.publishedAt = snapshot.now
            return true
        }
        if isDue { consoleStream.publish(.meters, makeSection(snapshot)) }
    }

    func makeSection(_ snapshot: ShowEngineSnapshot) -> MetersSection {
        let status = input.status
        let hops = followLane.hopDurationMeter.readStatistics()
        let transmitter = packetSender?.transmitterCounters
        let now = Double(snapshot.now.milliseconds) / 1_000
        let (floor, rate, free) = meterState.withLock { memory in
            updateMeters(
                rms: Double(status.rms), sent: Int(clamping: transmitter?.sent ?? 0), at: now, &memory)
            return (memory.noiseFloor, memory.packetsPerSecond, memory.freeGigabytes)
        }
        let newest = snapshot.newestReport
        let age = newest.map { Double(MonotonicClock.now.nanoseconds - $0.publishedAt.nanoseconds) / 1e6 }
        return MetersSection(
            peakDb: decibels(Double(status.heldPeak)), rmsDb: decibels(Double(status.rms)),
            noiseFloorDb: decibels(floor), channelPeaksDb: status.channelPeaks.map { decibels(Double($0)) },
            silenceDb: silenceMeter?.silence?.levelDb,
            clipped: status.clippedSamples,
            silentSeconds: roundedToTenths(status.silentSeconds), inputLost: status.isLost,
            xruns: status.overruns,
            hopP99Ms: roundedToThousandths(hops.p99.milliseconds),
            hopWorstMs: roundedToThousandths(hops.longestHop.milliseconds),
            overruns: hops.hopsOverLimit, packetsPerSecond: roundedToTenths(rate),
            packetsSent: Int(clamping: transmitter?.sent ?? 0),
            packetsFailed: Int(clamping: transmitter?.failed ?? 0), clients: countClients(),
            captureToReportMs: roundedToTenths(
                (newest?.concertReport.positionReport.captureToReportDelay.value ?? 0) * 1_000),
            reportToPacketMs: roundedToTenths(packetSender?.reportToPacketDelay.p99.milliseconds ?? 0),
            clock: TimeOfDayConverter.timeOfDayText(Date().timeIntervalSince1970),
            diskFreeGb: roundedToTenths(free),
            logBytes: countLogBytes(),
            confidence: snapshot.confidenceInMusic, reportAgeMs: roundedToTenths(age ?? -1))
    }

    private func updateMeters(rms: Double, sent: Int, at now: Double, _ memory: inout MeterState) {
        // The estimated noise floor falls at once and doubles in about twenty seconds, at ten calls a second.
        memory.noiseFloor = memory.noiseFloor == 0 ? rms : min(memory.noiseFloor * 1.0035, max(rms, 1e-6))
        if let before = memory.lastPacketCount, now - before.at >= 1 {
            memory.packetsPerSecond = Double(sent - before.count) / (now - before.at)
            memory.lastPacketCount = (sent, now)
        } else if memory.lastPacketCount == nil {
            memory.lastPacketCount = (sent, now)
        }
        if now - memory.diskCheckedAt > 10 {
            memory.diskCheckedAt = now
            memory.freeGigabytes = Double(DiskReserve.diskSpace(dataFolderPath)?.free ?? 0) / 1e9
        }
    }

    private func decibels(_ amplitude: Double) -> Double {
        amplitude > 1e-6 ? roundedToTenths(20 * log10(amplitude)) : -120
    }

    private func roundedToTenths(_ value: Double) -> Double {
        value.isFinite ? (value * 10).rounded() / 10 : 0
    }
}
