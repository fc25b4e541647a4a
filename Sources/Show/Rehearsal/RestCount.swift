import Podium

/// The rest that a player is counting, and when the part comes in again.
public struct RestCount: Hashable, Sendable, Codable {
    /// Number of measures of this rest, and the number of the present one, from 1, as players count.
    public var measures: Int
    public var counted: Int
    /// Printed number of the measure with the next notes; nil if there are none before the end.
    public var entry: Int?
    public var entryPage: Int?
    /// Seconds until the entry, by the live tempo; nil while the music stands or the position is unknown.
    public var seconds: Double?

    /// Measures until the entry; 1 in the last measure of the rest.
    public var left: Int { measures - counted + 1 }
}

extension PageTurner {
    /// The rest that the player counts now.
    /// - Returns: nil if the part plays, or if the position is not trusted.
    /// - Complexity: O(measures of the rest).
    public func restCount(at now: ShowTime) -> RestCount? {
        guard let live = state.live, let movement = plan.movement(live.movement), now <= trustEnd(live),
            state.trust != .finished, movement.steps[live.step].isRest
        else { return nil }
        var first = live.step
        while first > 0, movement.steps[first - 1].isRest { first -= 1 }
        var entry = live.step
        while entry < movement.steps.count, movement.steps[entry].isRest { entry += 1 }
        var count = RestCount(
            measures: entry - first, counted: live.step - first + 1, entry: nil, entryPage: nil, seconds: nil)
        guard entry < movement.steps.count else { return count }
        count.entry = movement.steps[entry].printed
        count.entryPage = movement.steps[entry].page
        if live.pace > 0 {
            let here = live.seconds + live.pace * Double(max(now.milliseconds(since: live.at), 0)) / 1_000
            count.seconds = max(movement.steps[entry].begin - here, 0) / live.pace
        }
        return count
    }
}
