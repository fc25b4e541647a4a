/// Open strings of common instruments, highest first, and the General MIDI programs that mean them.
public enum Tuning {
    public static let guitar = [64, 59, 55, 50, 45, 40]
    public static let sevenStringGuitar = guitar + [35]
    public static let bass = [43, 38, 33, 28]
    public static let fiveStringBass = bass + [23]
    public static let ukulele = [69, 64, 60, 67]
    public static let mandolin = [76, 69, 62, 55]
    public static let banjo = [62, 59, 55, 50, 67]
    public static let violin = [76, 69, 62, 55]
    public static let viola = [69, 62, 55, 48]
    public static let cello = [57, 50, 43, 36]

    /// The usual strings of a General MIDI program (0…127); nil if its instrument has no frets or strings.
    public static func usual(program: Int) -> [Int]? {
        switch program {
        case 24...31: guitar
        case 32...39, 43: bass
        case 40, 110: violin
        case 41: viola
        case 42: cello
        case 105: banjo
        default: nil
        }
    }

    static let common = [
        guitar, sevenStringGuitar, bass, fiveStringBass, ukulele, mandolin, banjo, viola, cello,
    ]

    /// The strings on which all pitches can be played: the usual ones of the program or, if they do not reach, those
    /// of a related instrument. A program that is not an instrument with strings gets a guitar if that reaches.
    public static func fitting(program: Int, pitches: some Sequence<Int>, frets: Int = 24) -> [Int]? {
        guard let low = pitches.min(), let high = pitches.max() else {
            return usual(program: program) ?? guitar
        }
        let usual = usual(program: program) ?? (program < 24 ? guitar : nil)
        let related = [usual, usual == bass ? fiveStringBass : sevenStringGuitar].compactMap { $0 }
        guard usual != nil else { return nil }
        return related.first { strings in
            low >= strings.min() ?? 128 && high <= (strings.max() ?? 0) + frets
        }
    }
}
