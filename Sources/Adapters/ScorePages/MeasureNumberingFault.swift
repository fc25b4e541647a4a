/// An error in the measures marked on the pages of a score. Pages are counted from 0, but from 1 in messages.
public enum MeasureNumberingFault: Hashable, Sendable {
    case noMeasures
    case missingMeasures(page: Int, after: Int, next: Int)
    case numberRepeated(page: Int, number: Int)
    case numberFalls(page: Int, number: Int, after: Int)
    case lastBeforeFirst(page: Int, number: Int)
    case pageGoesBack(page: Int, number: Int)
    case noSuchPage(page: Int, number: Int)
    case boxOutsidePage(page: Int, number: Int)
    case overlappingBoxes(page: Int, first: Int, second: Int)

    public var sentence: String {
        switch self {
        case .noMeasures: "No measure is marked; mark at least the first and last measure of each page."
        case .missingMeasures(let page, let after, let next) where next == after + 2:
            "Page \(page + 1): measure \(after + 1) is missing between \(after) and \(next)."
        case .missingMeasures(let page, let after, let next):
            "Page \(page + 1): measures \(after + 1) to \(next - 1) are missing between \(after) and \(next)."
        case .numberRepeated(let page, let number):
            "Page \(page + 1): measure \(number) is marked twice; remove or renumber one of them."
        case .numberFalls(let page, let number, let after):
            "Page \(page + 1): measure \(number) stands after measure \(after); numbers must rise."
        case .lastBeforeFirst(let page, let number):
            "Page \(page + 1): the last measure lies before measure \(number), the first."
        case .pageGoesBack(let page, let number):
            "Measure \(number) is marked on page \(page + 1), before the page of the measure it follows."
        case .noSuchPage(let page, let number):
            "Measure \(number) is marked on page \(page + 1), which the score does not have."
        case .boxOutsidePage(let page, let number):
            "Page \(page + 1): the frame of measure \(number) is empty or leaves the page; draw it again."
        case .overlappingBoxes(let page, let first, let second):
            "Page \(page + 1): the frames of measures \(first) and \(second) cover each other; move one."
        }
    }
}

extension PageLayout {
    /// The largest overlap of two boxes that is no error, as a fraction of the smaller box: neighbouring boxes may
    /// share a bar line and signs that extend beyond it.
    private static let harmlessOverlapShare = 0.25

    /// Returns all errors of numbers and boxes, in written order; empty if pages can be turned by these measures.
    /// - Parameter mostOverlaps: the number of overlaps after which boxes are no longer compared; errors of numbers
    ///   are all reported.
    /// - Complexity: O(measures × measures on a system).
    public func numberingFaults(mostOverlaps: Int = .max) -> [MeasureNumberingFault] {
        guard !measures.isEmpty else { return [.noMeasures] }
        var faults: [MeasureNumberingFault] = []
        var left = mostOverlaps
        for (position, place) in measures.enumerated() {
            let page = place.page
            if !pageSizes.indices.contains(page) {
                faults.append(.noSuchPage(page: page, number: place.printed))
            }
            let box = place.box
            let edge = 1 + 1e-6
            if !(box.width > 0 && box.height > 0 && box.x >= -1e-6 && box.y >= -1e-6
                && box.x + box.width <= edge && box.y + box.height <= edge)
            {
                faults.append(.boxOutsidePage(page: page, number: place.printed))
            }
            if place.count < 1 { faults.append(.lastBeforeFirst(page: page, number: place.printed)) }
            guard position > 0 else { continue }
            let before = measures[position - 1]
            if page < before.page { faults.append(.pageGoesBack(page: page, number: place.printed)) }
            faults += numberSequenceFaults(of: place, after: before)
            let covered = overlapFaults(of: position, most: left)
            left -= covered.count
            faults += covered
        }
        return faults
    }

    private func numberSequenceFaults(of place: MeasureBox, after before: MeasureBox)
        -> [MeasureNumberingFault]
    {
        let last = before.printed.addingReportingOverflow(max(before.count, 1) - 1).partialValue
        if place.printed == last.addingReportingOverflow(1).partialValue { return [] }
        if place.printed > last {
            return [.missingMeasures(page: place.page, after: last, next: place.printed)]
        }
        if place.printed == last { return [.numberRepeated(page: place.page, number: place.printed)] }
        return [.numberFalls(page: place.page, number: place.printed, after: last)]
    }

    private func overlapFaults(of position: Int, most: Int) -> [MeasureNumberingFault] {
        let place = measures[position]
        var faults: [MeasureNumberingFault] = []
        for other in measures[..<position].reversed() {
            guard other.page == place.page, other.system >= place.system - 1, faults.count < most else {
                break
            }
            if other.box.overlapShare(with: place.box) > Self.harmlessOverlapShare {
                faults.append(
                    .overlappingBoxes(page: place.page, first: other.printed, second: place.printed))
            }
        }
        return faults
    }
}
