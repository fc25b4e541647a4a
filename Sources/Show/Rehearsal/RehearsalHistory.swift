import Podium
import Score

/// The time that a room spent on each bar and passage of a score, over all its sessions.
///
/// Computed only from the position messages of the sessions: the same input gives the same history.
public struct RehearsalHistory: Hashable, Sendable, Codable {
    /// One session: the time that it spent on each bar.
    public struct Session: Hashable, Sendable, Codable {
        public var id: RehearsalSession.ID
        public var began: CalendarTime
        /// Seconds on each bar of each movement, in the order of ``Movement/bars``, to tenths of a second.
        public var seconds: [[Double]]

        public init(id: RehearsalSession.ID, began: CalendarTime, seconds: [[Double]]) {
            (self.id, self.began, self.seconds) = (id, began, seconds)
        }
    }

    /// The bars of a movement as printed; a repeated bar is one.
    public struct Movement: Hashable, Sendable, Codable {
        public var name: String
        /// Printed numbers, in the order in which they are first played; empty if the movement was never followed.
        public var bars: [Int]
    }

    /// A passage between two rehearsal marks, or some bars if the movement has no marks.
    public struct Passage: Hashable, Sendable, Codable {
        public var movement: Int
        public var label: String
        /// Printed numbers of the first and the last bar.
        public var from: Int
        public var to: Int
        public var seconds: Double
        /// The number of sessions in which it was played.
        public var sessions: Int
        /// The beginning of the last of these sessions; nil if it was never played.
        public var lastPlayed: CalendarTime?
    }

    public var movements: [Movement]
    /// The oldest first.
    public var sessions: [Session]
    public var passages: [Passage]

    /// A passage counts as played in a session if so many seconds were spent on it.
    private static let leastSeconds = 2.0
    /// The bars of a passage in a movement without rehearsal marks.
    private static let barsOfPassage = 16

    /// The seconds on each printed bar of each movement in one session.
    /// - Parameters:
    ///   - words: the position messages of the session, in order.
    ///   - measures: the measures of each movement's reference; nil if the movement was not followed.
    public static func secondsByBar(
        _ words: [LoggedLivePositionUpdate], measures: [MeasureMap?], end: CalendarTime
    ) -> [[Double]] {
        let course = PlayedTakes(words, measureMaps: measures, end: end)
        return measures.enumerated().map { movement, map in
            guard let map else { return [] }
            let bars = printedBars(map)
            let places = Dictionary(uniqueKeysWithValues: bars.enumerated().map { ($1, $0) })
            var seconds = [Double](repeating: 0, count: bars.count)
            for (played, time) in course.secondsPerMeasure[movement].enumerated() {
                if let place = places[map.marks[played].printed] { seconds[place] += time }
            }
            return seconds.map { ($0 * 10).rounded() / 10 }
        }
    }

    private static func printedBars(_ map: MeasureMap) -> [Int] {
        var known: Set<Int> = []
        return map.marks.map(\.printed).filter { known.insert($0).inserted }
    }

    /// - Parameters:
    ///   - sessions: with the result of ``secondsByBar(_:measures:end:)`` for the same measures, oldest first.
    ///   - sections: the sections of each movement's piece; the score's rehearsal marks stand in for none.
    public init(
        score: Score, measures: [MeasureMap?], sections: [[PieceSection]], sessions: [Session]
    ) {
        movements = zip(score.movements, measures).map { movement, map in
            Movement(name: movement.name, bars: map.map(Self.printedBars) ?? [])
        }
        self.sessions = sessions
        passages = []
        for (movement, map) in measures.enumerated() {
            guard let map else { continue }
            let bars = movements[movement].bars
            let places = Dictionary(uniqueKeysWithValues: bars.enumerated().map { ($1, $0) })
            var marks = (sections.indices.contains(movement) ? sections[movement] : []).compactMap {
                section in
                map.marks.indices.contains(section.start)
                    ? places[map.marks[section.start].printed].map { (place: $0, label: section.label) } : nil
            }
            if marks.isEmpty, score.movements.indices.contains(movement) {
                marks = score.movements[movement].marks.compactMap { mark in
                    places[mark.measure].map { (place: $0, label: mark.label) }
                }
            }
            passages += Self.passages(of: bars, marks).map { label, places in
                passage(movement, label, bars, places)
            }
        }
    }

    private static func passages(
        of bars: [Int], _ marks: [(place: Int, label: String)]
    ) -> [(String, Range<Int>)] {
        guard !marks.isEmpty else {
            return stride(from: 0, to: bars.count, by: barsOfPassage).map { first in
                ("", first..<min(first + barsOfPassage, bars.count))
            }
        }
        var starts = marks.sorted { $0.place < $1.place }
        if starts[0].place > 0 { starts.insert((0, ""), at: 0) }
        return starts.enumerated().compactMap { index, start in
            let end = index + 1 < starts.count ? starts[index + 1].place : bars.count
            return start.place < end ? (start.label, start.place..<end) : nil
        }
    }

    private func passage(_ movement: Int, _ label: String, _ bars: [Int], _ places: Range<Int>) -> Passage {
        let times = sessions.map { session in
            let seconds = session.seconds.indices.contains(movement) ? session.seconds[movement] : []
            return places.reduce(0.0) { $0 + (seconds.indices.contains($1) ? seconds[$1] : 0) }
        }
        let played = times.indices.filter { times[$0] >= Self.leastSeconds }
        return Passage(
            movement: movement, label: label, from: bars[places.lowerBound],
            to: bars[places.upperBound - 1],
            seconds: (times.reduce(0, +) * 10).rounded() / 10, sessions: played.count,
            lastPlayed: played.last.map { sessions[$0].began })
    }
}
