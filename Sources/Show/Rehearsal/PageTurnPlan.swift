import Basics
import Score

/// Maps the measures of a performance to the pages of a part: the sheet on which each measure is, and the measure at
/// which the next sheet is needed.
///
/// The plan is computed once per stand; turning pages only looks values up.
public struct PageTurnPlan: Hashable, Sendable {
    struct PerformedMeasure: Hashable, Sendable {
        var printedMeasure: Int
        /// The index of the played measure in the reference.
        var playedMeasure: Int
        var page: Int
        var sheet: Int
        /// True if the measure is in the lower half of its page, or on the right one of two pages.
        var isInLowerHalf: Bool
        /// The start of the step in seconds from the movement's first step, with cuts and repeats as performed and
        /// with the expected durations of ``ExpectedTimeline``.
        var startSeconds: Double
        /// The expected duration in seconds; see ``ExpectedTimeline``.
        var expectedSeconds: Double
        /// The index of the next step on another sheet; the number of steps if there is none.
        var nextSheetStep = 0
        /// The index of the first step from which only the lower half of the sheet is needed until the music leaves
        /// the sheet; ``nextSheetStep`` if there is none.
        var lowerHalfFrom = 0
    }

    struct Movement: Hashable, Sendable {
        var steps: [PerformedMeasure]
        /// The steps that play each measure of the reference, by the index of the played measure.
        var stepsOfPlayedMeasure: [[Int]]
        var isAttacca: Bool
        var endSeconds: Double
        let timeline: ExpectedTimeline
    }

    let movements: [Movement?]
    public let pageArrangement: PageArrangement
    /// The order in which the part's pages are shown.
    let sequence: PageSequence

    /// Computes the plan for one part of a score.
    /// - Parameters:
    ///   - score: the score with its parts and movements.
    ///   - part: index into ``Score/parts``.
    ///   - measures: the measures of each movement's reference; nil if the movement is not followed.
    ///   - performances: the performances of the session; see ``RehearsalSession/performances``.
    /// - Complexity: O(movements × steps + places).
    public init(
        score: Score, part index: Int, measures: [MeasureMap?], performances: [PerformedPassages?] = [],
        pageArrangement: PageArrangement = .single
    ) {
        precondition(score.parts.indices.contains(index), "the score has no part \(index)")
        let part = score.parts[index]
        self.pageArrangement = pageArrangement
        let sequence = PageSequence(part)
        self.sequence = sequence
        let cuts = HalfPageCut.heights(of: part)
        movements = score.movements.indices.map { number in
            guard number < measures.count, let map = measures[number] else { return nil }
            let own = number < performances.count ? performances[number] : nil
            let performance = own ?? score.movements[number].performance
            return Movement(
                number, of: part, measures: map, performance: performance,
                isAttacca: score.movements[number].isAttacca, facing: pageArrangement, sequence: sequence,
                cuts: cuts)
        }
    }

    func movement(_ number: Int) -> Movement? {
        movements.indices.contains(number) ? movements[number] : nil
    }

    /// The sheet on which a movement begins.
    func firstSheet(ofMovement number: Int) -> Int? { movement(number)?.steps.first?.sheet }

    /// Returns the step that plays a measure of the reference. Of several, it is the one nearest to the step `near`;
    /// the later one of two equally near.
    func step(ofPlayed played: Int, in movement: Movement, near: Int) -> Int? {
        guard movement.stepsOfPlayedMeasure.indices.contains(played) else { return nil }
        return movement.stepsOfPlayedMeasure[played].min { (abs($0 - near), -$0) < (abs($1 - near), -$1) }
    }
}

extension PageTurnPlan.Movement {
    /// Creates the plan of one movement.
    /// - Returns: nil if the part has no place for any measure of the movement.
    init?(
        _ number: Int, of part: Part, measures: MeasureMap, performance: PerformedPassages?, isAttacca: Bool,
        facing: PageArrangement, sequence: PageSequence, cuts: [Int: Double]
    ) {
        let route = Self.matchStepsToReference(measures, performance)
        // Measures on pages that are left out are played from no page.
        let places = part.places.filter { $0.movement == number && sequence.position(ofPage: $0.page) != nil }
        guard !places.isEmpty, !route.isEmpty else { return nil }
        let finder = MeasureBoxFinder(places)
        var steps: [PageTurnPlan.PerformedMeasure] = []
        steps.reserveCapacity(route.count)
        let timeline = ExpectedTimeline(measures)
        var begin = 0.0
        // A measure without a place is assumed to be where the previous one is.
        var page = places[0].page
        var isLow = false
        for (index, step) in route.enumerated() {
            if let place = finder.box(of: step.printed, step: index) {
                page = place.page
                isLow =
                    place.box.map {
                        HalfPageCut.isBelowCut($0, form: part.form(ofPage: page), cut: cuts[page])
                    }
                    ?? finder.isInSecondHalf(step.printed, onPage: page)
            }
            let sheet = facing.leftPage(ofSheetWith: page, in: sequence)
            let length = timeline.duration(ofMeasure: step.played)
            steps.append(
                PageTurnPlan.PerformedMeasure(
                    printedMeasure: step.printed, playedMeasure: step.played, page: page, sheet: sheet,
                    isInLowerHalf: facing == .single ? isLow : page != sheet,
                    startSeconds: begin, expectedSeconds: length))
            begin += length
        }
        Self.computeSheetChanges(&steps)
        self.steps = steps
        self.isAttacca = isAttacca
        self.timeline = timeline
        endSeconds = begin
        stepsOfPlayedMeasure = Array(repeating: [], count: measures.marks.count)
        for (index, step) in steps.enumerated() { stepsOfPlayedMeasure[step.playedMeasure].append(index) }
        // If the reference plays a repeat that tonight leaves out, either occurrence may be heard.
        let stepsOfPrinted = Dictionary(grouping: steps.indices) { steps[$0].printedMeasure }
        for (played, mark) in measures.marks.enumerated() where stepsOfPlayedMeasure[played].isEmpty {
            stepsOfPlayedMeasure[played] = stepsOfPrinted[mark.printed] ?? []
        }
    }

