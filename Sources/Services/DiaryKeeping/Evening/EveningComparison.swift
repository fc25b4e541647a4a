import Diary

/// Two evenings of the same music side by side, bar by bar.
package struct EveningComparison: Encodable, Equatable {
    /// A piece that was played on both evenings.
    struct Piece: Encodable, Equatable {
        var name: String
        var model: String
        var oneSeconds: Double
        var otherSeconds: Double
        var bars: [Bar]
    }

    struct Bar: Encodable, Equatable {
        var played: Int
        var printed: Int
        /// The bar's length on the one evening, in seconds; nil if it was not heard whole.
        var one: Double?
        var other: Double?
    }

    var pieces: [Piece]

    /// Compares the pieces that both evenings have, in the order of the first.
    init(_ one: ConcertProgramme, _ other: ConcertProgramme) {
        var left = other.items.compactMap(\.heard)
        pieces = one.items.compactMap { item -> Piece? in
            guard let heard = item.heard, !heard.model.isEmpty,
                let place = left.firstIndex(where: { $0.model == heard.model })
            else { return nil }
            let others = left.remove(at: place)
            return Piece(
                name: item.fullName, model: heard.model, oneSeconds: heard.lengthSeconds,
                otherSeconds: others.lengthSeconds, bars: Self.bars(heard, others))
        }
    }

    private static func bars(_ one: HeardPerformance, _ other: HeardPerformance) -> [Bar] {
        let (lengths, otherLengths) = (one.barLengths, other.barLengths)
        let printed = Dictionary(
            (other.bars + one.bars).map { ($0.played, $0.printed) }, uniquingKeysWith: { _, last in last })
        return printed.keys.sorted().map { played in
            Bar(
                played: played, printed: printed[played] ?? 0, one: lengths[played],
                other: otherLengths[played])
        }
    }
}

extension HeardPerformance {
    var lengthSeconds: Double { Double(endMilliseconds - startMilliseconds) / 1_000 }

    /// The length of each bar that was heard whole, in seconds, by its played index: the bar after it was the next one.
    /// Of a bar that was played twice, the last length.
    var barLengths: [Int: Double] {
        var lengths: [Int: Double] = [:]
        for (bar, next) in zip(bars, bars.dropFirst()) where next.played == bar.played + 1 {
            lengths[bar.played] = ((next.seconds - bar.seconds) * 1_000).rounded() / 1_000
        }
        return lengths
    }
}

extension ProgrammeItem {
    /// `{Composer}, {Work}: {Movement}`, without the parts that are missing.
    var fullName: String {
        let work = [composer, title].filter { !$0.isEmpty }.joined(separator: ", ")
        return movements.isEmpty ? work : work + ": " + movements.joined(separator: ", ")
    }
}
