import Foundation
import MusicalTime
import Score

/// Where a rendering's files go.
public struct RenderedFiles: Equatable, Sendable {
    public var sound: URL
    public var measures: URL
    public var facts: URL

    /// - Parameter out: a sound or MIDI file, beside which `NAME.measures.csv` and `NAME.render.json` are
    ///   written; or a folder, which gets `audio.ogg`, `measures.csv` and `render.json`.
    public init(out: URL) {
        guard ["wav", "flac", "ogg", "oga", "mid"].contains(out.pathExtension.lowercased()) else {
            sound = out.appendingPathComponent("audio.ogg")
            measures = out.appendingPathComponent("measures.csv")
            facts = out.appendingPathComponent("render.json")
            return
        }
        let stem = out.deletingPathExtension()
        sound = out
        measures = stem.appendingPathExtension("measures.csv")
        facts = stem.appendingPathExtension("render.json")
    }
}

/// What a rendering is: the content of `render.json`.
public struct RenderedFacts: Codable, Equatable, Sendable {
    public struct Measure: Codable, Equatable, Sendable {
        /// Counts performed measures from 1.
        public var played: Int
        public var printed: Int
        public var seconds: Double
    }

    public var score: String
    public var title: String?
    public var composer: String?
    public var parts: [String]
    public var audio: String
    /// Nil where only the notes were written.
    public var sampleRateHertz: Double?
    public var soundfont: String?
    public var room: String?
    public var tempoRatio: Double
    public var tempoCurve: String?
    public var seed: UInt64
    public var startSeconds: Double
    /// Where the last measure ends; the sound dies away after it.
    public var endSeconds: Double
    public var measures: [Measure]

    /// The measure times as a follower takes them.
    public func measureMap() throws(MeasureMapFault) -> MeasureMap {
        try MeasureMap(
            marks: measures.map {
                MeasureMark(printed: $0.printed, onset: ReferenceTime(seconds: $0.seconds))
            },
            end: ReferenceTime(seconds: endSeconds))
    }

    /// `measure,time`, one row for each performed measure.
    var measuresCSV: String {
        "measure,time\n"
            + measures.map { "\($0.printed),\(String(format: "%.4f", $0.seconds))\n" }.joined()
    }

    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self) + Data("\n".utf8)
        }
    }
}
