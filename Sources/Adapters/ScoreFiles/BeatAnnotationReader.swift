/// Reads beat annotations `time TAB time TAB label`, where the label is `db` (downbeat), `b` (beat) or `bR` (beat in
/// rubato), followed by time and key signature after commas.
///
/// Measures begin at the downbeats and are counted from 1; beats before the first downbeat make measure 0.
/// - Source: F. Foscarin et al., "ASAP: a dataset of aligned scores and performances", ISMIR 2020.
enum BeatAnnotationReader {
    /// - Throws: ``MeasureTimesError`` that names the first invalid line.
    static func measureTimes(in lines: TextLines) throws(MeasureTimesError) -> MeasureTimes {
        var list = MeasureMarkList()
        var next = 1
        var pickup: (seconds: Double, line: TextLine)?
        var rubatoBeats = 0
        for line in lines {
            let fields = try line.splitFields(separator: Ascii.tab)
            guard fields.count >= 3 else {
                throw line.makeRowError(.wrongColumnCount(found: fields.count, expected: 3))
            }
            let seconds = try line.parseSeconds(fields[0])
            guard let beat = BeatKind(label: fields[2].text) else {
                throw line.makeRowError(.unknownBeatLabel(fields[2].text))
            }
            if beat == .rubato { rubatoBeats += 1 }
            guard beat == .downbeat else {
                if list.marks.isEmpty, pickup == nil { pickup = (seconds, line) }
                continue
            }
            if list.marks.isEmpty, let pickup {
                try list.append(printed: 0, seconds: pickup.seconds, from: pickup.line)
            }
            try list.append(printed: next, seconds: seconds, from: line)
            next += 1
        }
        var notes = [
            "Measures are the downbeats, counted through from 1; repeats are not marked in this format."
        ]
        if list.marks.first?.printed == 0 {
            notes.append("The beats before the first downbeat were taken for measure 0.")
        }
        if rubatoBeats > 0 {
            notes.append(
                "\(rubatoBeats) beats are marked bR: bar lines may be missing there, "
                    + "and later measure numbers too low.")
        }
        return try list.measureTimes(.beats, path: lines.path, notes: notes)
    }

    /// The kind of beat that a label names.
    enum BeatKind {
        case downbeat, beat, rubato

        init?(label: String) {
            switch label.split(separator: ",", maxSplits: 1).first {
            case "db": self = .downbeat
            case "b": self = .beat
            case "bR": self = .rubato
            default: return nil
            }
        }
    }
}
