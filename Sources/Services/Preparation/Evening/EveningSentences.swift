import Listening

extension EveningReferenceResult {
    /// The result as text for a terminal.
    package var text: String {
        var lines = [name] + sentences.map { "  " + $0 }
        lines.append(
            "  Reference “\(reference)”: \(measures) bars, \(doubtful.isEmpty ? "none" : "\(doubtful.count)") doubtful."
        )
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

    static func sentences(about run: WholeRun, printed: [Int], in sound: EveningSound) -> [String] {
        if run.segments.count == 1 {
            let time = run.segments[0].time
            let when = "from \(place(time.lowerBound, in: sound)) to \(place(time.upperBound, in: sound))"
            guard run.completeCount > 1 else { return ["It was played from beginning to end, \(when)."] }
            return [
                "It was played from beginning to end \(run.completeCount) times; the clearest is the one \(when)."
            ]
        }
        let parts = run.segments.map {
            "\(bars($0.played, printed)) at \(place($0.time.lowerBound, in: sound))"
        }
        return [
            "It was not played in one run; the reference is taken together from \(parts.count) passages: "
                + parts.joined(separator: ", ") + "."
        ]
    }

    /// The time in the recording, with the part if there are several.
    private static func place(_ seconds: Double, in sound: EveningSound) -> String {
        guard let place = sound.place(of: seconds) else { return clock(seconds) }
        return clock(place.seconds) + (sound.parts.count > 1 ? " in part \(place.part)" : "")
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
