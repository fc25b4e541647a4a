import Basics
import Platform
import Tablature

/// Reads MusicXML (`score-partwise` and `score-timewise`) into a tab: each part becomes a track.
///
/// Source: W3C, "MusicXML 4.0", Final Community Group Report (2021).
public enum MusicXMLReader {
    /// - Throws: ``ExplainedError`` for XML that is damaged, too large, or no score.
    public static func read(_ bytes: [UInt8], name: String) throws(ExplainedError) -> TabReading {
        let root = try XMLNode.parse(bytes, name)
        guard root.name == "score-partwise" || root.name == "score-timewise" else {
            throw ExplainedError("\(name) is no MusicXML score; export it again from the notation program.")
        }
        var remarks = RemarkCounter()
        var tab = Tab()
        readTitles(root, into: &tab)
        let listed = (root["part-list"]?.children ?? []).filter { $0.name == "score-part" }
        let parts = measures(of: root)
        guard parts.count <= TabLimits.tracks else {
            throw ExplainedError("\(name) has \(parts.count) parts; at most \(TabLimits.tracks) are read.")
        }
        let count = parts.map(\.measures.count).max() ?? 0
        guard count <= TabLimits.bars else {
            throw ExplainedError("\(name) has \(count) bars; at most \(TabLimits.bars) are read.")
        }
        tab.bars = Array(repeating: TabBar(), count: count)
        var lengths = Array(repeating: Fraction.zero, count: count)
        // The music ends with its last note or rest, also if something fills the last measure up (as in timemap.py).
        var (events, lastEnd) = (0, Fraction.zero)
        for part in parts {
            let header = listed.first { $0.attributes["id"] == part.id }
            var reader = MusicXMLPartReader(header, isFirst: part.id == parts[0].id, remarks: remarks)
            for (number, measure) in part.measures.enumerated() {
                reader.read(measure, into: &tab.bars[number])
                lengths[number] = max(lengths[number], reader.measureLength)
                if number == count - 1 { lastEnd = max(lastEnd, reader.measureEnd) }
                guard events + reader.events <= TabLimits.events else {
                    throw ExplainedError(
                        "\(name) has more than \(TabLimits.events) notes and beats; split the piece.")
                }
            }
            events += reader.events
            tab.tracks.append(reader.finish())
            remarks = reader.remarks
        }
        for header in listed where !parts.contains(where: { $0.id == header.attributes["id"] }) {
            remarks.say(
                "The part “\((header.string("part-name") ?? "").prefix(80))” is listed and has no music.")
        }
        if lastEnd > .zero { lengths[count - 1] = lastEnd }
        setLengths(lengths, in: &tab)
        if let tempo = tab.bars.first?.tempos.first, tempo.at == .zero {
            tab.tempo = tempo.tempo
            if tempo.text == nil { tab.bars[0].tempos.removeFirst() }
        }
        return TabReading(tab: tab, remarks: remarks.remarks(on: tab))
    }

    private static func readTitles(_ root: XMLNode, into tab: inout Tab) {
        func short(_ text: String?) -> String { String((text ?? "").prefix(TabLimits.textCharacters)) }
        let work = root["work"]?.string("work-title")
        tab.title = short(work ?? root.string("movement-title"))
        if work != nil { tab.subtitle = short(root.string("movement-title")) }
        let identification = root["identification"]
        for creator in identification?.children ?? [] where creator.name == "creator" {
            switch creator.attributes["type"] ?? "composer" {
            case "composer": if tab.composer.isEmpty { tab.composer = short(creator.text) }
            case "lyricist", "poet": if tab.lyricist.isEmpty { tab.lyricist = short(creator.text) }
            case let kind: tab.kept.append(KeptItem("creator \(kind.prefix(40))", short(creator.text)))
            }
            if tab.kept.count > 100 { break }
        }
        tab.copyright = short(
            identification?.children.filter { $0.name == "rights" }.map(\.text).joined(separator: "\n"))
        for credit in root.all("credit").prefix(50) {
            let words = credit.children.filter { $0.name == "credit-words" }.map(\.text).joined(
                separator: " ")
            if !words.isEmpty { tab.kept.append(KeptItem("credit", short(words))) }
        }
    }

    /// The measures of each part, in the order of the file.
    static func measures(of root: XMLNode) -> [(id: String, measures: [XMLNode])] {
        var order: [String] = []
        var found: [String: [XMLNode]] = [:]
        if root.name == "score-partwise" {
            for part in root.children where part.name == "part" {
                let id = part.attributes["id"] ?? ""
                if found[id] == nil { order.append(id) }
                found[id, default: []] += part.children.filter { $0.name == "measure" }
            }
        } else {
            for measure in root.children where measure.name == "measure" {
                for part in measure.children where part.name == "part" {
                    let id = part.attributes["id"] ?? ""
                    if found[id] == nil { order.append(id) }
                    found[id, default: []].append(part)
                }
            }
        }
        return order.map { ($0, found[$0] ?? []) }
    }

    /// Bars whose content is not as long as their meter get a length of their own.
    private static func setLengths(_ lengths: [Fraction], in tab: inout Tab) {
        let nominal = tab.barLengths
        for number in tab.bars.indices where lengths[number] > .zero && lengths[number] != nominal[number] {
            if lengths[number] <= Fraction(512) { tab.bars[number].length = lengths[number] }
        }
    }
}
