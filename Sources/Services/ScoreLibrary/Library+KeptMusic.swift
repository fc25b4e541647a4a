import Foundation
import Rehearsal
import ScorePages

/// Tells whether the server has the music that a part was engraved from. Only then can the part be written in another
/// key.
enum PartMusic: Equatable, Sendable {
    /// The part's pages are a PDF.
    case none
    case kept
    /// The part was added before the server kept the music of engraved parts, or the file was lost.
    case missing
}

/// The music that engraved parts came from.
extension Library {
    /// Tells for each part whether its music is on the server.
    nonisolated func musicOfParts(_ entry: LibraryEntry) -> [PartMusic] {
        let hasShippedMusic = shippedMusicPath(of: entry) != nil
        return entry.sources.map { source in
            guard case .engraved(_, let music) = source else { return .none }
            return hasShippedMusic || hasFile(of: music) ? .kept : .missing
        }
    }

    /// The MusicXML beside the recordings that a score was shipped with; nil if there is none.
    nonisolated func shippedMusicPath(of entry: LibraryEntry) -> String? {
        guard let piece = entry.shippedRecordingFolder, let recordingsFolder else { return nil }
        let path = "\(recordingsFolder)/\(piece)/score.musicxml"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    /// The path of the MusicXML that the whole score was engraved from; nil if the server has only pages.
    nonisolated func musicPath(of entry: LibraryEntry) -> String? {
        shippedMusicPath(of: entry)
            ?? entry.sources.lazy.compactMap(\.music).filter { $0.transposition == nil }
            .compactMap { self.assetStore.path(of: $0.digest) }.first
    }

    private nonisolated func hasFile(of music: PartSource.EngravedMusic?) -> Bool {
        music.map { assetStore.path(of: $0.digest) != nil } ?? false
    }

    /// Gives engraved parts without music that of a part with the same pages, which was added from the same file later.
    ///
    /// Called at start-up and after each import. A librarian thus completes an old score by adding its file once more;
    /// the old score keeps its measures, remarks and rooms.
    /// - Returns: a sentence for each score that could not be completed.
    func completeMissingMusic() async -> [String] {
        var notes: [String] = []
        for id in allEntries.map(\.score.id) {
            guard let entry = try? entry(id), musicOfParts(entry).contains(.missing) else { continue }
            let sources = entry.sources.map { source in
                guard case .engraved(let files, let music) = source, !hasFile(of: music),
                    let found = findMusic(ofPages: files)
                else { return source }
                return PartSource.engraved(files, from: found)
            }
            guard sources != entry.sources else { continue }
            do {
                try await storeRevision(entry.makeNextRevision(entry.score, sources: sources))
            } catch {
                notes.append(
                    "The music of “\(entry.score.title)” was found, but not noted: \(LibraryRefusal(error).sentence)"
                )
            }
        }
        return notes
    }

    private func findMusic(ofPages files: [PartSource.EngravedFile]) -> PartSource.EngravedMusic? {
        for entry in allEntries {
            for case .engraved(files, let music) in entry.sources where hasFile(of: music) { return music }
        }
        return nil
    }
}
