import MusicalTime
import Score

/// A part laid along the performance: which sheet each step is on, and when the next one is needed.
///
/// Made once for a stand; turning looks things up in it.
public struct TurnPlan: Hashable, Sendable {
    struct Step: Hashable, Sendable {
        var printed: Int
        /// Played measure of the reference.
        var played: Int
        var page: Int
        var sheet: Int
        /// In the lower half of its page, or on the right one of two.
        var isLow: Bool
        /// Seconds of reference from the movement's first step, cuts and repeats taken as they are played.
        var begin: Double
        /// As long as the measure is to be foreseen; see ``MeasureMap/foreseenSeconds``.
        var length: Double
        /// The first step after this one that is on another sheet; the number of steps where none is.
        var leaving = 0
        /// From here on until it is left the sheet is needed in its lower half only; ``leaving`` where that
        /// is never.
        var lowFrom = 0
    }

    struct Movement: Hashable, Sendable {
        var steps: [Step]
        /// Steps of each played measure, in order.
        var stepsOfPlayed: [[Int]]
        var isAttacca: Bool
        var end: Double
    }

    let movements: [Movement?]
    public let facing: Facing
    public let pageCount: Int

    /// - Parameters:
    ///   - score: its parts and movements.
    ///   - part: index into ``Score/parts``.
    ///   - measures: of each movement's reference; nil where nobody listens.
    ///   - performances: of the session; see ``Session/performances``.
    /// - Complexity: O(movements × steps + places).
    public init(
        score: Score, part index: Int, measures: [MeasureMap?], performances: [Performance?] = [],
        facing: Facing = .single
    ) {
        precondition(score.parts.indices.contains(index), "the score has no part \(index)")
        let part = score.parts[index]
        self.facing = facing
        pageCount = part.pages.count
        movements = score.movements.indices.map { number in
            guard number < measures.count, let map = measures[number] else { return nil }
            let own = number < performances.count ? performances[number] : nil
            let performance = own ?? score.movements[number].performance
            return Movement(
                number, of: part, measures: map, performance: performance,
                isAttacca: score.movements[number].isAttacca, facing: facing)
        }
    }

    func movement(_ number: Int) -> Movement? {
        movements.indices.contains(number) ? movements[number] : nil
    }

    /// The sheet a movement begins on.
    func firstSheet(ofMovement number: Int) -> Int? { movement(number)?.steps.first?.sheet }

    /// The step a played measure of the reference is, where several are the one nearest to where the music
    /// was; of two as near the later.
    func step(ofPlayed played: Int, in movement: Movement, near: Int) -> Int? {
        guard movement.stepsOfPlayed.indices.contains(played) else { return nil }
        return movement.stepsOfPlayed[played].min { (abs($0 - near), -$0) < (abs($1 - near), -$1) }
    }
}

extension TurnPlan.Movement {
    /// - Returns: nil where the part says of no measure where it stands.
    init?(
        _ number: Int, of part: Part, measures: MeasureMap, performance: Performance?, isAttacca: Bool,
        facing: Facing
    ) {
        let route = Self.route(measures, performance)
        let places = part.places.filter { $0.movement == number }
        guard !places.isEmpty, !route.isEmpty else { return nil }
        let finder = PlaceFinder(places)
        var steps: [TurnPlan.Step] = []
        steps.reserveCapacity(route.count)
        let foreseen = measures.foreseenSeconds
        var begin = 0.0
        // A measure without a place is where the one before it is.
        var page = places[0].page
        var isLow = false
        for (index, step) in route.enumerated() {
            if let place = finder.place(of: step.printed, step: index) {
                page = place.page
                isLow = place.box?.isLow ?? finder.isLate(step.printed, onPage: page)
            }
            let sheet = facing.sheet(of: page)
            let length = foreseen[step.played]
            steps.append(
                TurnPlan.Step(
                    printed: step.printed, played: step.played, page: page, sheet: sheet,
                    isLow: facing == .single ? isLow : page > sheet,
                    begin: begin, length: length))
            begin += length
        }
        Self.layTurns(&steps)
        self.steps = steps
        self.isAttacca = isAttacca
        end = begin
        stepsOfPlayed = Array(repeating: [], count: measures.marks.count)
        for (index, step) in steps.enumerated() { stepsOfPlayed[step.played].append(index) }
        // Where the reference repeats and tonight does not, either time may be heard.
        let stepsOfPrinted = Dictionary(grouping: steps.indices) { steps[$0].printed }
        for (played, mark) in measures.marks.enumerated() where stepsOfPlayed[played].isEmpty {
            stepsOfPlayed[played] = stepsOfPrinted[mark.printed] ?? []
        }
    }

    /// From behind: a step is left where the next one is, unless that is on another sheet.
    private static func layTurns(_ steps: inout [TurnPlan.Step]) {
        for index in steps.indices.reversed() {
            let next = index + 1
            let isLast = next == steps.count || steps[next].sheet != steps[index].sheet
            steps[index].leaving = isLast ? next : steps[next].leaving
            let lowAfter = isLast ? next : steps[next].lowFrom
            steps[index].lowFrom = lowAfter == next && steps[index].isLow ? index : lowAfter
        }
        // Known now for the first step of each stretch, meant for all of them.
        for index in steps.indices.dropFirst() where steps[index].sheet == steps[index - 1].sheet {
            if steps[index].leaving == steps[index - 1].leaving {
                steps[index].lowFrom = steps[index - 1].lowFrom
            }
        }
    }

    /// The reference's played measure for each step: onwards from the one before where it can be.
    private static func route(
        _ measures: MeasureMap, _ performance: Performance?
    ) -> [(printed: Int, played: Int)] {
        guard let performance else {
            return measures.marks.enumerated().map { ($0.element.printed, $0.offset) }
        }
        var played: [Int: [Int]] = [:]
        for (index, mark) in measures.marks.enumerated() { played[mark.printed, default: []].append(index) }
        var route: [(printed: Int, played: Int)] = []
        var last = -1
        for printed in performance.printed {
            // What the reference does not play cannot be followed.
            guard let times = played[printed] else { continue }
            let next = times.first { $0 > last } ?? times[times.count - 1]
            route.append((printed, next))
            last = next
        }
        return route
    }
}

/// Finds the place of a printed measure in a list, without reading all of it each time.
private struct PlaceFinder {
    private let plain: [MeasurePlace]
    private let special: [MeasurePlace]
    private var spans: [Int: (first: Int, last: Int)] = [:]

    init(_ places: [MeasurePlace]) {
        plain = places.filter { $0.steps == nil }
        special = places.filter { $0.steps != nil }
        for place in places {
            let old = spans[place.page] ?? (place.first, place.last)
            spans[place.page] = (min(old.first, place.first), max(old.last, place.last))
        }
    }

    /// - Complexity: O(log places) where none is for certain steps only.
    func place(of printed: Int, step: Int) -> MeasurePlace? {
        if let own = special.first(where: {
            $0.first <= printed && printed <= $0.last && $0.steps?.contains(step) == true
        }) {
            return own
        }
        var low = 0
        var high = plain.count
        while low < high {
            let middle = (low + high) / 2
            if plain[middle].last < printed { low = middle + 1 } else { high = middle }
        }
        guard low < plain.count, plain[low].first <= printed else { return nil }
        return plain[low]
    }

    /// In the second half of the page's measures: all that is known where there are no boxes.
    func isLate(_ printed: Int, onPage page: Int) -> Bool {
        guard let span = spans[page] else { return false }
        return (printed - span.first) * 2 > span.last - span.first
    }
}
