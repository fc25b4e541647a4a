import Basics
import Podium
import Score

/// A position message with the time at which it was sent, as stored in the session's log.
public struct LoggedLivePositionUpdate: Hashable, Sendable, Codable {
    public var at: CalendarTime
    public var word: LivePositionUpdate

    public init(at: CalendarTime, word: LivePositionUpdate) {
        self.at = at
        self.word = word
    }
}

/// A summary of a finished session.
///
/// It is computed only from the room's events and the position messages: the same input gives the same report.
public struct SessionReport: Hashable, Sendable, Codable {
    /// The participants, in the order in which they entered.
    public var attendance: [Attendance]
    /// Time spent on each page of the part; pages that were never played are left out.
    public var pages: [PageTime]
    public var passages: [PassageTime]
    public var retakes: [Retake]
    public var bars: [MeasurePlayingStatistics]
    /// Seconds of music at a known position.
    public var playedSeconds: Double
    /// Seconds in which the follower was lost.
    public var lostSeconds: Double
    /// The mean tempo over all complete bars, relative to the reference; nil if there are no complete bars.
    public var tempo: Double?
    /// Number of times that a person turned a page for everybody.
    public var turnsForEverybodyCount: Int

    private enum CodingKeys: String, CodingKey {
        case attendance, pages, passages, retakes, bars, playedSeconds, lostSeconds, tempo
        case turnsForEverybodyCount = "turns"
    }

    /// The attendance of a user.
    public struct Attendance: Hashable, Sendable, Codable {
        public var user: User.ID
        /// Index of the part that was on the stand last.
        public var part: Int
        /// The score whose part it is; nil for the one with which the room was made.
        public var score: Score.ID?
        public var seconds: Double
        /// Number of remarks made on the public layer.
        public var remarks: Int
    }

    public struct PageTime: Hashable, Sendable, Codable {
        public var page: Int
        public var seconds: Double
    }

    /// The time that was spent on a passage.
    public struct PassageTime: Hashable, Sendable, Codable {
        public var movement: Int
        public var label: String
        /// Printed number of the section's first measure.
        public var measure: Int
        public var seconds: Double
    }

    /// A return of the music to an earlier measure.
    public struct Retake: Hashable, Sendable, Codable {
        public var at: CalendarTime
        public var movement: Int
        /// Printed number of the measure in which the music stopped.
        public var from: Int
        /// Printed number of the measure from which the music was played again.
        public var to: Int
        /// True if the place had been pinpointed shortly before.
        public var isPinpointed: Bool
    }

    /// Statistics of one played measure, over all complete playings.
    public struct MeasurePlayingStatistics: Hashable, Sendable, Codable {
        public var movement: Int
        public var played: Int
        public var printed: Int
        public var times: Int
        /// Mean tempo relative to the reference; 2 is twice as fast.
        public var tempo: Double
        /// The mean number of seconds by which the measure took longer than at its neighbours' tempo; nil if it has too
        /// few neighbours.
        public var deviationSeconds: Double?
        /// The largest deviation, in seconds, of the measure's duration from its duration at the neighbours' tempo;
        /// negative if the measure was shorter.
        public var worstSeconds: Double?
    }

    /// Computes the report of a session.
    /// - Parameters:
    ///   - session: the session to report on.
    ///   - events: the room's events, in order; events of other sessions are ignored.
    ///   - words: the position messages of that time, in order.
    ///   - part: the part whose pages are counted; an index into ``Score/parts``.
    ///   - measures: the measures of each movement's reference; nil if the movement was not followed.
    ///   - sections: the sections of each movement, for the time per passage.
    ///   - end: the end of a session that is still running.
    /// - Complexity: O(events + words + measures played × 8).
    public init(
        of session: RehearsalSession.ID, events: [SequencedEvent], words: [LoggedLivePositionUpdate],
        score: Score, part: Int,
        measures: [MeasureMap?], sections: [[PieceSection]] = [], end: CalendarTime
    ) {
        precondition(score.parts.indices.contains(part), "the score has no part \(part)")
        let own = Self.sessionEvents(of: session, in: events)
        attendance = Self.computeAttendance(own, end: end)
        turnsForEverybodyCount = own.count { $0.isPageTurn }
        let course = PlayedTakes(words, measureMaps: measures, end: end)
        playedSeconds = course.playedSeconds
        lostSeconds = course.lostSeconds
        retakes = course.retakes.map { back in
            Retake(
                at: back.at, movement: back.movement, from: back.fromPrintedMeasure,
                to: back.toPrintedMeasure,
                isPinpointed: Self.wasPinpointedBefore(back, own))
        }
        bars = course.measureStatistics
        let whole = course.totalBarSeconds
        tempo = whole.live > 0 ? whole.reference / whole.live : nil
        pages = Self.computePageTimes(course, part: score.parts[part], measures)
        passages = Self.computePassageTimes(course, measures, sections)
    }
}

