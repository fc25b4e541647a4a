import Listening

extension EveningReferenceResult {
    /// The result as text for a terminal.
    package var text: String {
        var lines = [name] + sentences.map { "  " + $0 }
        lines.append(
            "  Reference “\(reference)”: \(measures) bars, \(doubtful.isEmpty ? "none" : "\(doubtful.count)") doubtful.")
        for bar in doubtful.prefix(20) {
            let printed = bar.printed.map { "bar \($0)" } ?? "the end"
            lines.append(
                "    check \(printed) (played \(bar.played)) in part \(bar.place.part) at "
                    + "\(EveningSentences.clock(bar.place.seconds)): " + bar.reasons.joined(separator: ", "))
        }
        if doubtful.count > 20 { lines.append("    and \(doubtful.count - 20) more") }
        if !isWritten { lines.append("  Checked; nothing was written.") }
        return lines.joined(separator: "\n")
    }
}

/// Words about bars and times of an evening.
enum EveningSentences {
    static func bars(_ played: Range<Int>, _ printed: [Int]) -> String {
        let numbers = printed[played]
        let isRepeat = printed[..<played.lowerBound].contains { numbers.contains($0) }
        guard let first = numbers.first, let last = numbers.last else { return "no bars" }
        let range = ScoreRouteSentences.barRange(min(first, last)...max(first, last))
        return (isRepeat ? "the repeat of " : "") + (first == last ? "bar " : "bars ") + range
    }

    static func sentences(about run: WholeRun, printed: [Int]) -> [String] {
        if run.segments.count == 1 {
            let when = "\(clock(run.segments[0].time.lowerBound))–\(clock(run.segments[0].time.upperBound))"
            guard run.completeCount > 1 else {
                return ["It was played from beginning to end at \(when) of the evening."]
            }
            return [
                "It was played from beginning to end \(run.completeCount) times; the one at \(when) of the evening is the "
                    + "clearest."
            ]
        }
        let parts = run.segments.map { "\(bars($0.played, printed)) at \(clock($0.time.lowerBound))" }
        return [
            "It was not played in one run; the reference is taken together from \(parts.count) passages: "
                + parts.joined(separator: ", ") + "."
        ]
    }

    /// Hours, minutes and seconds, such as `1:03:07` or `3:07`.
    static func clock(_ seconds: Double) -> String {
        let whole = Int(max(seconds, 0).rounded())
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
        return (hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)") + ":" + two(whole % 60)
    }

    static func seconds(_ seconds: Double) -> String {
        let tenths = (seconds * 10).rounded() / 10
        return "\(tenths) s"
    }
}
