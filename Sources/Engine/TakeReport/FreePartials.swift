import RealModule

/// The partials of a note that no other note of the score has at the same time. Only they tell whether the note is
/// there.
struct FreePartials: Sendable, Hashable {
    /// Partials that give evidence, counted from 1.
    static let most = 10
    /// Partials of other notes that count, counted from 1; higher ones are too weak to cover anything.
    private static let mostOfOthers = 14

    /// Numbers of the free partials, rising; 1 is the fundamental.
    var numbers: [Int]

    /// - Parameters:
    ///   - pitch: the MIDI number of the note.
    ///   - sounding: the pitches that may sound at the same time; the note's own pitch covers all.
    ///   - hertz: the frequency of a pitch.
    ///   - resolution: two partials that are closer, in hertz, are not told apart.
    init(of pitch: Int, among sounding: Set<Int>, resolution: Double, hertz: (Int) -> Double) {
        let ground = hertz(pitch)
        let others = sounding.map(hertz)
        numbers = (1...Self.most).filter { number in
            let own = ground * Double(number)
            guard own < TakeSpectra.highestHertz * 0.95 else { return false }
            let reach = max(resolution, own * 0.025)
            return !others.contains { other in
                let nearest = max((own / other).rounded(), 1)
                return nearest <= Double(Self.mostOfOthers) && abs(own - nearest * other) < reach
            }
        }
    }

    /// True if they tell whether the note is there. One of the higher partials alone says too little.
    var areEnough: Bool { numbers.count > 1 || numbers == [1] }
}
