import Foundation
import Hosting
import Multicast
import RealTime

/// Statistics of a live run at one moment.
package struct RunStatistics: Sendable {
    var elapsed: Duration
    var newestReport: StampedReport?
    var hopTime: DeadlineReading
    var captureToReport: DeadlineReading
    var longestReportGap: Duration
    /// The number of samples lost because the follow thread did not keep up and the ring buffer was full.
    var overflowedSamples: Int
    /// The number of reports lost because the recording thread did not keep up.
    var droppedReports: Int
    package var input: SoundSourceStatus
    /// Statistics of the packets to phones; nil if none are sent.
    var packetStatistics: PacketStatistics?

    struct PacketStatistics: Sendable {
        var transmitter: TransmitterCounters
        var reportToSent: DeadlineReading
        var shownMeasure: Int?
    }

    /// The statistics as one line of JSON; times are in milliseconds.
    package var statsLine: String {
        var fields = [
            "\"seconds\":" + elapsed.seconds.decimalText(1), "\"rss_kb\":\(residentKilobytes())",
            "\"hops\":\(hopTime.count)", "\"overruns\":\(hopTime.overruns)",
            "\"worst_hop_ms\":" + hopTime.longest.milliseconds.decimalText(3),
            "\"p99_hop_ms\":" + hopTime.p99.milliseconds.decimalText(3),
            "\"longest_report_gap_ms\":" + longestReportGap.milliseconds.decimalText(1),
            "\"xruns\":\(input.overruns)", "\"losses\":\(input.deviceLosses)",
            "\"ring_overflow_samples\":\(overflowedSamples)", "\"dropped_reports\":\(droppedReports)",
        ]
        if let packetStatistics {
            fields += [
                "\"packets_sent\":\(packetStatistics.transmitter.sent)",
                "\"packets_failed\":\(packetStatistics.transmitter.failed)",
                "\"longest_packet_gap_ms\":"
                    + packetStatistics.transmitter.longestGap.milliseconds.decimalText(1),
                "\"worst_report_to_packet_ms\":"
                    + packetStatistics.reportToSent.longest.milliseconds.decimalText(3),
            ]
        }
        return "{" + fields.joined(separator: ",") + "}\n"
    }

    /// The statistics as text, printed at the end of a run.
    package var summary: String {
        var out = "\(hopTime.count) hops in \(elapsed.seconds.decimalText(1)) s: "
        out +=
            "p99 \(hopTime.p99.milliseconds.decimalText(2)) ms, "
            + "worst \(hopTime.longest.milliseconds.decimalText(2)) ms, "
        out += "\(hopTime.overruns) overruns; capture to report p99 "
        out += "\(captureToReport.p99.milliseconds.decimalText(1)) ms\n"
        out +=
            "input: \(input.overruns) xruns, \(input.deviceLosses) times lost, \(input.lostSamples) samples missing, "
        out += "\(overflowedSamples) overflowed, \(input.clippedSamples) clipped\n"
        guard let packetStatistics else { return out }
        out +=
            "packets: \(packetStatistics.transmitter.sent) sent, \(packetStatistics.transmitter.failed) failed, "
            + "longest gap "
        out +=
            "\(packetStatistics.transmitter.longestGap.milliseconds.decimalText(0)) ms; first packet of a measure "
        out +=
            "\(packetStatistics.reportToSent.longest.milliseconds.decimalText(2)) ms after its report at most "
        out +=
            "(\(packetStatistics.reportToSent.count) measures, \(packetStatistics.reportToSent.overruns) over 20 ms)\n"
        if let failure = packetStatistics.transmitter.lastFailure { out += "newest failure: \(failure)\n" }
        return out
    }
}

/// The process's resident memory in KiB; 0 if the system does not report it.
private func residentKilobytes() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
}
