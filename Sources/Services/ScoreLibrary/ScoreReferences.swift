import Basics
import Foundation
import Rehearsal
import Score
import ScoreFiles
import Sound
import WebServer

/// The recording beside a movement: its bars in the order in which they are played, and its sound.
///
/// Stands make links for repeats from it, take its tempo for the metronome, and play it beside the music. It is the
/// first recording of the movement's piece, by the names of their folders, that has measure times.
struct ScoreReference {
    /// A played measure: its printed number and its onset in seconds, encoded as an array of two numbers.
    struct Bar: Encodable {
        var printed: Int
        var onsetSeconds: Double

        func encode(to encoder: any Encoder) throws {
            var fields = encoder.unkeyedContainer()
            try fields.encode(printed)
            try fields.encode((onsetSeconds * 1_000).rounded() / 1_000)
        }
    }

    struct Section: Encodable {
        var label: String
        /// Index into the bars.
        var bar: Int
    }

    let recording: String
    let bars: [Bar]
    let endSeconds: Double
    let sections: [Section]
    let sound: (path: String, contentType: String)?

    /// Finds the reference of a piece.
    /// - Parameters:
    ///   - piece: the folder of the piece, by its name alone.
    ///   - recordings: the folder of all recordings.
    ///   - data: the server's data folder, for the sections.
    init?(piece: String, recordings: String, data: String? = nil) {
        guard !piece.isEmpty, !piece.contains("/"), !piece.hasPrefix(".") else { return nil }
        let folder = "\(recordings)/\(piece)"
        for name in ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() {
            let path = "\(folder)/\(name)/measures.csv"
            guard FileManager.default.fileExists(atPath: path),
                let times = try? MeasureTimesFileReader.read(path: path), let last = times.marks.last
            else { continue }
            let onsets = times.marks.map(\.onset.seconds)
            // A file without an end: the last measure lasts as long as the one before.
            let length = onsets.count > 1 ? onsets[onsets.count - 1] - onsets[onsets.count - 2] : 2
            let end = times.end ?? ReferenceTime(seconds: last.onset.seconds + max(length, 0.1))
            guard let map = try? MeasureMap(marks: times.marks, end: end) else { continue }
            recording = name
            bars = map.marks.map { Bar(printed: $0.printed, onsetSeconds: $0.onset.seconds) }
            endSeconds = end.seconds
            sections = PieceSections(recordings: recordings, data: data).starts(of: piece, measures: map).map
            {
                Section(label: $0.label, bar: $0.start)
            }
            sound = Self.findSound(in: "\(folder)/\(name)")
            return
        }
        return nil
    }

    private static func findSound(in folder: String) -> (path: String, contentType: String)? {
        SoundFileKinds.sounds(in: folder).first.flatMap { path in
            SoundFileKinds.contentType(of: path).map { (path, $0) }
        }
    }

    /// Changes when the sound's file does.
    var soundTag: String? {
        guard let sound, let facts = try? FileManager.default.attributesOfItem(atPath: sound.path) else {
            return nil
        }
        let changed = (facts[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return "\(facts[.size] as? Int ?? 0)x\(Int(changed))"
    }
}

/// Routes that give stands the reference beside a score, for users with a right to the score. Recordings of evenings
/// are never served here.
struct ScoreReferenceRoutes {
    let library: Library

    var routes: [WebRoute] {
        [
            WebRoute(.get, "/api/scores/:score/references", .signedIn) { request in
                .json(try await findReferences(request))
            },
            WebRoute(.get, "/api/scores/:score/references/:movement/sound", .signedIn) { request in
                try await soundResponse(request)
            },
        ]
    }

    private struct ListedReference: Encodable {
        var movement: Int
        var recording: String
        var bars: [ScoreReference.Bar]
        var end: Double
        var sections: [ScoreReference.Section]
        var hasSound: Bool
    }

    private func findReferences(_ request: WebRequest) async throws -> [String: [ListedReference]] {
        let entry = try await visibleEntry(request)
        guard let recordings = library.recordingsFolder else { return ["movements": []] }
        let found = entry.score.movements.enumerated().compactMap { index, movement -> ListedReference? in
            guard let piece = movement.piece,
                let reference = ScoreReference(
                    piece: piece, recordings: recordings, data: library.dataFolder)
            else { return nil }
            return ListedReference(
                movement: index, recording: reference.recording, bars: reference.bars,
                end: reference.endSeconds, sections: reference.sections, hasSound: reference.sound != nil)
        }
        return ["movements": found]
    }

    private func soundResponse(_ request: WebRequest) async throws -> WebResponse {
        let movements = try await visibleEntry(request).score.movements
        guard let index = Int(request.pathParameters["movement"] ?? ""), movements.indices.contains(index),
            let piece = movements[index].piece, let recordings = library.recordingsFolder,
            let reference = ScoreReference(piece: piece, recordings: recordings), let sound = reference.sound,
            let tag = reference.soundTag
        else {
            return .refused(404, "no-sound", "There is no recording beside this movement.")
        }
        return WebResponse.file(sound.path, contentType: sound.contentType, tag: tag)
            .forOnePerson
    }

    private func visibleEntry(_ request: WebRequest) async throws -> LibraryEntry {
        let id = try LibraryRoutes.parseScoreID(request)
        guard let person = request.person, try await library.maySee(id, to: person) else {
            throw LibraryRefusal.noSuchScore
        }
        return try await library.entry(id)
    }
}