extension SessionReport {
    static func sessionEvents(of session: RehearsalSession.ID, in events: [SequencedEvent])
        -> ArraySlice<
            SequencedEvent
        >
    {
        func begins(_ event: SequencedEvent) -> RehearsalSession.ID? {
            if case .beginSession(let session, _) = event.act { session.id } else { nil }
        }
        guard let first = events.firstIndex(where: { begins($0) == session }) else { return [] }
        let next = events[(first + 1)...].firstIndex { begins($0) != nil } ?? events.endIndex
        return events[first..<next]
    }

    private static func computeAttendance(_ events: ArraySlice<SequencedEvent>, end: CalendarTime)
        -> [Attendance]
    {
        var people: [Attendance] = []
        var since: [User.ID: CalendarTime] = [:]
        func close(_ user: User.ID, at: CalendarTime) {
            guard let from = since.removeValue(forKey: user),
                let index = people.firstIndex(where: { $0.user == user })
            else { return }
            people[index].seconds += max(at.seconds(since: from), 0)
        }
        for event in events {
            switch event.act {
            case .enteredSession(let participation):
                if let index = people.firstIndex(where: { $0.user == participation.user }) {
                    people[index].part = participation.part
                    people[index].score = participation.score
                } else {
                    people.append(
                        Attendance(
                            user: participation.user, part: participation.part, score: participation.score,
                            seconds: 0, remarks: 0)
                    )
                }
                if since[participation.user] == nil { since[participation.user] = event.acceptedAt }
            case .leaveSession(let user), .expelMember(let user): close(user, at: event.acceptedAt)
            case .endSession: for user in Array(since.keys) { close(user, at: event.acceptedAt) }
            case .placeRemark(let remark) where !event.isPrivate:
                if let index = people.firstIndex(where: { $0.user == remark.author }) {
                    people[index].remarks += 1
                }
            default: break
            }
        }
        for user in Array(since.keys) { close(user, at: end) }
        return people
    }

    /// True if a place within two measures was pinpointed in the two minutes before the music went back.
    private static func wasPinpointedBefore(
        _ back: PlayedTakes.StepBack, _ events: ArraySlice<SequencedEvent>
    )
        -> Bool
    {
        events.contains { event in
            guard case .pinpoint(let pinpoint) = event.act, let measure = pinpoint.measure else {
                return false
            }
            let ago = back.at.seconds(since: event.acceptedAt)
            return pinpoint.movement == back.movement && abs(measure - back.toPrintedMeasure) <= 2 && ago >= 0
                && ago <= 120
        }
    }

    private static func computePageTimes(_ course: PlayedTakes, part: Part, _ measures: [MeasureMap?])
        -> [PageTime]
    {
        var seconds: [Int: Double] = [:]
        for (movement, times) in course.secondsPerMeasure.enumerated() {
            guard let map = measures[movement] else { continue }
            for (played, time) in times.enumerated() where time > 0 {
                guard
                    let place = part.findMeasureBox(
                        of: map.marks[played].printed, movement: movement, step: played)
                else { continue }
                seconds[place.page, default: 0] += time
            }
        }
        return seconds.keys.sorted().map { PageTime(page: $0, seconds: seconds[$0]!) }
    }

    private static func computePassageTimes(
        _ course: PlayedTakes, _ measures: [MeasureMap?], _ sections: [[PieceSection]]
    ) -> [PassageTime] {
        var passages: [PassageTime] = []
        for (movement, starts) in sections.enumerated() where movement < measures.count {
            guard let map = measures[movement] else { continue }
            for (index, section) in starts.enumerated() where map.marks.indices.contains(section.start) {
                let next = index + 1 < starts.count ? starts[index + 1].start : map.marks.count
                let end = min(max(next, section.start), map.marks.count)
                passages.append(
                    PassageTime(
                        movement: movement, label: section.label, measure: map.marks[section.start].printed,
                        seconds: course.secondsPerMeasure[movement][section.start..<end].reduce(0, +)))
            }
        }
        return passages
    }
}
