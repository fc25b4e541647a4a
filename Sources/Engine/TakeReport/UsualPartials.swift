import RealModule

/// The evidence that each partial of the take's notes usually has against the sound beside it: the scale for notes,
/// because instruments, rooms and microphones differ by more than right notes and wrong ones.
struct UsualPartials: Sendable {
    /// Partials that usually stand out by less, in decibels, say nothing.
    static let least: Float = 9

    /// The middle evidence of each partial in decibels; the first is that of the fundamental. Nil if it says nothing.
    private let middles: [Float?]
    /// Decibels by which notes usually rise at their onset; nil as long as that is not known.
    var rise: Float?

    /// - Parameter heard: the evidence of free partials, as `[note][(number, decibels)]`.
    init(_ heard: [[(number: Int, decibels: Float)]]) {
        var byNumber = [[Float]](repeating: [], count: FreePartials.most + 1)
        for note in heard { for (number, decibels) in note { byNumber[number].append(decibels) } }
        middles = byNumber.map { values in
            guard values.count >= 4 else { return nil }
            let middle = values.sorted()[values.count / 2]
            return middle >= Self.least ? middle : nil
        }
    }

    /// Decibels by which a note stands out more than usual; negative if less. Nil if none of its free partials says
    /// anything.
    func difference(_ heard: [(number: Int, decibels: Float)]) -> Float? {
        var (sum, weights): (Float, Float) = (0, 0)
        for (number, decibels) in heard {
            guard let middle = middles[number] else { continue }
            sum += middle * (decibels - middle)
            weights += middle
        }
        return weights > 0 ? sum / weights : nil
    }

    /// The mean usual evidence, in decibels; 0 if nothing stands out.
    var mean: Float {
        let known = middles.compactMap { $0 }
        return known.isEmpty ? 0 : known.reduce(0, +) / Float(known.count)
    }
}
