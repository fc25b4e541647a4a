import MusicalTime
import Score

/// Maps a performance to the pages of a part: the sheet of each step, and when the next sheet is needed.
///
/// Computed once per stand; turning only looks values up.
public struct PageTurnPlan: Hashable, Sendable {
    struct Step: Hashable, Sendable {
        var printed: Int
        /// Index of the reference's played measure.
        var played: Int
        var page: Int
        var sheet: Int
        /// True if it is in the lower half of its page, or on the right one of two pages.
        var isLow: Bool
        /// Seconds of reference from the movement's first step, with cuts and repeats as performed.
        var begin: Double
        /// Expected duration in seconds of reference; see ``MeasureMap/expectedSeconds``.
        var length: Double
        /// Index of the next step on another sheet; the number of steps if there is none.
        var leaving = 0
        /// Index of the first step from which only the lower half of the sheet is needed until it is left;
        /// ``leaving`` if there is none.
        var lowFrom = 0
    }

    struct Movement: Hashable, Sendable {
        var steps: [Step]
        /// The steps of each played measure, in order.
        var stepsOfPlayed: [[Int]]
        var isAttacca: Bool
        var end: Double
    }

    let movements: [Movement?]
    public let facing: PageArrangement
    public let pageCount: Int

    /// - Parameters:
    ///   - score: the score with its parts and movements.
    ///   - part: index into ``Score/parts``.
    ///   - measures: of each movement's reference; nil if it is not followed.
    ///   - performances: of the session; see ``Session/performances``.
    /// - Complexity: O(movements × steps + places).
    public init(
        score: Score, part index: Int, measures: [MeasureMap?], performances: [Performance?] = [],
        facing: PageArrangement = .single
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

    /// The sheet on which a movement begins.
    func firstSheet(ofMovement number: Int) -> Int? { movement(number)?.steps.first?.sheet }

    /// The step of a played measure of the reference. Of several, the one nearest to the step `near`; the later one
    /// of two equally near.
    func step(ofPlayed played: Int, in movement: Movement, near: Int) -> Int? {
        guard movement.stepsOfPlayed.indices.contains(played) else { return nil }
        return movement.stepsOfPlayed[played].min { (abs($0 - near), -$0) < (abs($1 - near), -$1) }
    }
}

extension PageTurnPlan.Movement {
    /// - Returns: nil if the part has no place for any measure of the movement.
    init?(
        _ number: Int, of part: Part, measures: MeasureMap, performance: Performance?, isAttacca: Bool,
        facing: PageArrangement
    ) {
        let route = Self.route(measures, performance)
        let places = part.places.filter { $0.movement == number }
        guard !places.isEmpty, !route.isEmpty else { return nil }
        let finder = MeasureBoxFinder(places)
        var steps: [PageTurnPlan.Step] = []
        steps.reserveCapacity(route.count)
        let foreseen = measures.expectedSeconds
        var begin = 0.0
        // A measure without a place is assumed to be where the previous one is.
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
                PageTurnPlan.Step(
                    printed: step.printed, played: step.played, page: page, sheet: sheet,
                    isLow: facing == .single ? isLow : page > sheet,
                    begin: begin, length: length))
            begin += length
        }
        Self.computeSheetChanges(&steps)
        self.steps = steps
        self.isAttacca = isAttacca
        end = begin
        stepsOfPlayed = Array(repeating: [], count: measures.marks.count)
        for (index, step) in steps.enumerated() { stepsOfPlayed[step.played].append(index) }
        // If the reference plays a repeat that tonight leaves out, either occurrence may be heard.
        let stepsOfPrinted = Dictionary(grouping: steps.indices) { steps[$0].printed }
        for (played, mark) in measures.marks.enumerated() where stepsOfPlayed[played].isEmpty {
            stepsOfPlayed[played] = stepsOfPrinted[mark.printed] ?? []
        }
    }

    /// Computes from the last step on when each sheet is left: with the next step if that is on another sheet,
    /// otherwise when the next step leaves it.
    private static func computeSheetChanges(_ steps: inout [PageTurnPlan.Step]) {
        for index in steps.indices.reversed() {
            let next = index + 1
            let isLast = next == steps.count || steps[next].sheet != steps[index].sheet
            steps[index].leaving = isLast ? next : steps[next].leaving
            let lowAfter = isLast ? next : steps[next].lowFrom
            steps[index].lowFrom = lowAfter == next && steps[index].isLow ? index : lowAfter
        }
        // The value of the first step of each stretch is valid for the whole stretch.
        for index in steps.indices.dropFirst() where steps[index].sheet == steps[index - 1].sheet {
            if steps[index].leaving == steps[index - 1].leaving {
                steps[index].lowFrom = steps[index - 1].lowFrom
            }
        }
    }

    /// The reference's played measure for each step: the next occurrence after that of the previous step, if there
    /// is one.
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
            // A measure that the reference does not play cannot be followed.
            guard let times = played[printed] else { continue }
            let next = times.first { $0 > last } ?? times[times.count - 1]
            route.append((printed, next))
            last = next
        }
        return route
    }
}

/// Finds the place of a printed measure without searching the whole list.
private struct MeasureBoxFinder {
    private let plain: [MeasureBox]
    private let special: [MeasureBox]
    private var spans: [Int: (first: Int, last: Int)] = [:]

    init(_ places: [MeasureBox]) {
        plain = places.filter { $0.steps == nil }
        special = places.filter { $0.steps != nil }
        for place in places {
            let old = spans[place.page] ?? (place.first, place.last)
            spans[place.page] = (min(old.first, place.first), max(old.last, place.last))
        }
    }

    /// - Complexity: O(log places), if no place is limited to certain steps.
    func place(of printed: Int, step: Int) -> MeasureBox? {
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

    /// True if it is in the second half of the page's measures; without boxes nothing better is known.
    func isLate(_ printed: Int, onPage page: Int) -> Bool {
        guard let span = spans[page] else { return false }
        return (printed - span.first) * 2 > span.last - span.first
    }
}
