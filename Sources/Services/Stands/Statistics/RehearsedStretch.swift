import Basics
import Rehearsal
import Score

/// A stretch of a session in which music of one movement was heard, as the follower reported it.
struct RehearsedStretch: Equatable, Sendable {
    var movement: Int
    /// Milliseconds since 1970.
    var from: Int64
    var to: Int64
    /// The reported positions: milliseconds since 1970, and seconds of the reference.
    var positions: [Position]

    struct Position: Equatable, Sendable {
        var at: Int64
        var referenceSeconds: Double
    }

    /// Stops shorter than this, in milliseconds, are within a stretch.
    private static let longestStop: Int64 = 10_000
    /// A report counts for so long, in milliseconds.
    private static let reportLasts: Int64 = 6_500
    /// The sound before and after the reported positions that belongs to the stretch, in milliseconds.
    private static let margin: Int64 = 2_000
    private static let shortest: Int64 = 6_000
    /// Longer ones are divided: the alignment of a stretch needs some 25 MB for ten minutes.
    private static let longest: Int64 = 900_000

    /// Finds the stretches of a session.
    /// - Parameters:
    ///   - words: the position messages, in order.
    ///   - measures: the measures of each movement's reference; nil if the movement was not followed.
    static func all(_ words: [LoggedLivePositionUpdate], measures: [MeasureMap?]) -> [RehearsedStretch] {
        var found: [RehearsedStretch] = []
        for heard in words {
            guard heard.word.trust == .playing || heard.word.trust == .coasting,
                let position = heard.word.position, measures.indices.contains(heard.word.movement),
                let map = measures[heard.word.movement], map.marks.indices.contains(position.played)
            else { continue }
            let at = heard.at.milliseconds
            let place = Position(at: at, referenceSeconds: map.time(of: position).seconds)
            if let last = found.last, last.movement == heard.word.movement, at - last.to < longestStop,
                at - last.from < longest
            {
                found[found.count - 1].positions.append(place)
                found[found.count - 1].to = at + reportLasts
            } else {
                found.append(
                    RehearsedStretch(
                        movement: heard.word.movement, from: at - margin, to: at + reportLasts,
                        positions: [place]))
            }
        }
        return found.filter { $0.to - $0.from - reportLasts >= shortest }
    }

    /// The distance of a place of the reference from the follower's place at that moment, in seconds of the reference.
    func distance(of referenceSeconds: Double, at milliseconds: Int64) -> Double {
        let near = positions.filter { abs($0.at - milliseconds) <= Self.reportLasts }
        return near.map { position in
            let passed = Double(milliseconds - position.at) / 1_000
            return abs(referenceSeconds - position.referenceSeconds - passed)
        }.min() ?? .infinity
    }
}
