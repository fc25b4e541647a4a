import Tablature

/// Writes a tab as MusicXML 4.0 with one part for each track, on tablature staves; pitches are sounding.
public enum MusicXMLWriter {
    /// - Returns: the file, and the names of parts that MusicXML cannot represent.
    public static func write(_ tab: Tab) -> (text: String, remarks: [String]) {
        var losses = RemarkCounter()
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE score-partwise PUBLIC "-//Recordare//DTD MusicXML 4.0 Partwise//EN" \
            "http://www.musicxml.org/dtds/partwise.dtd">
            <score-partwise version="4.0">

            """
        func element(_ name: String, _ content: String, _ attributes: String = "") {
            if !content.isEmpty { text += "<\(name)\(attributes)>\(XMLText.escaped(content))</\(name)>\n" }
        }
        if !tab.title.isEmpty {
            text += "<work><work-title>\(XMLText.escaped(tab.title))</work-title></work>\n"
        }
        element("movement-title", tab.subtitle)
        text += "<identification>\n"
        element("creator", tab.composer, " type=\"composer\"")
        element("creator", tab.lyricist, " type=\"lyricist\"")
        element("creator", tab.artist, " type=\"artist\"")
        element("rights", tab.copyright)
        text += "<encoding><software>Baton</software></encoding>\n</identification>\n<part-list>\n"
        for (index, track) in tab.tracks.enumerated() { text += partHeader(track, index + 1) }
        text += "</part-list>\n"
        for index in tab.tracks.indices {
            var writer = MusicXMLPartWriter(tab: tab, index: index)
            text += "<part id=\"P\(index + 1)\">\n" + writer.write() + "</part>\n"
            for name in writer.losses.sorted() { losses.leaveOut(name) }
        }
        let remarks = losses.remarks(on: Tab())
        return (text + "</score-partwise>\n", remarks)
    }

    private static func partHeader(_ track: TabTrack, _ number: Int) -> String {
        let keys = track.percussion ? drumKeys(of: track) : []
        var text = "<score-part id=\"P\(number)\"><part-name>\(XMLText.escaped(track.name))</part-name>"
        if !track.shortName.isEmpty {
            text += "<part-abbreviation>\(XMLText.escaped(track.shortName))</part-abbreviation>"
        }
        let channel = track.percussion ? 10 : (track.channel ?? (number - 1) % 9) + 1
        let ids = keys.isEmpty ? [-1] : keys
        for key in ids {
            text += "<score-instrument id=\"\(instrument(number, key))\"><instrument-name>"
            text += key < 0 ? XMLText.escaped(track.name) : "Drum \(key)"
            text += "</instrument-name></score-instrument>"
        }
        for key in ids {
            text +=
                "<midi-instrument id=\"\(instrument(number, key))\"><midi-channel>\(channel)</midi-channel>"
            text += "<midi-program>\(track.program + 1)</midi-program>"
            if key >= 0 { text += "<midi-unpitched>\(key + 1)</midi-unpitched>" }
            text += "</midi-instrument>"
        }
        return text + "</score-part>\n"
    }

    static func instrument(_ part: Int, _ key: Int) -> String { "P\(part)-I\(key < 0 ? 1 : key + 1)" }

    static func drumKeys(of track: TabTrack) -> [Int] {
        let beats = track.bars.lazy.flatMap(\.voices).flatMap(\.beats)
        return Set(beats.flatMap(\.notes).compactMap { $0.pitch ?? $0.fret }).sorted()
    }
}
