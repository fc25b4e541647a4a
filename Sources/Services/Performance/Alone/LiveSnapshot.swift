import Foundation
import Hosting
import Multicast
import RealTime

/// Statistics of a live run at one moment.
package struct LiveSnapshot: Sendable {
    var elapsed: Duration
    var newest: LiveReport?
    var hopTime: DeadlineReading
    var captureToReport: DeadlineReading
    var longestReportGap: Duration
    /// Samples that were lost because the follow thread did not keep up and the ring buffer was full.
    var overflowedSamples: Int
    /// Reports that were lost because the recording thread did not keep up.
    var droppedReports: Int
    package var input: LiveInputStatus
    /// Statistics of the packets to phones; nil if none are sent.
    var air: Air?

    struct Air: Sendable {
        var pump: TransmitterCounters
        var reportToSent: DeadlineReading
        var shownMeasure: Int?
    }

    /// The statistics as one line of JSON; times are in milliseconds.
    package var statsLine: String {
        var fields = [
            "\"seconds\":" + elapsed.seconds.digits(1), "\"rss_kb\":\(residentKilobytes())",
            "\"hops\":\(hopTime.count)", "\"overruns\":\(hopTime.overruns)",
            "\"worst_hop_ms\":" + hopTime.longest.milliseconds.digits(3),
            "\"p99_hop_ms\":" + hopTime.p99.milliseconds.digits(3),
            "\"longest_report_gap_ms\":" + longestReportGap.milliseconds.digits(1),
            "\"xruns\":\(input.overruns)", "\"losses\":\(input.losses)",
            "\"ring_overflow_samples\":\(overflowedSamples)", "\"dropped_reports\":\(droppedReports)",
        ]
        if let air {
            fields += [
                "\"packets_sent\":\(air.pump.sent)", "\"packets_failed\":\(air.pump.failed)",
                "\"longest_packet_gap_ms\":" + air.pump.longestGap.milliseconds.digits(1),
                "\"worst_report_to_packet_ms\":" + air.reportToSent.longest.milliseconds.digits(3),
            ]
        }
        return "{" + fields.joined(separator: ",") + "}\n"
    }

    /// The statistics as text, printed at the end of a run.
    package var summary: String {
        var out = "\(hopTime.count) hops in \(elapsed.seconds.digits(1)) s: "
        out +=
            "p99 \(hopTime.p99.milliseconds.digits(2)) ms, worst \(hopTime.longest.milliseconds.digits(2)) ms, "
        out += "\(hopTime.overruns) overruns; capture to report p99 "
        out += "\(captureToReport.p99.milliseconds.digits(1)) ms\n"
        out +=
            "input: \(input.overruns) xruns, \(input.losses) times lost, \(input.lostSamples) samples missing, "
        out += "\(overflowedSamples) overflowed, \(input.clippedSamples) clipped\n"
        guard let air else { return out }
        out += "packets: \(air.pump.sent) sent, \(air.pump.failed) failed, longest gap "
        out += "\(air.pump.longestGap.milliseconds.digits(0)) ms; first packet of a measure "
        out += "\(air.reportToSent.longest.milliseconds.digits(2)) ms after its report at most "
        out += "(\(air.reportToSent.count) measures, \(air.reportToSent.overruns) over 20 ms)\n"
        if let failure = air.pump.lastFailure { out += "newest failure: \(failure)\n" }
        return out
    }
}

/// The process's resident memory in KiB; 0 if the system does not report it.
private func residentKilobytes() -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
}
