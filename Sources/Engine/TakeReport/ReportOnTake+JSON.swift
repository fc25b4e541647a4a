extension ReportOnTake {
    /// The report as JSON, with the names of docs/practice-api.md; what is nil is left out.
    public var json: [UInt8] {
        var text = JSONWriter()
        text.object { text in
            text.add("refusal", refusal)
            text.add("passages", passages) { passage, text in
                text.add("bars", passage.bars) { $0.add(to: &$1) }
                text.add("end", passage.end)
                text.add("tempo", passage.tempo)
            }
            text.add("unplayed", unplayed) { range, text in
                text.add("first", range.first)
                text.add("last", range.last)
                text.add("printedFirst", range.printedFirst)
                text.add("printedLast", range.printedLast)
                text.add("isRepeat", range.isRepeat)
            }
            text.add("pieceNote", pieceNote)
            text.add("semitonesHigher", semitonesHigher)
            text.add("barKeys", barKeys)
            text.add("leastLateness", BarTiming.leastLateness)
            text.add("notesRefusal", notesRefusal)
            text.add("rightNotes", rightNotes)
            text.add("notes", notes) { $0.add(to: &$1) }
            text.name("unknownNotes")
            text.object { text in
                for doubt in NoteDoubt.allCases { text.add(doubt.words, unknownNotes[doubt]) }
            }
            text.add("unplayedNotes", unplayedNotes)
        }
        return text.bytes
    }
}

extension ReportOnTake.Bar {
    fileprivate func add(to text: inout JSONWriter) {
        text.add("played", played)
        text.add("printed", printed)
        text.add("seconds", seconds)
        text.add("tempo", tempo)
        text.add("lateness", lateness)
        text.add("verdict", verdict)
        text.add("reason", reason)
        text.add("playedFrom", playedFrom)
        text.add("playedTo", playedTo)
    }
}

extension NoteFinding {
    fileprivate func add(to text: inout JSONWriter) {
        text.add("played", played)
        text.add("printed", printed)
        text.add("share", share)
        text.add("pitch", pitch)
        text.add("seconds", seconds)
        text.add("note", note)
        text.add("verdict", verdict)
        text.add("lateness", lateness)
        text.add("instead", instead)
    }
}

/// Writes JSON, also in the engine for pages, whose Swift has no `Codable`.
private struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    /// Puts a comma where a value stands before.
    private mutating func separate() {
        guard let last = bytes.last, !"{[:".utf8.contains(last) else { return }
        bytes.append(UInt8(ascii: ","))
    }

    mutating func object(_ fields: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        fields(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func list<Value>(_ values: [Value], _ add: (Value, inout JSONWriter) -> Void) {
        bytes.append(UInt8(ascii: "["))
        for value in values { add(value, &self) }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func string(_ value: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        for byte in value.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte < 0x20 ? 0x20 : byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func name(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func add<Value>(_ name: String, _ values: [Value], _ fields: (Value, inout JSONWriter) -> Void) {
        self.name(name)
        list(values) { value, text in text.object { fields(value, &$0) } }
    }

    mutating func add(_ name: String, _ values: [String]) {
        self.name(name)
        list(values) { $1.string($0) }
    }

    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        self.name(name)
        string(value)
    }

    mutating func add(_ name: String, _ value: Bool) {
        self.name(name)
        bytes += (value ? "true" : "false").utf8
    }

    mutating func add(_ name: String, _ value: Int?) {
        guard let value else { return }
        self.name(name)
        bytes += String(value).utf8
    }

    /// Writes a number of thousandths, below 10¹²; nothing for infinity and NaN, which JSON does not have.
    mutating func add(_ name: String, _ value: Double?) {
        guard let value, abs(value) < 1e12 else { return }
        self.name(name)
        let thousandths = Int((abs(value) * 1_000).rounded())
        if value < 0, thousandths > 0 { bytes.append(UInt8(ascii: "-")) }
        bytes += String(thousandths / 1_000).utf8
        // 1 is before the digits so that their zeros stay.
        bytes.append(UInt8(ascii: "."))
        bytes += String(1_000 + thousandths % 1_000).utf8.dropFirst()
    }
}

/// Rounds to thousandths; 0 for infinity and NaN.
func inThousandths(_ value: Double) -> Double {
    value.isFinite ? (value * 1_000).rounded() / 1_000 : 0
}
