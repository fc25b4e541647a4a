import Foundation
import Hosting
import NetworkLinks
import Platform

/// Statistics of a live run at one moment.
package struct RunStatistics: Sendable {
    var elapsed: Duration
    var newestReport: StampedReport?
    var hopProcessingTime: DeadlineStatistics
    var captureToReportDelay: DeadlineStatistics
    var longestReportGap: Duration
    /// The number of samples lost because the follow thread did not keep up and the ring buffer was full.
    var overflowedSamples: Int
    /// The number of reports lost because the recording thread did not keep up.
    var droppedReports: Int
    package var inputStatus: SoundSourceStatus
    /// Statistics of the packets to phones; nil if none are sent.
    var packetStatistics: PacketStatistics?

    struct PacketStatistics: Sendable {
        var transmitterCounters: PacketTransmissionCounters
        var reportToPacketDelay: DeadlineStatistics
        var shownMeasure: Int?
    }

    /// The statistics as one line of JSON; times are in milliseconds.
    package var jsonLine: String {
        var fields = [
            "\"seconds\":" + elapsed.seconds.decimalText(1), "\"rss_kb\":\(residentKilobytes())",
            "\"hops\":\(hopProcessingTime.hopCount)", "\"overruns\":\(hopProcessingTime.hopsOverLimit)",
            "\"worst_hop_ms\":" + hopProcessingTime.longestHop.milliseconds.decimalText(3),
            "\"p99_hop_ms\":" + hopProcessingTime.p99.milliseconds.decimalText(3),
            "\"longest_report_gap_ms\":" + longestReportGap.milliseconds.decimalText(1),
            "\"xruns\":\(inputStatus.overruns)", "\"losses\":\(inputStatus.deviceLosses)",
            "\"ring_overflow_samples\":\(overflowedSamples)", "\"dropped_reports\":\(droppedReports)",
        ]
        if let packetStatistics {
            fields += [
                "\"packets_sent\":\(packetStatistics.transmitterCounters.sent)",
                "\"packets_failed\":\(packetStatistics.transmitterCounters.failed)",
                "\"longest_packet_gap_ms\":"
                    + packetStatistics.transmitterCounters.longestGap.milliseconds.decimalText(1),
                "\"worst_report_to_packet_ms\":"
                    + packetStatistics.reportToPacketDelay.longestHop.milliseconds.decimalText(3),
            ]
        }
        return "{" + fields.joined(separator: ",") + "}\n"
    }

    /// The statistics as text, printed at the end of a run.
    package var summary: String {
        var out = "\(hopProcessingTime.hopCount) hops in \(elapsed.seconds.decimalText(1)) s: "
        out +=
            "p99 \(hopProcessingTime.p99.milliseconds.decimalText(2)) ms, "
            + "worst \(hopProcessingTime.longestHop.milliseconds.decimalText(2)) ms, "
        out += "\(hopProcessingTime.hopsOverLimit) overruns; capture to report p99 "
        out += "\(captureToReportDelay.p99.milliseconds.decimalText(1)) ms\n"
        out +=
            "input: \(inputStatus.overruns) xruns, \(inputStatus.deviceLosses) times lost, "
            + "\(inputStatus.lostSamples) samples missing, "
        out += "\(overflowedSamples) overflowed, \(inputStatus.clippedSamples) clipped\n"
        guard let packetStatistics else { return out }
        out +=
            "packets: \(packetStatistics.transmitterCounters.sent) sent, "
            + "\(packetStatistics.transmitterCounters.failed) failed, "
            + "longest gap "
        out +=
            "\(packetStatistics.transmitterCounters.longestGap.milliseconds.decimalText(0)) ms; "
            + "first packet of a measure "
        out +=
            "\(packetStatistics.reportToPacketDelay.longestHop.milliseconds.decimalText(2)) ms "
            + "after its report at most "
        out +=
            "(\(packetStatistics.reportToPacketDelay.hopCount) measures, "
            + "\(packetStatistics.reportToPacketDelay.hopsOverLimit) over 20 ms)\n"
        if let failure = packetStatistics.transmitterCounters.lastFailure {
            out += "newest failure: \(failure)\n"
        }
        return out
    }
}

/// The process's resident memory in KiB; 0 if the system does not report it.
private func residentKilobytes() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
}
