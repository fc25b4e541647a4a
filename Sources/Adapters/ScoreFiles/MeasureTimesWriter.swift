import Basics
import Concert
import Score

/// Writes measure times in the formats of other programs; reading them back gives the same times, to the microsecond.
public enum MeasureTimesWriter {
    /// Returns a CSV table `measure,time` with a header. The end, if given, becomes a row `end,time`.
    public static func makeCSV(_ marks: [PlayedMeasure], end: ReferenceTime? = nil) -> String {
        var text = "measure,time\n"
        for mark in marks { text += "\(mark.printed),\(formattedDecimalSeconds(mark.onset))\n" }
        if let end { text += "end,\(formattedDecimalSeconds(end))\n" }
        return text
    }

    /// Returns an Audacity label track of point labels. The end, if given, becomes a label `end`.
    public static func makeAudacityLabels(_ marks: [PlayedMeasure], end: ReferenceTime? = nil) -> String {
        var text = ""
        for mark in marks {
            text +=
                "\(formattedDecimalSeconds(mark.onset))\t\(formattedDecimalSeconds(mark.onset))\t\(mark.printed)\n"
        }
        if let end { text += "\(formattedDecimalSeconds(end))\t\(formattedDecimalSeconds(end))\tend\n" }
        return text
    }

    /// Returns the content server's XML with one piece and its `NumSeconds` track. This format cannot store an end.
    public static func makeContentXML(_ marks: [PlayedMeasure], name: PieceName) -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <concert>
              <piece>
                <name>\(XMLText.escaped(name.text))</name>
                <measures>\(marks.count)</measures>
                <track>
                  <name>NumSeconds</name>

            """
        for mark in marks {
            let time = formattedDecimalSeconds(mark.onset)
            text += "      <page><time>\(time)</time><measure>\(mark.printed)</measure>"
            text += "<text>\(time)</text></page>\n"
        }
        text += "    </track>\n  </piece>\n</concert>\n"
        return text
    }

    /// Formats seconds with six decimals, which is finer than one sample, and never with an exponent.
    private static func formattedDecimalSeconds(_ time: ReferenceTime) -> String {
        let bounded = min(max(time.seconds, -MeasureTimesLimits.seconds), MeasureTimesLimits.seconds)
        let micros = bounded.isNaN ? 0 : Int((bounded * 1e6).rounded())
        let decimals = String(micros.magnitude % 1_000_000)
        let padding = String(repeating: "0", count: 6 - decimals.count)
        return "\(micros < 0 ? "-" : "")\(micros.magnitude / 1_000_000).\(padding)\(decimals)"
    }
}
