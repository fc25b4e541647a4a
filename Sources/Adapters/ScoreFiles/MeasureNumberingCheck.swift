import Score

/// Checks the printed measure numbers from row to row, and distinguishes missing measures from repeats and jumps.
struct MeasureNumberingCheck {
    let marks: [PlayedMeasure]

    func addFindings(to findings: inout MeasureTimesFindingCollector) {
        guard var last = marks.first?.printed else { return }
        let printed = Set(marks.map(\.printed)).sorted()
        var played: Set<Int> = [last]
        for (row, mark) in marks.enumerated().dropFirst() {
            let number = mark.printed
            if number == last {
                findings.addFinding(
                    .warning, .numberTwice, row: row,
                    "has the number of the row before it; right only if the bar is split or repeated on its own."
                )
            } else if number > last, number != last + 1 {
                reportSkippedNumbers(from: last, to: number, row: row, printed: printed, &findings)
            } else if number < last {
                let isKnown = played.contains(number)
                findings.addFinding(
                    isKnown ? .note : .warning, .jumpBack, row: row,
                    isKnown
                        ? "follows measure \(last): a repeat or a jump back."
                        : "follows measure \(last), but was not played before; is the number right?")
            }
            played.insert(number)
            last = number
        }
    }

    private func reportSkippedNumbers(
        from last: Int, to number: Int, row: Int, printed: [Int],
        _ findings: inout MeasureTimesFindingCollector
    ) {
        // number > last + 1, so both ends stay within range; their distance may overflow.
        let skipped = (last + 1)...(number - 1)
        let distance = number.subtractingReportingOverflow(last + 1)
        let present = insertionIndex(of: number, in: printed) - insertionIndex(of: last + 1, in: printed)
        if !distance.overflow, present == distance.partialValue {
            findings.addFinding(
                .note, .jumpForward, row: row,
                "follows measure \(last): a jump over \(formattedMeasureRange(skipped)), which is played elsewhere."
            )
        } else {
            let isWhole = present == 0 || distance.overflow
            findings.addFinding(
                .warning, .numbersMissing, row: row,
                isWhole
                    ? "follows measure \(last): \(formattedMeasureRange(skipped)) is missing."
                    : "follows measure \(last): \(distance.partialValue - present) "
                        + "of \(formattedMeasureRange(skipped)) are missing."
            )
        }
    }

    /// Returns the number of elements of a sorted list that are smaller than a number.
    private func insertionIndex(of number: Int, in sorted: [Int]) -> Int {
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
