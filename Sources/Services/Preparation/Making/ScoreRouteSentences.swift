import Alignment

/// A difference between a recording and its score with all repeats.
struct ScoreRouteFinding: Equatable {
    var sentence: String
    /// The number of measures that the recording plays before it; nil if it concerns the whole recording.
    var place: Int?
    /// The option `route` that takes back this difference and no other; nil if there is none.
    var otherRoute: String?
}

/// Says in sentences which repeats of a score a recording leaves out, and what it cuts.
struct ScoreRouteSentences {
    let measures: UnfoldedScoreMeasures
    /// The printed number of each played measure of the unfolded score.
    let printed: [Int]
    /// The measures that the recording plays, as ranges of played measures.
    let passages: [Range<Int>]

    var sentences: [String] { findings.map(\.sentence) }

    /// One finding for each difference between the recording and the score with all its repeats.
    var findings: [ScoreRouteFinding] {
        var found: [ScoreRouteFinding] = []
        var expected = 0
        for (index, passage) in passages.enumerated() {
            let (before, from) = (Array(passages[..<index].joined()), Array(passages[index...].joined()))
            if passage.lowerBound > expected {
                let skipped = expected..<passage.lowerBound
                found.append(
                    finding(
                        sentence(forLeftOut: skipped, isStart: index == 0, isEnd: false), at: before.count,
                        otherwise: before + skipped + from))
            } else if passage.lowerBound < expected {
                let again = passage.lowerBound..<min(expected, passage.upperBound)
                found.append(
                    finding(
                        sentence(forPlayedAgain: passage.lowerBound..<expected, passage: passage),
                        at: before.count, otherwise: before + from.dropFirst(again.count)))
            }
            expected = max(expected, passage.upperBound)
        }
        if expected < printed.count {
            let all = Array(passages.joined())
            found.append(
                finding(
                    sentence(forLeftOut: expected..<printed.count, isStart: false, isEnd: true),
                    at: all.count, otherwise: all + (expected..<printed.count)))
        }
        if found.isEmpty, Set(measures.writtenIndices).count < measures.count {
            found.append(ScoreRouteFinding(sentence: "Every repeat of the score was taken."))
        }
        return found
    }

    private func finding(_ sentence: String, at place: Int, otherwise played: [Int]) -> ScoreRouteFinding {
        ScoreRouteFinding(
            sentence: sentence, place: place,
            otherRoute: ScoreRouteFinder(printed: printed).routeText(of: played))
    }

    private func sentence(forLeftOut skipped: Range<Int>, isStart: Bool, isEnd: Bool) -> String {
        let played = Set(passages.joined().map { measures.writtenIndices[$0] })
        let missing = skipped.filter { !played.contains(measures.writtenIndices[$0]) }
        let repeated = skipped.filter { played.contains(measures.writtenIndices[$0]) }
        if !repeated.isEmpty, missing.allSatisfy({ isFirstEnding($0, within: missing) }) {
            return "The repeat of \(bars(repeated)) was left out."
        }
        if isStart { return "The recording does not play \(bars(Array(skipped))): it begins after them." }
        if isEnd { return "The recording does not play \(bars(Array(skipped))): it ends before them." }
        return "There is a cut: \(bars(Array(skipped))) \(skipped.count == 1 ? "is" : "are") left out."
    }

    private func sentence(forPlayedAgain again: Range<Int>, passage: Range<Int>) -> String {
        let common = again.clamped(to: passage)
        return
            "\(capitalized(bars(Array(common)))) \(common.count == 1 ? "is" : "are") played once more than the score says."
    }

    /// True if the score leaps back after this measure, or after missing measures that follow it.
    private func isFirstEnding(_ measure: Int, within missing: [Int]) -> Bool {
        var last = measure
        while missing.contains(last + 1),
            measures.writtenIndices[last + 1] == measures.writtenIndices[last] + 1
        {
            last += 1
        }
        return last + 1 < measures.count && measures.writtenIndices[last + 1] <= measures.writtenIndices[last]
    }

    private func bars(_ played: [Int]) -> String {
        let numbers = played.map { printed[$0] }
        guard let first = numbers.min(), let last = numbers.max() else { return "no bars" }
        return first == last ? "bar \(first)" : "bars \(Self.barRange(first...last))"
    }

    private func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    static func barRange(_ range: ClosedRange<Int>) -> String {
        range.lowerBound == range.upperBound
            ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
    }
}
