import Tablature

@testable import TabFiles

/// Tabs for tests.
enum TabSamples {
    /// Three bars with a tie, a tuplet, a grace note, a chord, a second voice, a capo, a repeat and endings.
    static var rich: Tab {
        get throws {
            let json = """
                {"format": "baton-tab", "version": 1, "title": "Étude & <co>", "tempo": 96.5,
                 "bars": [{"time": [3, 4], "repeatStart": true}, {"endings": [1], "repeats": 2}, {"endings": [2], "time": [6, 8]}],
                 "tracks": [{"name": "Lute", "capo": 2, "strings": [64, 59, 55, 50, 45, 40, 35], "bars": [
                   {"voices": [
                     {"beats": [{"value": "1/8", "dots": 1, "notes": [{"string": 1, "fret": 0}, {"string": 6, "fret": 12}]},
                                {"value": "1/16", "notes": [{"string": 7, "fret": 3, "techniques": {"hammer": true}}]},
                                {"value": "1/8", "tuplet": [3, 2], "notes": [{"string": 2, "fret": 1}]},
                                {"value": "1/8", "tuplet": [3, 2]},
                                {"value": "1/8", "tuplet": [3, 2], "notes": [{"string": 2, "fret": 3}]},
                                {"notes": [{"string": 3, "fret": 5}]}]},
                     {"beats": [{"value": "1/2", "dots": 1, "notes": [{"string": 5, "fret": 0}]}]}]},
                   {"voices": [{"beats": [{"value": "1/2", "notes": [{"string": 3, "fret": 5, "tie": true}]},
                                {"value": "1/32", "grace": "before", "notes": [{"string": 1, "fret": 4}]},
                                {"notes": [{"string": 1, "fret": 5, "techniques": {"dead": true}}]}]}]},
                   {"voices": [{"beats": [{"value": "1/4", "dots": 1, "notes": [{"string": 1, "fret": 24}]},
                                {"length": "3/2", "value": "1/4", "dots": 1, "notes": [{"string": 1, "fret": 0}]}]}]}]}]}
                """
            return try TabJSON.read(Array(json.utf8), name: "rich.json")
        }
    }

    /// The fields of a note that a format must keep.
    static func fields(_ note: StruckNote) -> [String] {
        [
            "\(note.track) \(note.bar)", note.onset.text, "\(note.string ?? 0)", "\(note.fret ?? 0)",
            "\(note.pitch)",
            note.length.text,
        ]
    }
}
