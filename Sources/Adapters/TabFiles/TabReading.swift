import Basics
import Tablature

/// A tab as it was read, with what its reader has to say about the file.
public struct TabReading: Equatable, Sendable {
    public var tab: Tab
    /// One sentence for each kind of content that was not understood and is kept, was left out on purpose, or was
    /// assumed.
    public var remarks: [String]

    public init(tab: Tab, remarks: [String] = []) {
        self.tab = tab
        self.remarks = remarks
    }
}

/// Counts what a reader did not understand or left out, for its remarks.
struct RemarkCounter {
    private var counts: [String: Int] = [:]
    private(set) var sentences: [String] = []
    /// The number of different names that are told apart; further ones are counted together.
    static let mostNames = 200

    mutating func leaveOut(_ name: String) {
        counts[counts.count < Self.mostNames || counts[name] != nil ? name : "other things", default: 0] += 1
    }

    mutating func say(_ sentence: String) {
        if sentences.count < Self.mostNames, !sentences.contains(sentence) { sentences.append(sentence) }
    }

    /// Puts a sentence before all others.
    mutating func sayFirst(_ sentence: String) {
        if !sentences.contains(sentence) { sentences.insert(sentence, at: 0) }
    }

    /// All remarks; those about kept things are made of the tab itself.
    func remarks(on tab: Tab) -> [String] {
        var kept: [String: Int] = [:]
        func count(_ items: [KeptItem]) { for item in items { kept[item.name, default: 0] += 1 } }
        count(tab.kept)
        tab.bars.forEach { count($0.kept) }
        for track in tab.tracks {
            count(track.kept)
            for measure in track.bars {
                count(measure.kept)
                for beat in measure.voices.lazy.flatMap(\.beats) {
                    count(beat.kept)
                    beat.notes.forEach { count($0.kept) }
                }
            }
        }
        var result = sentences
        if let list = Self.list(kept) { result.append("Kept without being understood: \(list).") }
        if let list = Self.list(counts) { result.append("Left out: \(list).") }
        return result
    }

    private static func list(_ counts: [String: Int]) -> String? {
        guard !counts.isEmpty else { return nil }
        let shown = counts.sorted { $0.key < $1.key }.prefix(60)
            .map { $0.value == 1 ? $0.key : "\($0.key) (\($0.value) times)" }
        return shown.joined(separator: ", ") + (counts.count > 60 ? " and \(counts.count - 60) more" : "")
    }
}
