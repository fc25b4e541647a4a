import Rehearsal
import ScorePages

/// Checks the measures that a librarian marked. Errors prevent the change, warnings do not.
struct MarkedMeasuresCheck {
    /// The largest number of measures on a page. The limit bounds the time for comparing frames.
    static let mostMeasuresOnPage = 500
    /// The largest number of error sentences, and of warning sentences, that are reported.
    static let mostReportedSentences = 100

    /// Error sentences, such as for numbers that fall or repeat and frames that overlap.
    private(set) var errors: [String] = []
    /// Warning sentences, for measures that have no frame.
    private(set) var warnings: [String] = []

    /// Checks the measures. It may take a second, so it must not run on an actor.
    /// - Complexity: O(measures × measures on a page); a page has at most ``mostMeasuresOnPage`` measures.
    init(
        _ places: [Rehearsal.MeasureBox], rests: [MultiMeasureRest], pages: [PageSize], movements: [Movement]
    ) {
        checkMeasures(places, rests: rests, pages: pages, movements: movements)
        errors = Self.shortened(errors)
        warnings = Self.shortened(warnings)
    }

    private static func shortened(_ sentences: [String]) -> [String] {
        guard sentences.count > mostReportedSentences else { return sentences }
        return sentences.prefix(mostReportedSentences) + [
            "There are more errors of this kind; correct these first."
        ]
    }

    private mutating func checkMeasures(
        _ places: [Rehearsal.MeasureBox], rests: [MultiMeasureRest], pages: [PageSize], movements: [Movement]
    ) {
        // This check must come first: the sentences below add 1 to pages and movements, which would overflow for the
        // largest integer.
        checkPagesAndMovements(places, rests, pageCount: pages.count, movementCount: movements.count)
        guard errors.isEmpty else { return }
        let plain = places.filter { $0.steps == nil }
        guard !plain.isEmpty else {
            warnings = [MeasureNumberingFault.noMeasures.sentence]
            return
        }
        checkPageCounts(places)
        checkOrderOfMovements(plain)
        checkNumbers(plain, rests)
        guard errors.isEmpty else { return }
        checkNumbering(plain, pages, namesMovements: movements.count > 1)
    }

    private mutating func checkPagesAndMovements(
        _ places: [Rehearsal.MeasureBox], _ rests: [MultiMeasureRest], pageCount: Int, movementCount: Int
    ) {
        let (pages, movements) = (0..<pageCount, 0..<movementCount)
        for place in places where !pages.contains(place.page) || !movements.contains(place.movement) {
            errors.append(
                "Measure \(place.first) is marked on a page or in a movement that the score does not have; mark it "
                    + "again.")
        }
        for rest in rests where !movements.contains(rest.movement) {
            errors.append(
                "The rest from measure \(rest.first) is in a movement that the score does not have; remove it."
            )
        }
    }

    private mutating func checkPageCounts(_ places: [Rehearsal.MeasureBox]) {
        let counts = Dictionary(grouping: places, by: \.page).mapValues(\.count)
        for (page, count) in counts.sorted(by: { $0.key < $1.key }) where count > Self.mostMeasuresOnPage {
            errors.append(
                "Page \(page + 1) has \(count) measures; at most \(Self.mostMeasuresOnPage) are taken. Remove some."
            )
        }
    }

    private mutating func checkOrderOfMovements(_ places: [Rehearsal.MeasureBox]) {
        for (one, next) in zip(places, places.dropFirst()) where next.movement < one.movement {
            errors.append(
                "Page \(next.page + 1): measure \(next.first) belongs to movement \(next.movement + 1), but comes "
                    + "after movement \(one.movement + 1); put movements in order.")
        }
    }

    private mutating func checkNumbers(_ places: [Rehearsal.MeasureBox], _ rests: [MultiMeasureRest]) {
        for place in places
        where !RoomLimits.measureNumberRange.contains(place.first)
            || !RoomLimits.measureNumberRange.contains(place.last)
        {
            errors.append(
                RehearsalFault.measuresDescend(
                    part: "", page: place.page, first: place.first, last: place.last
                ).sentence)
        }
        for place in places where place.first < 0 {
            errors.append(
                "Page \(place.page + 1): measure \(place.first) is before the music; number the measures from 0, an "
                    + "upbeat, on.")
        }
        for rest in rests where rest.first > rest.last {
            errors.append(
                "The rest from measure \(rest.first) to \(rest.last) ends before it begins; swap the two numbers."
            )
        }
    }

    /// Checks the numbers of each movement, and that frames do not overlap.
    private mutating func checkNumbering(
        _ places: [Rehearsal.MeasureBox], _ pages: [PageSize], namesMovements: Bool
    ) {
        let sizes = pages.map { PaperSize(width: $0.width, height: $0.height) }
        for (number, placed) in Dictionary(grouping: places, by: \.movement).sorted(by: { $0.key < $1.key }) {
            for fault in Self.makePageLayout(placed, sizes).numberingFaults(
                mostOverlaps: Self.mostReportedSentences + 1)
            {
                let sentence = (namesMovements ? "Movement \(number + 1), " : "") + fault.sentence
                if case .missingMeasures = fault {
                    warnings.append(sentence)
                } else {
                    errors.append(sentence)
                }
            }
        }
    }

    private static func makePageLayout(_ places: [Rehearsal.MeasureBox], _ pageSizes: [PaperSize])
        -> PageLayout
    {
        PageLayout(
            pageSizes: pageSizes,
            measures: places.enumerated().map { index, place in
                ScorePages.MeasureBox(
                    index: index, count: place.last - place.first + 1, printed: place.first, page: place.page,
                    system: 0, box: place.box?.pageBox ?? .wholePage)
            })
    }
}
