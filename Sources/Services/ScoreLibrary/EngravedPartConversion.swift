import Rehearsal
import ScorePages

/// Converts engraved pages into a part for stands: pages, measure numbers with their frames, and rests.
enum EngravedPartConversion {
    /// - Parameters:
    ///   - name: the part's name.
    ///   - layout: the written measures and their frames on the pages.
    ///   - printed: the printed number of each written measure; nil if numbers rise by one from frame to frame.
    ///   - rests: runs of written measures in which the part is silent.
    /// - Throws: if the pages are not valid for a part.
    ///
    /// A written measure that repeats a number, such as a second ending, gets one frame for each played measure that
    /// it stands for, and none if it is never played.
    static func makePart(
        named name: String, _ layout: PageLayout, printed: [Int]? = nil, rests: [ClosedRange<Int>] = []
    ) throws(RehearsalFault) -> Part {
        var places: [Rehearsal.MeasureBox] = []
        var highest = Int.min
        for measure in layout.measures {
            let last =
                printedNumber(of: measure.index + measure.count - 1, printed) ?? measure.printed
                + measure.count - 1
            var place = Rehearsal.MeasureBox(
                page: measure.page, first: measure.printed, last: max(measure.printed, last),
                box: measure.box == .wholePage ? nil : PageRectangle(near: measure.box))
            if place.first > highest {
                places.append(place)
                highest = place.last
                continue
            }
            for step in measure.played {
                place.steps = step...(step + measure.count - 1)
                places.append(place)
            }
        }
        return try Part(
            name: name, pages: layout.pageSizes.map { PageSize(width: $0.width, height: $0.height) },
            places: places,
            rests: rests.compactMap { run in
                guard let first = printedNumber(of: run.lowerBound, printed),
                    let last = printedNumber(of: run.upperBound, printed), first <= last
                else { return nil }
                return MultiMeasureRest(first: first, last: last)
            })
    }

    /// The rehearsal marks of engraved pages, by their printed measures. A mark that cannot be one is left out: it must
    /// not stop the music from being added.
    static func marks(of engraved: EngravedScore) -> [RehearsalMark] {
        let found = engraved.rehearsalMarks.compactMap { mark in
            printedNumber(of: mark.writtenMeasure, engraved.printedMeasureNumbers).flatMap {
                try? RehearsalMark(label: mark.label, measure: $0)
            }
        }
        return Array(found.prefix(RehearsalMark.mostOfMovement))
    }

    private static func printedNumber(of written: Int, _ printed: [Int]?) -> Int? {
        guard let printed else { return nil }
        return printed.indices.contains(written) ? printed[written] : nil
    }
}

extension PageRectangle {
    /// Clips a frame to the page; nil if no part of the frame lies on the page.
    package init?(near box: PageBox) {
        func edge(_ value: Double) -> Double { value.isFinite ? min(max(value, 0), 1) : 0 }
        do throws(RehearsalFault) {
            try self.init(
                left: edge(box.x), top: edge(box.y), right: edge(box.x + box.width),
                bottom: edge(box.y + box.height))
        } catch { return nil }
    }

    var pageBox: PageBox { PageBox(x: left, y: top, width: right - left, height: bottom - top) }
}
