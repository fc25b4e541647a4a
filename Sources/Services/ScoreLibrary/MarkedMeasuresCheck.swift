import Rehearsal
import ScorePages

/// Checks the measures that a librarian marked. Errors prevent the change, warnings do not.
struct MarkedMeasuresCheck {
    /// Most measures on a page; bounds the time for comparing frames.
    static let mostOnPage = 500
    /// Most sentences about errors, and most about warnings.
    static let mostSentences = 100

    /// Sentences about errors: numbers that fall or repeat, and frames that overlap.
    private(set) var refusals: [String] = []
    /// Sentences about measures without a frame.
    private(set) var remarks: [String] = []

    /// - Complexity: O(measures × measures on a page), the latter at most ``mostOnPage``; not to be run on an actor.
    init(_ places: [Rehearsal.MeasureBox], rests: [Rest], pages: [Page], movements: [Movement]) {
        read(places, rests: rests, pages: pages, movements: movements)
        refusals = Self.shortened(refusals)
        remarks = Self.shortened(remarks)
    }

    private static func shortened(_ sentences: [String]) -> [String] {
        guard sentences.count > mostSentences else { return sentences }
        return sentences.prefix(mostSentences) + ["There are more errors of this kind; correct these first."]
    }

    private mutating func read(
        _ places: [Rehearsal.MeasureBox], rests: [Rest], pages: [Page], movements: [Movement]
    ) {
        // Must come first: the sentences below count pages and movements from 1, and adding 1 to the largest integer
        // would overflow.
        for place in places
        where !pages.indices.contains(place.page) || !movements.indices.contains(place.movement) {
            refusals.append(
                "Measure \(place.first) is marked on a page or in a movement that the score does not have; mark it "
                    + "again.")
        }
        for rest in rests where !movements.indices.contains(rest.movement) {
            refusals.append(
                "The rest from measure \(rest.first) is in a movement that the score does not have; remove it."
            )
        }
        guard refusals.isEmpty else { return }
        let plain = places.filter { $0.steps == nil }
        guard !plain.isEmpty else {
            remarks = [NumberingFault.noMeasures.sentence]
            return
        }
        for (page, count) in Dictionary(grouping: places, by: \.page).mapValues(\.count).sorted(by: {
            $0.key < $1.key
        })
        where count > Self.mostOnPage {
            refusals.append(
                "Page \(page + 1) has \(count) measures; at most \(Self.mostOnPage) are taken. Remove some.")
        }
        for (one, next) in zip(plain, plain.dropFirst()) where next.movement < one.movement {
            refusals.append(
                "Page \(next.page + 1): measure \(next.first) belongs to movement \(next.movement + 1), but comes "
                    + "after movement \(one.movement + 1); put movements in order.")
        }
        for place in plain
        where !RoomLimits.measureNumberRange.contains(place.first)
            || !RoomLimits.measureNumberRange.contains(place.last)
        {
            refusals.append(
                RehearsalFault.measuresFall(
                    part: "", page: place.page, first: place.first, last: place.last
                ).sentence)
        }
        for rest in rests where rest.first > rest.last {
            refusals.append(
                "The rest from measure \(rest.first) to \(rest.last) ends before it begins; swap the two numbers."
            )
        }
        guard refusals.isEmpty else { return }
        let sizes = pages.map { PaperSize(width: $0.width, height: $0.height) }
        for (number, placed) in Dictionary(grouping: plain, by: \.movement).sorted(by: { $0.key < $1.key }) {
            let isNamed = movements.count > 1
            for fault in Self.layout(placed, sizes).numberingFaults(mostOverlaps: Self.mostSentences + 1) {
                let sentence = (isNamed ? "Movement \(number + 1), " : "") + fault.sentence
                if case .gap = fault { remarks.append(sentence) } else { refusals.append(sentence) }
            }
        }
    }

    private static func layout(_ places: [Rehearsal.MeasureBox], _ pages: [PaperSize]) -> PageLayout {
        PageLayout(
            pages: pages,
            measures: places.enumerated().map { index, place in
                ScorePages.MeasureBox(
                    index: index, count: place.last - place.first + 1, printed: place.first, page: place.page,
                    system: 0, box: place.box?.pageBox ?? .wholePage)
            })
    }
}
