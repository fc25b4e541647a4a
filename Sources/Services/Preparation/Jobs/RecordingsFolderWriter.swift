import Foundation
import ReferenceStore
import ScoreFiles
import Sound
import WebServer

/// Writes the folder of a piece among the recordings: a folder for each recording, with the sound and its measure
/// times. Everything else that lies in the folder stays.
struct RecordingsFolderWriter {
    let order: ModelOrder
    let references: [StoredReference]

    /// The contents of `piece.json`: the name, and the piece in preparation from which it was made.
    struct PieceFile: Codable {
        var name: String
        var draft: String?
        /// The file of the score that was put beside the recordings.
        var score: String?
        /// The account that alone may practise the piece, because it is its tab; nil if everybody may.
        var tabOwner: String?
        /// The id of that tab, which stays the same when the tab is changed and learned again.
        var tab: String?
    }

    private struct RenderFile: Codable {
        var audio: String
        var endSeconds: Double
        /// The piece in preparation from which the recording comes.
        var draft: String
    }

    private var folder: String { order.recordings + "/" + order.folder }

    /// The name and the origin of a folder's piece; nil if the folder is not there or has no such file.
    static func pieceFile(of folder: String) -> PieceFile? {
        FileManager.default.contents(atPath: folder + "/piece.json")
            .flatMap { try? JSONDecoder().decode(PieceFile.self, from: $0) }
    }

    /// The piece in preparation from which a folder was made; nil if it is another's, `.some(nil)` if there is none.
    static func owner(of folder: String) -> String?? {
        guard FileManager.default.fileExists(atPath: folder) else { return .some(nil) }
        guard let draft = pieceFile(of: folder)?.draft else { return nil }
        return draft
    }

