import Foundation
import Hosting
import Platform
import ReferenceStore
import Score
import ScoreFiles
import Synchronization
import WebServer

/// The prepared pieces, what pages need to follow them, and who may practise which.
final class PracticePieces: Sendable {
    let models: ModelFolder
    private let recordings: String
    let data: String?
    /// The files of frames that were asked for last, compressed, with their digests.
    private let recent = Mutex<[(digest: Digest, document: PrecompressedDocument)]>([])
    /// A file takes some 0.1 MB for a minute of music.
    private static let mostRecent = 8

    enum Fault: Error, Equatable {
        case missing
        case unreadable(sentence: String)
    }

    /// - Parameter data: the server's data folder, for the sections.
    init(modelsFolder: String, recordings: String, data: String? = nil) {
        models = ModelFolder(path: modelsFolder)
        (self.recordings, self.data) = (recordings, data)
    }

    /// The pieces that an account may practise: those of the house, and its own tabs.
    func summaries(for account: String) -> [ModelSummary] {
        models.summaries().filter { isOpen($0.folder, to: account) }
    }

    private func isOpen(_ piece: String, to account: String) -> Bool {
        let owner = TabPieceOwners(recordings: recordings).owner(of: piece)
        return owner == nil || owner == account
    }

    /// Reads what a page needs to follow a piece, without the frames. Takes some milliseconds.
    /// - Parameter account: the id of the account that practises. Other people's tabs are missing for it.
    func read(_ piece: String, for account: String) throws(Fault) -> ModelForPages {
        guard models.contains(piece), isOpen(piece, to: account) else { throw .missing }
        do throws(ReferenceStoreError) { return try models.readForPages(piece) } catch {
            throw .unreadable(sentence: error.sentence)
        }
    }

    /// The file of frames of one of a piece's recordings (``ModelFolder/readFramesFile(_:of:features:)``), for an account
    /// that may practise the piece.
    func frames(_ digest: String, of piece: String, for account: String) throws(Fault)
        -> PrecompressedDocument
    {
        let offered = try read(piece, for: account).framesDigests
        guard let digest = Digest(digest), offered.contains(digest) else { throw .missing }
        if let known = recent.withLock({ $0.first { $0.digest == digest } }) { return known.document }
        let bytes: [UInt8]?
        do throws(ReferenceStoreError) { bytes = try models.readFramesFile(digest, of: piece) } catch {
            throw .unreadable(sentence: error.sentence)
        }
        guard let bytes else { throw .missing }
        let document = PrecompressedDocument(
            contentType: "application/octet-stream", body: bytes, tag: digest.description)
        recent.withLock { recent in
            recent.append((digest, document))
            if recent.count > Self.mostRecent { recent.removeFirst() }
        }
        return document
    }
}

/// The bars of a piece as the page draws them.
struct PracticePieceJSON: Encodable {
    struct Bar: Encodable {
        var printed: Int
        /// The onset on the piece's timeline, in seconds.
        var onset: Double
    }

    struct Section: Encodable {
        var label: String
        /// The played bar, counted from 0.
        var played: Int
    }

    var folder: String
    var name: String
    var seconds: Double
    var bars: [Bar]
    var sections: [Section]
    /// The digests of the files of frames by which a page follows the piece.
    var frames: [String]
    /// The number of engraved pages; 0 if there are none.
    var pages: Int
    /// The place of each played bar on the pages; null if it has none.
    var places: [PracticePages.Place?]
    /// The id of the tab of which the piece is one version; nil for pieces of the house.
    var tab: String?

    /// The recordings by which a page follows a piece at most: 0.23 MB over the network for each minute of one.
    static let mostRecordings = 1

    init(folder: String, model: ModelForPages, recordings: String, data: String? = nil) {
        self.folder = folder
        name = model.name.text
        frames = model.framesDigests.prefix(Self.mostRecordings).map(\.description)
        seconds = roundedToThousandths(model.measures.end.seconds)
        bars = model.measures.marks.map {
            Bar(printed: $0.printed, onset: roundedToThousandths($0.onset.seconds))
        }
        sections = PieceSections(recordings: recordings, data: data).starts(
            of: folder, measures: model.measures
        ).map {
            Section(label: $0.label, played: $0.start)
        }
        let engraved = PracticePages(piece: folder, recordings: recordings, bars: bars.count)
        (pages, places) = (engraved?.pageCount ?? 0, engraved?.places ?? [])
        tab = TabPieceOwners(recordings: recordings).tab(of: folder)
    }
}
