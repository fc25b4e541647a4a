import Basics
import Foundation
import Listening
import Pictures
import Platform
import Synchronization

/// The film of a piece: one video, and the times of its bar lines, in the folder `film` beside the piece's recordings.
struct Film: Equatable, Sendable {
    var path: String
    var format: VideoFormat
    /// Identifies the content: 32 hexadecimal digits, the same on both servers of a pair.
    var tag: String
    /// Seconds of the film.
    var barLines: [Double]

    static let folderName = "film"
    static let measuresName = "measures.csv"
    /// The bytes at the beginning and at the end of the video that its tag is made of, beside its size.
    private static let taggedBytes = 65_536

    /// - Parameter folder: `Recordings/PIECE/film`.
    /// - Returns: nil if there is no such folder.
    /// - Throws: ``ExplainedError`` if it cannot be used.
    static func read(_ folder: URL) throws(ExplainedError) -> Film? {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            return nil
        }
        let videos = names.filter { !$0.hasPrefix(".") }.sorted().compactMap { name in
            VideoFormat(path: folder.appending(path: name).path).map { (name: name, format: $0) }
        }
        guard let video = videos.first else {
            throw ExplainedError(
                "\(folder.path) has no video that browsers play; put one there, as MP4 (H.264), WebM or Ogg.")
        }
        guard videos.count == 1 else {
            throw ExplainedError(
                "\(folder.path) has \(videos.count) videos, \(videos.map(\.name).joined(separator: ", ")); "
                    + "leave the one that is the film.")
        }
        let lines = try readBarLines(folder.appending(path: measuresName))
        let path = folder.appending(path: video.name).path
        return Film(path: path, format: video.format, tag: try makeTag(path), barLines: lines)
    }

    private static func readBarLines(_ file: URL) throws(ExplainedError) -> [Double] {
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw ExplainedError(
                "\(file.path) is missing: the times of the film's bar lines. Make them on the page /prepare or with "
                    + "baton prepare.")
        }
        do { return try AnnotatedMeasures(file: file).map.marks.map(\.onset.seconds) } catch {
            throw ExplainedError((error as? any Explained)?.sentence ?? "\(error)")
        }
    }

    private static func makeTag(_ path: String) throws(ExplainedError) -> String {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            let size = try file.seekToEnd()
            try file.seek(toOffset: 0)
            var bytes = Array("\(size) ".utf8) + (try file.read(upToCount: taggedBytes) ?? Data())
            try file.seek(toOffset: size > UInt64(taggedBytes) ? size - UInt64(taggedBytes) : 0)
            bytes += try file.read(upToCount: taggedBytes) ?? Data()
            return String("\(Digest(of: bytes))".prefix(32))
        } catch {
            throw ExplainedError("\(path) cannot be read; look at its rights and at the disk.")
        }
    }
}

/// The films of tonight's pieces. Their folders are looked at every two seconds, off the show's thread.
final class FilmShelf: Sendable {
    struct Found: Equatable, Sendable {
        var film: Film?
        /// Why the piece's film cannot be used; nil if it can, or if there is none.
        var trouble: String?
    }

    private struct Known {
        /// Name, size and time of each file.
        var signature: [String] = []
        var found = Found()
    }

    private let recordings: URL
    private let known = Mutex<[String: Known]>([:])

    init(recordings: String) { self.recordings = URL(fileURLWithPath: recordings) }

    /// Returns the film, or its trouble, as the last look at the piece’s folder found it.
    func found(ofPiece folder: String) -> Found { known.withLock { $0[folder]?.found } ?? Found() }

    func film(_ tag: String) -> Film? {
        known.withLock { known in known.values.lazy.compactMap(\.found.film).first { $0.tag == tag } }
    }

    /// Reads the films of these pieces where their files have changed, and forgets all others.
    func refresh(pieces: [String]) {
        let before = known.withLock { $0 }
        var after: [String: Known] = [:]
        for piece in pieces where after[piece] == nil {
            let folder = recordings.appending(path: piece).appending(path: Film.folderName)
            let signature = Self.signature(of: folder)
            if let old = before[piece], old.signature == signature {
                after[piece] = old
            } else {
                after[piece] = Known(signature: signature, found: Self.read(folder))
            }
        }
        known.withLock { $0 = after }
    }

    private static func read(_ folder: URL) -> Found {
        do throws(ExplainedError) { return Found(film: try Film.read(folder)) } catch {
            return Found(trouble: error.sentence)
        }
    }

    private static func signature(of folder: URL) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { name in
            let traits = try? FileManager.default.attributesOfItem(
                atPath: folder.appending(path: name).path)
            return "\(name) \(traits?[.size] ?? "") \(traits?[.modificationDate] ?? "")"
        }
    }
}