    /// The names in a folder that a recording of a piece in preparation cannot have, because something else lies there,
    /// or because the model has a reference of this name that came from elsewhere.
    static func takenNames(in folder: String, references: [String], by piece: String) -> Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Set((names + references).filter { !isOwn(folder + "/" + $0, of: piece) })
    }

    /// True if a folder is a recording's that was written for a piece in preparation.
    static func isOwn(_ path: String, of piece: String) -> Bool { draft(of: path) == piece }

    /// True if a folder is a recording's that was written for any piece in preparation.
    static func isPrepared(_ path: String) -> Bool { draft(of: path) != nil }

    private static func draft(of path: String) -> String? {
        FileManager.default.contents(atPath: path + "/render.json")
            .flatMap { try? JSONDecoder().decode(RenderFile.self, from: $0).draft }
    }

    func write() throws {
        try DraftFiles.makeFolder(folder, isPrivate: false)
        DraftFiles.flush(folder: order.recordings)
        // Two processes that write at once would each delete the other's unfinished folders.
        let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else {
            throw Refusal.notWritten(reason: String(cString: strerror(errno)))
        }
        defer {
            // A child process that is just being started may have a copy of the descriptor.
            _ = flock(lock, LOCK_UN)
            close(lock)
        }
        // It is written first, so that the folder is this piece's also after an interruption.
        let before = Self.pieceFile(of: folder)?.score
        let score = scoreName(before: before)
        try writeJSON(
            PieceFile(
                name: order.name, draft: order.piece, score: score, tabOwner: order.tabOwner,
                tab: order.tab),
            to: folder + "/piece.json")
        try removeLeftovers()
        try placeScore(score, before: before)
        if let sections = order.sections {
            try DraftFiles.write(
                PieceSections.encode(sections), to: folder + "/" + PieceSections.preparedFileName,
                isPrivate: false)
        }
        for (recording, reference) in zip([order.main] + order.further, references) {
            try write(recording, reference)
        }
    }

    /// The name that the score gets beside the recordings, where the notes of takes are judged by it; nil if there is
    /// none, or if another score lies there already.
    /// - Parameter before: the name under which an earlier run put one there.
    private func scoreName(before: String?) -> String? {
        let endings = ["musicxml": "musicxml", "xml": "musicxml", "mxl": "mxl", "mid": "mid", "midi": "mid"]
        guard let score = order.score, let ending = endings[(score as NSString).pathExtension.lowercased()]
        else { return nil }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { $0.hasPrefix("score.") && $0 != before } ? nil : "score." + ending
    }

    private func placeScore(_ name: String?, before: String?) throws(Refusal) {
        if let before, before != name, before.hasPrefix("score."), !before.contains("/") {
            try? FileManager.default.removeItem(atPath: folder + "/" + before)
        }
        guard let name, let bytes = order.score.flatMap(FileManager.default.contents(atPath:)) else { return }
        try DraftFiles.write(Array(bytes), to: folder + "/" + name, isPrivate: false)
    }

    /// Removes what an interrupted run left, and recordings of this piece that no longer belong to it.
    private func removeLeftovers() throws(Refusal) {
        let files = FileManager.default
        let names = Set(references.map(\.name))
        for name in (try? files.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix(Self.replacedPrefix) {
            // After an interruption between the two renames the recording's place is empty.
            let place = folder + "/" + name.dropFirst(Self.replacedPrefix.count)
            if !files.fileExists(atPath: place) { _ = rename(folder + "/" + name, place) }
        }
        for name in (try? files.contentsOfDirectory(atPath: folder)) ?? [] where !names.contains(name) {
            let path = folder + "/" + name
            if Self.isOwn(path, of: order.piece) || name.hasPrefix(Self.unfinishedPrefix)
                || name.hasPrefix(Self.replacedPrefix)
            {
                try? files.removeItem(atPath: path)
            }
        }
    }

    private static let unfinishedPrefix = ".unfinished-"
    /// Before the name of a recording whose new folder takes the place.
    private static let replacedPrefix = ".replaced-"

    private func write(_ recording: ModelOrder.Recording, _ reference: StoredReference) throws(Refusal) {
        let (files, unfinished) = (FileManager.default, folder + "/" + Self.unfinishedPrefix + recording.name)
        try? files.removeItem(atPath: unfinished)
        try DraftFiles.makeFolder(unfinished, isPrivate: false)
        let audio = try placeSound(recording.path, in: unfinished)
        try DraftFiles.flush(file: unfinished + "/" + audio)
        try DraftFiles.write(
            Array(MeasureTimesWriter.makeCSV(reference.measures.marks).utf8),
            to: unfinished + "/measures.csv",
            isPrivate: false)
        try writeJSON(
            RenderFile(audio: audio, endSeconds: reference.measures.end.seconds, draft: order.piece),
            to: unfinished + "/render.json")
        let place = folder + "/" + recording.name
        let old = folder + "/" + Self.replacedPrefix + recording.name
        try? files.removeItem(atPath: old)
        _ = rename(place, old)
        guard rename(unfinished, place) == 0 else {
            throw .notWritten(reason: String(cString: strerror(errno)))
        }
        DraftFiles.flush(folder: folder)
        try? files.removeItem(atPath: old)
    }

    /// The ending that a sound file keeps in the recordings' folder; nil if it is converted to FLAC.
    static func keptEnding(of path: String) -> String? {
        switch (path as NSString).pathExtension.lowercased() {
        case "flac": "flac"
        case "wav", "wave": "wav"
        case "ogg", "oga", "opus": "ogg"
        default: nil
        }
    }

    /// Links, copies or converts the sound.
    /// - Returns: the name of the file.
    private func placeSound(_ path: String, in folder: String) throws(Refusal) -> String {
        let ending = Self.keptEnding(of: path)
        let name = "audio." + (ending ?? "flac")
        let place = folder + "/" + name
        if ending != nil {
            // A link costs no space; across disks the file is copied.
            if link(path, place) == 0 { return name }
            do { try FileManager.default.copyItem(atPath: path, toPath: place) } catch {
                throw .notWritten(reason: error.localizedDescription)
            }
            return name
        }
        do throws(SoundFileError) {
            let reader = try SoundFileReader(path: path)
            let writer = try SoundFileWriter(path: place, rate: reader.sampleRate)
            var block = [Float](repeating: 0, count: 16_384)
            while true {
                let count = try block.withUnsafeMutableBufferPointer { (buffer) throws(SoundFileError) in
                    try reader.read(into: buffer)
                }
                guard count > 0 else { break }
                try writer.write(Array(block[..<count]))
            }
            try writer.close()
        } catch { throw .notWritten(reason: error.sentence) }
        return name
    }

    private func writeJSON(_ value: some Encodable, to path: String) throws(Refusal) {
        let coder = JSONEncoder()
        coder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? coder.encode(value) else { throw .notWritten(reason: "it cannot be encoded") }
        try DraftFiles.write(Array(bytes + Data("\n".utf8)), to: path, isPrivate: false)
    }
}
