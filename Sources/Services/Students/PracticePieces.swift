import Following
import Foundation
import Hosting
import ReferenceStore
import Score
import ScoreFiles
import Synchronization

/// The prepared pieces, and the models of those that are being practised. A model is loaded once for all sessions.
final class PracticePieces: Sendable {
    /// The pieces that may be practised at the same time. A model takes some 4 MB for a minute of music.
    static let mostLoaded = 8

    let models: ModelFolder
    private let recordings: String
    let data: String?
    private let loaded = Mutex<[String: WeakProgramme]>([:])

    /// The programme of a piece that sessions share; it is dropped with the last of them.
    final class SharedProgramme: Sendable {
        let programme: ConcertProgramme
        init(_ programme: ConcertProgramme) { self.programme = programme }
    }

    private struct WeakProgramme {
        weak var shared: SharedProgramme?
    }

    enum Fault: Error, Equatable {
        case missing
        case tooMany
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

    /// Loads a piece, or gives the one that other sessions use. Takes some 30 ms for ten minutes of music.
    /// - Parameter account: the id of the account that practises. Other people's tabs are missing for it.
    func load(_ piece: String, for account: String) throws(Fault) -> SharedProgramme {
        guard models.contains(piece), isOpen(piece, to: account) else { throw .missing }
        // Under the lock, so that two sessions do not load the same piece twice.
        let outcome = loaded.withLock { loaded -> Result<SharedProgramme, Fault> in
            loaded = loaded.filter { $0.value.shared != nil }
            if let shared = loaded[piece]?.shared { return .success(shared) }
            guard loaded.count < Self.mostLoaded else { return .failure(.tooMany) }
            do throws(ReferenceStoreError) {
                var model = try models.loadModel(piece).model
                // As a show does it: music that stops is expected to begin again at a section.
                model.sectionStartMeasures = PieceSections(recordings: recordings, data: data)
                    .starts(of: piece, measures: model.measures).map(\.start)
                let shared = SharedProgramme(
                    ConcertProgramme(title: model.pieceName.text, pieceModels: [model]))
                loaded[piece] = WeakProgramme(shared: shared)
                return .success(shared)
            } catch { return .failure(.unreadable(sentence: error.sentence)) }
        }
        return try outcome.get()
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
    /// The number of engraved pages; 0 if there are none.
    var pages: Int
    /// The place of each played bar on the pages; null if it has none.
    var places: [PracticePages.Place?]
    /// The id of the tab of which the piece is one version; nil for pieces of the house.
    var tab: String?

    init(folder: String, model: ReferenceModel, recordings: String, data: String? = nil) {
        self.folder = folder
        name = model.pieceName.text
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
