/// A session's scores in the order in which they were open: for how long each was open, and how it went.
public struct ProgrammeReport: Hashable, Sendable {
    /// A stretch of a session in which one score was open.
    struct Span: Hashable {
        var score: Score.ID
        var from: CalendarTime
        var to: CalendarTime
    }

    /// The stretches in order; there is none if the session is not among the events.
    private let spans: [Span]
    private let roomScore: Score.ID

    /// - Parameters:
    ///   - events: the room's events, in order; events of other sessions are ignored.
    ///   - roomScore: the score with which the room was made.
    ///   - end: the end of the session, or now if it is still running.
    public init(
        of session: RehearsalSession.ID, events: [SequencedEvent], roomScore: Score.ID, end: CalendarTime
    ) {
        self.roomScore = roomScore
        var spans: [Span] = []
        for event in SessionReport.sessionEvents(of: session, in: events) {
            var opened: Score.ID?
            switch event.act {
            case .beginSession(let begun, _): opened = begun.score ?? roomScore
            case .openScore(let act): opened = act.score
            default: break
            }
            guard let opened else { continue }
            if !spans.isEmpty { spans[spans.count - 1].to = event.acceptedAt }
            spans.append(Span(score: opened, from: event.acceptedAt, to: end))
        }
        self.spans = spans
    }

    /// The scores that were open, in the order in which they were opened first.
    public var scores: [Score.ID] {
        var found: [Score.ID] = []
        for span in spans where !found.contains(span.score) { found.append(span.score) }
        return found
    }

    /// Seconds in which a score was open.
    public func openSeconds(_ score: Score.ID) -> Double {
        spans.lazy.filter { $0.score == score }.reduce(0) { $0 + max($1.to.seconds(since: $1.from), 0) }
    }

    /// The events that concern a score: all but turns and pinpoints in other scores, and other scores' remarks.
    public func events(_ events: [SequencedEvent], of score: Score.ID) -> [SequencedEvent] {
        events.filter { event in
            switch event.act {
            case .turnPagesForAll, .pinpoint:
                spans.contains {
                    $0.score == score && $0.from <= event.acceptedAt && event.acceptedAt <= $0.to
                }
            case .placeRemark(let remark): (remark.score ?? roomScore) == score
            default: true
            }
        }
    }

    /// The positions in a score, of the positions in all of them.
    public func positions(
        _ all: [LoggedLivePositionUpdate], in score: Score.ID
    ) -> [LoggedLivePositionUpdate] {
        // A position in another score ends what was played in this one, so it stays as silence.
        all.map { logged in
            guard (logged.word.score ?? roomScore) != score else { return logged }
            return LoggedLivePositionUpdate(
                at: logged.at, word: LivePositionUpdate(movement: 0, position: nil, trust: .waiting))
        }
    }
}
