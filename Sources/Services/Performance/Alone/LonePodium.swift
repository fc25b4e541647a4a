import Concert
import Following
import Hosting
import Podium
import RealTime

/// The Podium of `follow` and `replay`: phones see a performance by the same rules as in a served concert, without
/// anybody who commands. Its clock is the live time, so that a recording gives the same at every speed.
struct LonePodium {
    private let course: ShowProgramme
    private var podium: Podium
    private var sieve = FollowerReportFilter()

    /// - Throws: a programme that no show can have.
    init(_ programme: Programme, folders: [String]) throws(ShowProgrammeFault) {
        var pieces: [ShowPiece] = []
        for (model, folder) in zip(programme.models, folders) {
            pieces.append(try ShowPiece(name: model.name, folder: folder, measures: model.measures))
        }
        course = try ShowProgramme(title: programme.title, pieces: pieces)
        podium = Podium(course: course)
    }

    /// The changes that a report makes to what phones see, in their order.
    mutating func changes(by report: LiveReport) -> [PhoneChange] {
        let now = ShowTime(milliseconds: Int64(report.said.report.live.seconds * 1_000))
        var effects: [PodiumEffect] = []
        if let due = podium.nextDue, due <= now { effects += podium.take(.tick, at: now) }
        if let word = sieve.significantReport(report.said, order: report.order) {
            effects += podium.take(.report(word), at: now)
        }
        return effects.compactMap { effect in
            switch effect {
            case .show(let shown): course.live(shown).map { .show($0) }
            case .endLive: .endLive
            default: nil
            }
        }
    }
}

/// A change of what phones see.
enum PhoneChange: Equatable, Sendable {
    case show(LivePosition)
    case endLive
}

extension LiveAir {
    /// Tells phones what a Podium makes of the newest report, until told to stop. A thread of its own, so that
    /// neither a stalled terminal nor a busy pool of tasks delays a packet.
    func herald(
        _ newest: LatestValueSlot<LiveReport>, by podium: LonePodium, told: WakeSignal,
        until stop: StopRequest
    ) {
        var podium = podium
        while !stop.isMade {
            guard told.wait(milliseconds: 100), let report = newest.latest() else { continue }
            for change in podium.changes(by: report) {
                switch change {
                case .show(let position): show(position, made: report.made)
                case .endLive: endLive()
                }
            }
        }
    }
}
