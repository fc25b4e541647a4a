import Platform
import Tablature

/// A track of a GPIF, without its bars.
struct GPIFInstrument {
    var track = TabTrack()
    var staffCount = 1
    /// The names of chords by their numbers.
    private(set) var chordNames: [String: String] = [:]
    /// The General MIDI keys of a drum kit's articulations, in the file's order.
    private(set) var drumKeys: [Int] = []
    /// True for pitches without strings: there is no tuning.
    var hasStrings: Bool { !track.strings.isEmpty && !track.percussion }

    init(_ node: XMLNode, _ remarks: inout RemarkCounter) {
        track.name = String((node.string("Name") ?? "").prefix(TabLimits.textCharacters))
        track.shortName = String((node.string("ShortName") ?? "").prefix(200))
        readSound(node)
        var staves: [TabStaff] = []
        for staff in node["Staves"]?.children.prefix(TabLimits.staves) ?? [] where staff.name == "Staff" {
            staves.append(readStaff(staff["Properties"]?.children ?? [], &remarks))
        }
        // Guitar Pro 6 has the properties of its one staff in the track itself.
        if staves.isEmpty { staves = [readStaff(node["Properties"]?.children ?? [], &remarks)] }
        staffCount = staves.count
        (track.strings, track.capo) = (staves[0].strings, staves[0].capo)
        track.moreStaves = Array(staves.dropFirst())
        for child in node.children {
            switch child.name {
            case "PartSounding", "Lyrics":
                let text = child.summary
                if child.name == "Lyrics", Self.hasLyrics(child) {
                    track.kept.append(KeptItem("Lyrics", text))
                }
            case "PlaybackState" where child.text != "Default":
                track.kept.append(KeptItem(child.name, String(child.text.prefix(80))))
            case "Name", "ShortName", "Staves", "Properties", "Sounds", "GeneralMidi", "InstrumentSet",
                "NotationPatch", "MidiConnection", "MIDISettings", "Transpose", "PlaybackState":
                break
            default: remarks.leaveOut("Track \(child.name)")
            }
        }
    }

    private static func hasLyrics(_ node: XMLNode) -> Bool {
        node.children.contains { $0.name == "Line" && $0.string("Text") != nil }
    }

    private mutating func readSound(_ node: XMLNode) {
        let general = node["GeneralMidi"]
        let connection = node["MidiConnection"] ?? node["MIDISettings"]
        let sound = node["Sounds"]?["Sound"]?["MIDI"]
        track.program = min(max(sound?.int("Program") ?? general?.int("Program") ?? 25, 0), 127)
        let channel = connection?.int("PrimaryChannel") ?? general?.int("PrimaryChannel")
        if let channel, (0...15).contains(channel) { track.channel = channel }
        let kit = node["InstrumentSet"] ?? node["NotationPatch"]
        let kind = kit?.string("Type") ?? ""
        track.percussion =
            kind == "drumKit" || general?.attributes["table"] == "Percussion"
            || node["Instrument"]?.attributes["ref"] == "drmkt" || (kind.isEmpty && channel == 9)
        for element in kit?["Elements"]?.children ?? [] {
            for articulation in element["Articulations"]?.children ?? [] where drumKeys.count < 1_024 {
                drumKeys.append(articulation.int("OutputMidiNumber") ?? -1)
            }
        }
    }

    private mutating func readStaff(_ properties: [XMLNode], _ remarks: inout RemarkCounter) -> TabStaff {
        var staff = TabStaff()
        for property in properties where property.name == "Property" {
            switch property.attributes["name"] ?? "" {
            case "Tuning":
                // Lowest string first.
                let pitches = GPIFBuilder.words(property.string("Pitches")).compactMap { wholeNumber($0) }
                staff.strings = pitches.prefix(TabLimits.strings).reversed().map { min(max($0, 0), 127) }
            case "CapoFret": staff.capo = min(max(property.int("Fret") ?? 0, 0), TabLimits.frets)
            case "FretCount": track.frets = min(max(property.int("Number") ?? 24, 1), TabLimits.frets)
            case "PartialCapoFret":
                if let fret = property.int("Fret"), fret > 0 {
                    track.kept.append(KeptItem("PartialCapoFret", "\(fret)"))
                }
            case "DiagramCollection", "ChordCollection":
                for item in property["Items"]?.children ?? [] {
                    if let id = item.attributes["id"], let name = item.attributes["name"] {
                        chordNames[id] = String(name.prefix(200))
                    }
                }
            case "PartialCapoStringFlags", "ChordWorkingSet", "DiagramWorkingSet", "AutoBrush", "TuningFlat":
                break
            case let name: remarks.leaveOut("Staff \(name)")
            }
        }
        return staff
    }
}
