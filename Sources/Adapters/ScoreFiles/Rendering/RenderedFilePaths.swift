import Basics
import Foundation
import Score

/// The paths of a rendering's files.
public struct RenderedFilePaths: Equatable, Sendable {
    public var soundFile: URL
    public var measureTimesFile: URL
    public var detailsFile: URL

    private static let fileEndings = ["wav", "flac", "ogg", "oga", "mid"]

    /// Refuses a name with the ending of a file that is not written, which would become a folder.
    /// - Parameter out: the path as it was given; one with a slash at its end, or of a folder, is a folder's.
    /// - Throws: ``ExplainedError``.
    public static func check(out: String) throws(ExplainedError) {
        let ending = (out as NSString).pathExtension.lowercased()
        var isFolder: ObjCBool = false
        guard !out.hasSuffix("/"), (2...5).contains(ending.count), !fileEndings.contains(ending),
            ending.contains(where: \.isLetter),
            !(FileManager.default.fileExists(atPath: out, isDirectory: &isFolder) && isFolder.boolValue)
        else { return }
        throw ExplainedError(
            "\(out) names no sound format; end it in .wav, .flac or .ogg, in .mid for the notes "
                + "alone, or in / for a folder.")
    }

    /// - Parameter out: a sound or MIDI file, next to which `NAME.measures.csv` and `NAME.render.json` are written;
    ///   or a folder, which gets `audio.ogg`, `measures.csv` and `render.json`.
    public init(out: URL) {
        guard Self.fileEndings.contains(out.pathExtension.lowercased()) else {
            soundFile = out.appendingPathComponent("audio.ogg")
            measureTimesFile = out.appendingPathComponent("measures.csv")
            detailsFile = out.appendingPathComponent("render.json")
            return
        }
        let stem = out.deletingPathExtension()
        soundFile = out
        measureTimesFile = stem.appendingPathExtension("measures.csv")
        detailsFile = stem.appendingPathExtension("render.json")
    }
}

/// The details of a rendering: the content of `render.json`.
public struct RenderingDetails: Codable, Equatable, Sendable {
    /// One played measure of a rendered score.
    public struct Measure: Codable, Equatable, Sendable {
        /// The position of the measure in the performance, counted from 1.
        public var played: Int
        public var printed: Int
        /// The measure's place on paper, counted from 0; see ``NotatedMeasure/writtenIndex``.
        public var written: Int?
        public var seconds: Double
    }

    public var score: String
    public var title: String?
    public var composer: String?
    public var parts: [String]
    public var audio: String
    /// The sample rate of the audio file; nil if only a MIDI file was written.
    public var sampleRateHertz: Double?
    public var soundfont: String?
    public var room: String?
    public var tempoRatio: Double
    public var tempoCurve: String?
    public var seed: UInt64
    public var startSeconds: Double
    /// The end of the last measure, in seconds; the sound dies away after it.
    public var endSeconds: Double
    public var measures: [Measure]
    /// Sentences about wrong statements in the score file, and how they were read; nil if there are none.
    public var remarks: [String]?

    /// Returns the measure times as the map that the score follower uses.
    public func makeMeasureMap() throws(MeasureMapFault) -> MeasureMap {
        try MeasureMap(
            marks: measures.map {
                PlayedMeasure(printed: $0.printed, onset: ReferenceTime(seconds: $0.seconds))
            },
            end: ReferenceTime(seconds: endSeconds))
    }

    /// The text of `measures.csv`: `measure,time`, one row for each performed measure.
    var measuresCSVText: String {
        "measure,time\n"
            + measures.map { "\($0.printed),\(String(format: "%.4f", $0.seconds))\n" }.joined()
    }

    var jsonFileContent: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self) + Data("\n".utf8)
        }
    }
}
