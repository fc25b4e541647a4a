import Basics
import Foundation
import Listening
import Sound

/// Recordings with annotations of their bars, as data sets have them in a folder.
///
/// The annotation of `NAME.wav` is `NAME.csv`, `NAME_measures.csv`, `NAME.beats` or the like, beside it or in another
/// folder of the same tree. The recordings of a folder are one piece; if their names fall into several groups, such as
/// `opus10_p01`, `opus10_p02`, `opus38_p01`, `opus38_p02`, each group is one. In `PIECE/NAME/audio.wav` the folders have
/// the names.
package struct AnnotatedFolder {
    package struct Recording: Equatable {
        package var name: String
        package var audio: URL
        package var annotation: URL
    }

    package struct Piece: Equatable {
        package var name: String
        package var recordings: [Recording]
    }

    package let pieces: [Piece]
    /// Paths in the folder of recordings without an annotation.
    package let leftOut: [String]

    static let mostFiles = 20_000
    private static let annotationEndings: Set = ["csv", "txt", "tsv", "beats", "beat", "lab", "ann", "xml"]
    private static let annotationWords: Set = [
        "measure", "measures", "bar", "bars", "downbeat", "downbeats", "beat", "beats", "annotation",
        "annotations", "label", "labels",
    ]
    /// Names that say what a file is and not what is played.
    private static let generalNames: Set = [
        "audio", "recording", "sound", "performance", "wav", "audio_wav", "recordings", "annotations",
    ]

    /// Searches a folder and those in it.
    /// - Throws: ``ExplainedError`` if it has more than ``mostFiles`` files.
    package init(_ folder: URL) throws {
        let root = folder.resolvingSymlinksInPath().standardizedFileURL
        let files = try Self.files(in: root)
        var annotations: [String: [URL]] = [:]
        for file in files where Self.annotationEndings.contains(file.pathExtension.lowercased()) {
            for stem in Self.soundNames(ofAnnotation: file) { annotations[stem, default: []].append(file) }
        }
        var places: [(folder: String, recording: Recording, isNamedByFolder: Bool)] = []
        var leftOut: [String] = []
        for file in files where SoundFileKinds.isSound(file.lastPathComponent) {
            let stem = file.deletingPathExtension().lastPathComponent
            let here = file.deletingLastPathComponent()
            let isGeneral = Self.generalNames.contains(stem.lowercased()) && here != root
            var found = annotations[stem.lowercased()] ?? []
            if isGeneral {
                found = files.filter {
                    $0.deletingLastPathComponent() == here && !Self.soundNames(ofAnnotation: $0).isEmpty
                        && Self.rank($0, beside: here) < 2
                }
            }
            let best = found.map { (Self.rank($0, beside: here), $0.path, $0) }
                .min { ($0.0, $0.1) < ($1.0, $1.1) }
            guard let annotation = best?.2 else {
                leftOut.append(Self.path(file, in: root))
                continue
            }
            let name = isGeneral ? here.lastPathComponent : stem
            places.append(
                (
                    Self.path(isGeneral ? here.deletingLastPathComponent() : here, in: root),
                    Recording(name: name, audio: file, annotation: annotation), isGeneral
                ))
        }
        var pieces: [Piece] = []
        for folder in Set(places.map(\.folder)).sorted() {
            let inside = places.filter { $0.folder == folder }
            let name = Self.pieceName(folder, root: root)
            pieces +=
                inside.contains { $0.isNamedByFolder }
                ? [Piece(name: name, recordings: inside.map(\.recording))]
                : Self.split(Piece(name: name, recordings: inside.map(\.recording)))
        }
        self.pieces = pieces
        self.leftOut = leftOut
    }

    private static func files(in root: URL) throws -> [URL] {
        guard
            let walk = FileManager.default.enumerator(
                at: root, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
        else { return [] }
        var files: [URL] = []
        while let file = walk.nextObject() as? URL {
            files.append(file)
            guard files.count <= mostFiles else {
                throw ExplainedError("\(root.path) holds more than \(mostFiles) files; name a folder in it.")
            }
        }
        return files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// The names, in lower case, that a recording may have for a file to be its annotation.
    private static func soundNames(ofAnnotation file: URL) -> [String] {
        guard annotationEndings.contains(file.pathExtension.lowercased()) else { return [] }
        let stem = file.deletingPathExtension().lastPathComponent.lowercased()
        guard let cut = stem.lastIndex(where: { "._- ".contains($0) }),
            annotationWords.contains(String(stem[stem.index(after: cut)...]))
        else { return [stem] }
        return [stem, String(stem[..<cut])]
    }

    /// The smaller, the likelier a file is the annotation of the measures of a recording in a folder.
    private static func rank(_ annotation: URL, beside folder: URL) -> Int {
        let isBeside = annotation.deletingLastPathComponent() == folder
        let stem = annotation.deletingPathExtension().lastPathComponent.lowercased()
        // Beside the recording, the folder's name says nothing of the annotation.
        let folderName = annotation.deletingLastPathComponent().lastPathComponent.lowercased()
        let words = isBeside ? stem : folderName + stem
        let kind =
            ["measure", "bar"].contains(where: words.contains)
            ? 0 : ["beat"].contains(where: words.contains) ? 1 : words.contains("note") ? 8 : 2
        return kind + (isBeside ? 0 : 16)
    }

    private static func path(_ file: URL, in root: URL) -> String {
        let (whole, above) = (file.standardizedFileURL.path, root.path)
        return whole.hasPrefix(above + "/") ? String(whole.dropFirst(above.count + 1)) : ""
    }

    private static func pieceName(_ folder: String, root: URL) -> String {
        var parts = folder.split(separator: "/").map(String.init)
        while let last = parts.last, generalNames.contains(last.lowercased()) { parts.removeLast() }
        return parts.isEmpty ? root.lastPathComponent : parts.joined(separator: "/")
    }

    /// The pieces into which the names of recordings fall: several, if each name begins like another one's.
    private static func split(_ piece: Piece) -> [Piece] {
        var groups: [String: [Recording]] = [:]
        for recording in piece.recordings {
            guard let cut = recording.name.lastIndex(where: { "_- ".contains($0) }) else { return [piece] }
            var short = recording
            short.name = String(recording.name[recording.name.index(after: cut)...])
            groups[String(recording.name[..<cut]), default: []].append(short)
        }
        guard groups.count > 1, groups.values.allSatisfy({ $0.count > 1 }) else { return [piece] }
        return groups.sorted { $0.key < $1.key }.map { Piece(name: $0.key, recordings: $0.value) }
    }
}

extension AnnotatedFolder.Piece {
    /// Up to so many recordings, each is followed by each other one.
    package static let mostForAllPairs = 4

    /// The pairs of a reference and a live recording: all, or each recording by the one before it in a circle.
    package func pairs(all: Bool) -> [(reference: AnnotatedFolder.Recording, live: AnnotatedFolder.Recording)]
    {
        guard recordings.count > 1 else { return [] }
        guard all || recordings.count <= Self.mostForAllPairs else {
            return recordings.indices.map {
                (recordings[($0 + recordings.count - 1) % recordings.count], recordings[$0])
            }
        }
        return recordings.flatMap { reference in
            recordings.filter { $0 != reference }.map { (reference, $0) }
        }
    }
}
