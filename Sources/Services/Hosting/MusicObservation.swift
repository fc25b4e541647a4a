import Following
import Platform
import Podium
import TimeCode

extension MonotonicInstant {
    /// Seconds since any fixed instant: the time of a ``CodeClock`` that runs with this machine.
    package var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension CodeClock.Observation {
    /// The music as the show knows it: at the place that the follower hears, or to which a person leads.
    package init(_ snapshot: ShowEngineSnapshot, at now: MonotonicInstant) {
        if let heard = Self.heardMusic(snapshot) {
            self = heard
        } else {
            self.init(piece: snapshot.state.piece, time: now.seconds, music: Self.knownMusic(snapshot))
        }
    }

    /// The follower's newest place, at the time at which it sounded; nil while the show does not follow it.
    private static func heardMusic(_ snapshot: ShowEngineSnapshot) -> CodeClock.Observation? {
        let state = snapshot.state
        guard state.mode == .following || state.mode == .coasting, mayPlay(state),
            let newest = snapshot.newestReport, newest.concertReport.pieceIndex == state.piece,
            newest.newestCompletedOrderNumber == state.order,
            let place = newest.concertReport.positionReport.referenceTime
        else { return nil }
        let report = newest.concertReport.positionReport
        return CodeClock.Observation(
            piece: state.piece, time: newest.publishedAt.seconds - report.captureToReportDelay.value,
            music: .playing(at: place.seconds, tempo: report.tempo.value))
    }

    private static func mayPlay(_ state: PodiumState) -> Bool {
        state.panic == .none && state.check == nil && !state.isIntermission
    }

    private static func knownMusic(_ snapshot: ShowEngineSnapshot) -> CodeClock.Music {
        let state = snapshot.state
        guard state.panic == .none else { return .panic }
        guard mayPlay(state) else { return .awaited }
        switch state.mode {
        case .waiting: return .awaited
        case .finished: return .ended
        case .held, .resting: return .standing
        case .lost, .undecided: return .lost
        case .manual, .following, .coasting: return ledMusic(snapshot)
        }
    }

    /// The show's own position, which a person's taps or orders move.
    private static func ledMusic(_ snapshot: ShowEngineSnapshot) -> CodeClock.Music {
        let state = snapshot.state
        guard state.pace > 0 else { return .standing }
        var place = state.position
        place.fraction = snapshot.measureFraction
        return .playing(at: snapshot.piece.measures.time(of: place).seconds, tempo: state.pace)
    }

    /// The music of a report alone, without a show, at the live time of the report.
    package init(_ report: ConcertReport) {
        let heard = report.positionReport
        let music: CodeClock.Music
        switch (heard.state, heard.referenceTime) {
        case (.waiting, _): music = .awaited
        case (.finished, _): music = .ended
        case (.lost, _), (_, nil): music = .lost
        case (.following, let place?), (.coasting, let place?):
            music = report.isSilent ? .standing : .playing(at: place.seconds, tempo: heard.tempo.value)
        }
        self.init(piece: report.pieceIndex, time: heard.liveTime.seconds, music: music)
    }
}
