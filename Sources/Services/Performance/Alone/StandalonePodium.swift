import Concert
import Following
import Hosting
import Platform
import Podium

/// The Podium of `follow` and `replay`. It applies the rules of a served concert, but takes no commands.
///
/// Its clock is the time of the sound heard, so that a recording gives the same result at every speed.
struct StandalonePodium {
    private let showProgramme: ShowProgramme
    private var podium: Podium
    private var reportFilter = FollowerReportFilter()

    /// Creates the Podium for a programme without sections and cues.
    /// - Parameter isUnderWay: true if a person has said where the music is, so that no beginning is awaited.
    /// - Throws: an error if the programme is not valid for a show.
    init(
        _ programme: ConcertProgramme, folders: [String], isUnderWay: Bool = false
    ) throws(ShowProgrammeFault) {
        var pieces: [ShowPiece] = []
        for (model, folder) in zip(programme.pieceModels, folders) {
            pieces.append(try ShowPiece(name: model.pieceName, folder: folder, measures: model.measures))
        }
        showProgramme = try ShowProgramme(title: programme.title, pieces: pieces)
        podium = Podium(course: showProgramme, isUnderWay: isUnderWay)
    }

    /// Returns the changes that one report makes to the phones' display, in order.
    mutating func phoneChanges(by report: StampedReport) -> [PhoneChange] {
        let now = ShowTime(milliseconds: Int64(report.concertReport.positionReport.liveTime.seconds * 1_000))
        var effects: [PodiumEffect] = []
        if let due = podium.nextTickDue, due <= now { effects += podium.process(.tick, at: now) }
        if let word = reportFilter.significantReport(
            report.concertReport, order: report.newestCompletedOrderNumber)
        {
            effects += podium.process(.followerReport(word), at: now)
        }
        return effects.compactMap { effect in
            switch effect {
            case .showPosition(let shown):
                showProgramme.livePositionForPhones(shown).map { .showPosition($0) }
            case .endLivePosition: .endLive
            default: nil
            }
        }
    }
}

/// A change of the phones' display.
enum PhoneChange: Equatable, Sendable {
    case showPosition(LivePosition)
    case endLive
}

extension PhonePacketSender {
    /// Sends phones the newest position until told to stop. It needs its own thread, so that neither a blocked terminal
    /// nor a busy task pool delays a packet.
    func sendPositions(
        _ newest: LatestValueSlot<StampedReport>, by podium: StandalonePodium, reportPublished: WakeSignal,
        until stop: StopRequest
    ) {
        var podium = podium
        while !stop.isMade {
            guard reportPublished.wait(milliseconds: 100), let report = newest.latestValue() else { continue }
            for change in podium.phoneChanges(by: report) {
                switch change {
                case .showPosition(let position): showPosition(position, made: report.publishedAt)
                case .endLive: endLive()
                }
            }
        }
    }
}
