import Basics
import Foundation
import Score
import ScoreFiles
import Sound

/// A recording of a piece that can play along with a student: its bars in playing order, and its sound.
///
/// Each folder of `RECORDINGS/PIECE/` with `measures.csv` and `audio.…` is one, if it has as many played bars as the
/// piece's model: the reference itself, another performance, or one in which the student's part is missing.
struct PartnerRecording: Equatable, Sendable {
    /// The name of the folder.
    var name: String
    /// The onset of each played bar, in seconds of the recording.
    var onsetsSeconds: [Double]
    /// The end of the last bar, in seconds of the recording.
    var endSeconds: Double
    var soundPath: String
    /// Frames a second.
    var hertz: Int
    var frameCount: Int
    /// Changes when the file of the sound does.
    var edition: String

    /// At most this many recordings of a piece are offered.
    static let most = 32

    /// Finds the recordings of a piece, by the names of their folders.
    /// - Parameters:
    ///   - piece: the folder of the piece, by its name alone.
    ///   - recordings: the folder of all recordings.
    ///   - bars: the number of played bars of the piece's model.
    ///   - wanted: the name of the only one to look for; nil for all.
    static func find(
        piece: String, recordings: String, bars: Int, named wanted: String? = nil
    ) -> [PartnerRecording] {
        guard !piece.isEmpty, !piece.contains("/"), !piece.hasPrefix(".") else { return [] }
        let folder = "\(recordings)/\(piece)"
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .filter { wanted == nil || $0 == wanted }.sorted()
        return Array(
            names.lazy.compactMap { PartnerRecording(name: $0, folder: "\(folder)/\($0)", bars: bars) }
                .prefix(most))
    }

    private init?(name: String, folder: String, bars: Int) {
        guard let times = try? MeasureTimesFileReader.read(path: "\(folder)/measures.csv"),
            times.marks.count == bars, let last = times.marks.last?.onset.seconds
        else { return nil }
        // Parts are read from anywhere in the file, so that it is not converted first.
        let readable = SoundFileKinds.sounds(in: folder).lazy.compactMap { try? SoundFileReader(path: $0) }
        guard let sound = readable.first else { return nil }
        self.name = name
        onsetsSeconds = times.marks.map(\.onset.seconds)
        let duration = Double(sound.frameCount) / sound.sampleRate.hertz
        // A file that does not name the end: the last bar ends with the sound.
        endSeconds = min(times.end?.seconds ?? duration, duration)
        guard endSeconds > last else { return nil }
        soundPath = sound.path
        hertz = Int(sound.sampleRate.hertz)
        frameCount = sound.frameCount
        let facts = try? FileManager.default.attributesOfItem(atPath: sound.path)
        let changed = (facts?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        edition = "\(frameCount)x\(Int(changed))"
    }
}
