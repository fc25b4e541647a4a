/// Recognises files of the wrong kind, so that the error can say what to do instead.
enum WrongFileKindCheck {
    /// - Throws: ``MeasureTimesError`` for notes (MIDI, MusicXML), sound, and anything that is not text.
    static func refuseWrongFile(_ bytes: [UInt8], path: String) throws(MeasureTimesError) {
        try refuseScoreMarkup(bytes, path: path)
        try refuseArchive(bytes, path: path)
        if begins(bytes, with: ["MThd"])
            || (begins(bytes, with: ["RIFF"]) && bytes.dropFirst(8).starts(with: "RMID".utf8))
        {
            throw .needsRenderingToAudio(path: path, kind: "a MIDI file")
        }
        if begins(bytes, with: ["RIFF", "fLaC", "OggS", "ID3"]) {
            throw .notMeasureTimes(
                path: path, kind: "a sound file", advice: "give its measure times beside it")
        }
        if begins(bytes, with: ["BZh"]) { throw sonicVisualiserSessionError(path) }
        // Zero bytes within the text mean UTF-16 or a binary file.
        guard !bytes.contains(0) else {
            let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
            throw .notMeasureTimes(
                path: path, kind: isUTF16 ? "UTF-16 text" : "a binary file",
                advice: isUTF16 ? "save it as UTF-8" : "give a text file of measure and time")
        }
    }

    private static func refuseScoreMarkup(_ bytes: [UInt8], path: String) throws(MeasureTimesError) {
        let opening = bytes.prefix(4_096)
        guard let first = opening.firstIndex(of: UInt8(ascii: "<")), first < 16 else { return }
        let markup = String(decoding: opening, as: UTF8.self)
        func holds(_ words: [String]) -> Bool { words.contains { markup.contains($0) } }

        if holds(["<score-partwise", "<score-timewise", "<!DOCTYPE score-"]) {
            throw .needsRenderingToAudio(path: path, kind: "MusicXML")
        }
        if holds(["<museScore", "<mei "]) {
            throw .notMeasureTimes(
                path: path, kind: "a score", advice: "export it as MusicXML and give that to `baton render`")
        }
        if holds(["<sv>", "<!DOCTYPE sonic-visualiser"]) { throw sonicVisualiserSessionError(path) }
    }

    private static func refuseArchive(_ bytes: [UInt8], path: String) throws(MeasureTimesError) {
        guard bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) else { return }
        let opening = String(decoding: bytes.prefix(4_096), as: UTF8.self)
        if opening.contains("META-INF/container.xml") || path.lowercased().hasSuffix(".mxl") {
            throw .needsRenderingToAudio(path: path, kind: "compressed MusicXML")
        }
        throw .notMeasureTimes(path: path, kind: "an archive", advice: "unpack it first")
    }

    private static func begins(_ bytes: [UInt8], with signatures: [String]) -> Bool {
        signatures.contains { bytes.starts(with: $0.utf8) }
    }

    private static func sonicVisualiserSessionError(_ path: String) -> MeasureTimesError {
        .notMeasureTimes(
            path: path, kind: "a Sonic Visualiser session", advice: "export its annotation layer as CSV")
    }
}
