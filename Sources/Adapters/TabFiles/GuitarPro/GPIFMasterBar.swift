import Platform
import Tablature

/// Reads the properties of a bar that all tracks of a GPIF share.
enum GPIFMasterBar {
    /// - Parameters:
    ///   - meter: the meter so far, as `4/4`; changed if this bar gives another one.
    ///   - key: the key so far, likewise.
    static func read(_ node: XMLNode, _ meter: inout String, _ key: inout Int, _ remarks: inout RemarkCounter)
        -> TabBar
    {
        var bar = TabBar()
        for child in node.children {
            switch child.name {
            case "Bars", "XProperties": break
            case "Time":
                let parts = child.text.split(separator: "/").compactMap { wholeNumber($0) }
                guard child.text != meter, parts.count == 2, parts.allSatisfy({ (1...128).contains($0) })
                else {
                    continue
                }
                meter = child.text
                bar.time = parts
            case "Key":
                let count = min(max(child.int("AccidentalCount") ?? 0, -7), 7)
                if count != key { bar.key = count }
                key = count
            case "Repeat":
                if child.attributes["start"] == "true" { bar.repeatStart = true }
                if child.attributes["end"] == "true" {
                    let plays = child.intAttribute("count") ?? 2
                    bar.repeats = min(max(plays - 1, 0), TabLimits.repeats)
                }
            case "AlternateEndings":
                bar.endings = GPIFBuilder.words(child.text).compactMap { wholeNumber($0) }
                    .filter { (1...100).contains($0) }
            case "Section":
                let name = [child.string("Letter"), child.string("Text")].compactMap { $0 }.joined(
                    separator: " ")
                bar.section = name.isEmpty ? nil : String(name.prefix(200))
            case "DoubleBar": bar.double = true
            case "FreeTime": bar.freeTime = true
            case "Directions":
                bar.directions = child.children.prefix(32).map { direction($0.text) }
            case "Fermatas":
                for fermata in child.children.prefix(32) {
                    let (kind, place) = (fermata.string("Type") ?? "", fermata.string("Offset") ?? "")
                    bar.kept.append(KeptItem("Fermata", "\(kind) at \(place) quarters"))
                }
            case "TripletFeel": bar.kept.append(KeptItem("triplet feel", String(child.text.prefix(80))))
            default: bar.kept.append(KeptItem("MasterBar \(child.name)", child.summary))
            }
        }
        return bar
    }

    /// The places of a bar's fermatas, in quarters from its beginning.
    static func fermatas(_ node: XMLNode) -> [Fraction] {
        (node["Fermatas"]?.children ?? []).prefix(32).compactMap {
            $0.string("Offset").flatMap { Fraction($0) }
        }
    }

    /// `DaSegnoAlCoda` as `dalSegnoAlCoda`.
    private static func direction(_ name: String) -> String {
        var text = String(name.prefix(80))
        if text.hasPrefix("DaSegno") { text = "Dal" + text.dropFirst(2) }
        if text == "DaCoda" { text = "ToCoda" }
        if text == "DaDoubleCoda" { text = "ToDoubleCoda" }
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

extension TabMeasure {
    /// Puts a fermata on the beats that begin at a place, in quarters from the bar's beginning.
    mutating func hold(at place: Fraction) {
        for voice in voices.indices {
            var onset = Fraction.zero
            for beat in voices[voice].beats.indices where voices[voice].beats[beat].grace == nil {
                if onset == place { voices[voice].beats[beat].play.fermata = true }
                onset = onset + voices[voice].beats[beat].quarters
            }
        }
    }
}