    /// Computes, from the last step backwards, the step at which each sheet is left. If the next step is on another
    /// sheet, it is the next step. Otherwise it is the step at which the next step's sheet is left.
    private static func computeSheetChanges(_ steps: inout [PageTurnPlan.PerformedMeasure]) {
        for index in steps.indices.reversed() {
            let next = index + 1
            let isLast = next == steps.count || steps[next].sheet != steps[index].sheet
            steps[index].nextSheetStep = isLast ? next : steps[next].nextSheetStep
            let lowAfter = isLast ? next : steps[next].lowerHalfFrom
            steps[index].lowerHalfFrom = lowAfter == next && steps[index].isInLowerHalf ? index : lowAfter
        }
        // The value of the first step of each stretch is valid for the whole stretch.
        for index in steps.indices.dropFirst() where steps[index].sheet == steps[index - 1].sheet {
            if steps[index].nextSheetStep == steps[index - 1].nextSheetStep {
                steps[index].lowerHalfFrom = steps[index - 1].lowerHalfFrom
            }
        }
    }

    /// Finds the reference's played measure for each step of the performance: the next occurrence after the previous
    /// step's played measure, if there is one.
    private static func matchStepsToReference(
        _ measures: MeasureMap, _ performance: PerformedPassages?
    ) -> [(printed: Int, played: Int)] {
        guard let performance else {
            return measures.marks.enumerated().map { ($0.element.printed, $0.offset) }
        }
        var played: [Int: [Int]] = [:]
        for (index, mark) in measures.marks.enumerated() { played[mark.printed, default: []].append(index) }
        var route: [(printed: Int, played: Int)] = []
        var last = -1
        for printed in performance.printedMeasures {
            // A measure that the reference does not play cannot be followed.
            guard let times = played[printed] else { continue }
            let next = times.first { $0 > last } ?? times[times.count - 1]
            route.append((printed, next))
            last = next
        }
        return route
    }
}

/// Finds the page and the box of a printed measure by binary search.
private struct MeasureBoxFinder {
    private let unrestrictedBoxes: [MeasureBox]
    private let boxesForCertainSteps: [MeasureBox]
    private var measureRangeByPage: [Int: (first: Int, last: Int)] = [:]

    init(_ places: [MeasureBox]) {
        unrestrictedBoxes = places.filter { $0.steps == nil }
        boxesForCertainSteps = places.filter { $0.steps != nil }
        for place in places {
            let old = measureRangeByPage[place.page] ?? (place.first, place.last)
            measureRangeByPage[place.page] = (min(old.first, place.first), max(old.last, place.last))
        }
    }

    /// Finds the place of a printed measure at a step of the performance.
    /// - Complexity: O(log places), if no place is limited to certain steps.
    func box(of printed: Int, step: Int) -> MeasureBox? {
        if let own = boxesForCertainSteps.first(where: {
            $0.first <= printed && printed <= $0.last && $0.steps?.contains(step) == true
        }) {
            return own
        }
        var low = 0
        var high = unrestrictedBoxes.count
        while low < high {
            let middle = (low + high) / 2
            if unrestrictedBoxes[middle].last < printed { low = middle + 1 } else { high = middle }
        }
        guard low < unrestrictedBoxes.count, unrestrictedBoxes[low].first <= printed else { return nil }
        return unrestrictedBoxes[low]
    }

    /// True if the measure is in the second half of its page's measures. It is used for pages whose measures have no
    /// boxes.
    func isInSecondHalf(_ printed: Int, onPage page: Int) -> Bool {
        guard let span = measureRangeByPage[page] else { return false }
        return (printed - span.first) * 2 > span.last - span.first
    }
}
