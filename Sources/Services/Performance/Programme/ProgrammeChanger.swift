import Basics
import Following
import Foundation
import Hosting
import Podium
import ReferenceStore
import Synchronization

/// Changes the programme while the server runs: loads the models of new pieces, makes the follower of the changed
/// programme, and hands both to the show engine and the follow thread.
///
/// Everything that takes time happens here, on an ordinary thread, before anything changes. Pieces that stay keep their
/// followers, so that the piece being played goes on.
package actor ProgrammeChanger: ProgrammeEditing {
    /// A function that makes the follower of a changed programme.
    ///
    /// Its arguments are the programme, for each piece its index in the programme of the follower that is replaced or
    /// nil for a new piece, and that follower.
    package typealias FollowerMaker = @Sendable (ConcertProgramme, [Int?], FollowerBox) -> FollowerBox

    let inbox: ShowInbox
    let exchange: FollowerExchange
    let loader: ReferenceModelLoader
    let builder: ShowProgrammeBuilder
    private let fileFaults: StartupFaults
    let nextEvening: NextEvening
    var planned: PlannedEvenings { PlannedEvenings(dataFolder: builder.dataFolder) }
    /// This server's side of a pair; nil for a server alone.
    let pair: FailoverCoordinator?
    private let makeFollower: FollowerMaker
    /// For each piece that was loaded, the modification time of its model then.
    var loadedModelDates: [String: Date]
    /// The dates of the models that were loaded for a prepared follower. They count once it was handed over.
    var preparedModelDates: (box: FollowerBox, dates: [String: Date])?
    var isChanging = false
    /// The files of sections that the programme has, with their modification times.
    private var takenSections: (files: [String], dates: [Date?])?
    /// The pieces that were prepared anew and are not followed so yet, by their folders; true once that was said.
    var awaitedModels: [String: Bool] = [:]
    /// The dates of models that could not be loaded, which are not tried again.
    var unusableModelDates: [String: Date] = [:]
    /// Tells the consoles a sentence.
    let notify: @Sendable (String) -> Void

    init(
        inbox: ShowInbox, exchange: FollowerExchange, loader: ReferenceModelLoader,
        builder: ShowProgrammeBuilder, fileFaults: StartupFaults = StartupFaults(),
        nextEvening: NextEvening? = nil, pair: FailoverCoordinator? = nil,
        notify: @escaping @Sendable (String) -> Void = { _ in },
        makeFollower: @escaping FollowerMaker
    ) {
        self.notify = notify
        self.inbox = inbox
        self.nextEvening = nextEvening ?? NextEvening(dataFolder: builder.dataFolder, takesPieces: true)
        self.pair = pair
        self.exchange = exchange
        self.loader = loader
        self.builder = builder
        self.fileFaults = fileFaults
        self.makeFollower = makeFollower
        loadedModelDates = [:]
        for piece in exchange.newest.programme.pieces {
            loadedModelDates[piece.folder] = Self.modelDate(of: piece.folder, loader)
        }
    }

    private var tabs: TabPieceOwners { TabPieceOwners(recordings: loader.recordingsFolderPath) }

    package func listPreparedPieces() async -> [PreparedPiece] {
        ModelFolder(path: loader.modelsFolderPath).summaries().filter { !tabs.isTab($0.folder) }.map {
            PreparedPiece(
                folder: $0.folder, name: $0.name.text, durationSeconds: $0.durationSeconds,
                measures: $0.measureCount, recordings: $0.recordingCount)
        }.sorted { $0.name.localizedCaseInsensitiveCompare($1.name) == .orderedAscending }
    }

    package func changeProgramme(to wanted: WantedProgramme, by sender: CommandSender) async
        -> ProgrammeChangeOutcome
    {
        await waitForLoading()
        let snapshot = inbox.newestSnapshot
        guard snapshot.isActiveServer else { return .answered(.notActiveServer) }
        guard snapshot.programme.orderRevision == wanted.revision else {
            return .answered(.refused(.programmeChangedMeanwhile, snapshot.state.epoch))
        }
        guard exchange.follows(snapshot.programme) else {
            return .notPossible("The pieces are still being loaded; try again in a few seconds.")
        }
        guard !isChanging else {
            return .notPossible("Another change of the programme is being made; try again in a second.")
        }
        isChanging = true
        defer { isChanging = false }
        guard wanted.pieces.count <= RequestedProgramme.mostPieces else {
            return .notPossible(
                "\(wanted.pieces.count) pieces are too many; a programme has at most \(RequestedProgramme.mostPieces)."
            )
        }
        if let tab = wanted.pieces.first(where: { folder in
            !snapshot.programme.pieces.contains { $0.folder == folder } && tabs.isTab(folder)
        }) {
            return .notPossible(
                "“\(tab)” is a tab that only its owner may practise. Let the owner save the tab as MusicXML, and "
                    + "prepare that on /prepare; then it can be put on the programme.")
        }
        // No intermission is planned after the last piece, so an index there is refused like one outside.
        if let index = wanted.intermissions.first(where: {
            !(0..<max(wanted.pieces.count - 1, 0)).contains($0)
        }) {
            return .notPossible(Self.explainImpossibleIntermission(index, pieces: wanted.pieces.count))
        }
        var faults: [TechnicalFault] = []
        let changed: (programme: ShowProgramme, made: MadeFollower?)
        do {
            changed = try await makeProgramme(
                of: try wanted.whole ?? snapshot.programme.evening.changed(by: wanted.evening),
                folders: wanted.pieces,
                intermissions: wanted.intermissions, present: snapshot
            ) { faults.append($0) }
        } catch {
            return .notPossible(error.explanation)
        }
        if let made = changed.made, !keepPrepared(made, for: changed.programme) {
            return .notPossible("The programme was changed meanwhile; try again.")
        }
        let outcome = await inbox.submitProgramme(changed.programme, changing: wanted.revision)
        switch outcome {
        case .done, .doneButNotSaved:
            let names = changed.programme.pieces.map(\.name.text).joined(separator: "; ")
            let text = "Programme changed: \(changed.programme.isEmpty ? "no piece" : names)"
            inbox.post(.command(.logNote(String(text.prefix(1_000))), by: sender))
            report(faults)
        case .refused, .busy, .notActiveServer: exchange.dropPrepared()
        }
        return .answered(outcome)
    }

    /// Takes the sections of tonight's pieces as people have entered them meanwhile.
    /// - Returns: false if they have changed and cannot be taken now, because the show is locked or being checked, or
    ///   another server is active. Then this is to be called again.
    package func takeSections() async -> Bool {
        let snapshot = inbox.newestSnapshot
        guard !snapshot.programme.isEmpty else { return true }
        let pieces = snapshot.programme.pieces
        let files = pieces.flatMap { builder.pieceSections.paths(of: $0.folder) }
        let dates = files.map {
            (try? FileManager.default.attributesOfItem(atPath: $0))?[.modificationDate] as? Date
        }
        guard takenSections.map({ $0.files != files || $0.dates != dates }) ?? true else { return true }
        let sections = pieces.map(builder.sections)
        guard sections != pieces.map(\.sections) else {
            takenSections = (files, dates)
            return true
        }
        guard snapshot.isActiveServer, !isChanging, !snapshot.state.isLocked, snapshot.state.check == nil,
            let changed = try? snapshot.programme.replacingSections(by: sections)
        else { return false }
        isChanging = true
        defer { isChanging = false }
        switch await inbox.submitProgramme(changed, changing: snapshot.programme.orderRevision) {
        case .done, .doneButNotSaved:
            takenSections = (files, dates)
            return true
        case .refused, .busy, .notActiveServer: return false
        }
    }

    /// Waits while the pieces of a show that goes on after a restart are being loaded, because it is served before.
    private func waitForLoading() async {
        let end = ContinuousClock.now + Self.longestLoading
        while !exchange.follows(inbox.newestSnapshot.programme), .now < end {
            do { try await Task.sleep(for: .milliseconds(50)) } catch { return }
        }
    }

    /// The caller waits for less than the time after which pages and proxies give up.
    private static let longestLoading = Duration.seconds(10)

    private static func explainImpossibleIntermission(_ index: Int, pieces: Int) -> String {
        let possible =
            switch pieces {
            case ...1: "a programme needs at least two pieces for one"
            case 2: "with two pieces it can only be 0, after the first one"
            default: "give 0, after the first piece, to \(pieces - 2), after the last but one"
            }
        return "There can be no intermission \(index); \(possible)."
    }

    /// Tells the console of the lists and content files that cannot be used, and which of them can be used again.
    private func report(_ faults: [TechnicalFault]) {
        for id in fileFaults.replaceProgrammeFaults(by: faults) { inbox.post(.faultEnded(id)) }
        for fault in faults { inbox.post(.fault(fault)) }
    }

    /// Makes the follower ready for a programme that came into force in another way: on the backup, or by continuing an
    /// interrupted show.
    /// - Throws: ``ExplainedError`` if a piece cannot be loaded, or has other measures here.
    package func followProgramme(_ course: ShowProgramme) async throws {
        guard !isChanging, !exchange.follows(course) else { return }
        isChanging = true
        defer { isChanging = false }
        let made = try await makeFollowedProgramme(
            title: course.title, folders: course.pieces.map(\.folder), keeping: { _ in false })
        for (piece, model) in zip(course.pieces, made.programme.pieceModels)
        where piece.measures != model.measures {
            throw ExplainedError(
                "“\(piece.name)” is prepared with other measures here than in the show; "
                    + "copy \(loader.modelsFolderPath)/\(piece.folder) from the other server.")
        }
        // If another follower was handed over meanwhile, the next snapshot asks again.
        _ = keepPrepared(made, for: course)
    }

    /// A follower that was made for a changed programme.
    struct MadeFollower {
        var programme: ConcertProgramme
        var box: FollowerBox
        /// The newest follower when this one was made.
        var oldBox: FollowerBox
        /// For each piece that was loaded anew, the modification time of its model.
        var dates: [String: Date] = [:]
    }

    func keepPrepared(
        _ made: MadeFollower, for programme: ShowProgramme, renewed: Set<Int> = []
    ) -> Bool {
        guard
            exchange.keepPrepared(made.box, for: programme, continuing: made.oldBox, renewed: renewed)
        else { return false }
        preparedModelDates = (made.box, made.dates)
        return true
    }

    /// Notes the dates of the models that the newest follower was given.
    func noteModelDates(of newest: FollowerBox) {
        guard let prepared = preparedModelDates, prepared.box === newest else { return }
        loadedModelDates.merge(prepared.dates) { $1 }
        preparedModelDates = nil
    }

    /// Makes a changed programme, and its follower if another one is needed.
    /// - Parameter trouble: called with a fault for each list and content file that cannot be used.
    private func makeProgramme(
        of evening: Evening, folders: [String], intermissions: [Int], present: ShowEngineSnapshot,
        trouble: (TechnicalFault) -> Void
    ) async throws -> (ShowProgramme, MadeFollower?) {
        guard !folders.isEmpty else {
            let empty = ShowProgramme.empty(evening)
            guard !present.programme.isEmpty else { return (empty, nil) }
            let old = exchange.newest.box
            let waiting = WaitingFollower(title: evening.title, sampleRate: old.follower.sampleRate)
            return (
                empty,
                MadeFollower(programme: waiting.programme, box: FollowerBox(waiting), oldBox: old)
            )
        }
        let made = try await makeFollowedProgramme(
            title: evening.title, folders: folders, keeping: { $0 == present.state.piece })
        let programme = try builder.buildProgramme(
            of: made.programme, at: evening, folders: folders, intermissions: intermissions, trouble: trouble)
        return (programme, exchange.follows(programme) ? nil : made)
    }

    /// Loads the models of a programme and makes its follower. A model is loaded again if it was prepared anew, unless
    /// its piece is to be kept, for example because it may be playing. Pieces of one folder share their model. A model that
    /// was loaded and is not ready to follow yet is made ready.
    func makeFollowedProgramme(
        title: String, folders: [String], keeping isKept: (Int) -> Bool
    ) async throws -> MadeFollower {
        let (old, oldBox) = exchange.newest
        noteModelDates(of: oldBox)
        let oldModels = oldBox.follower.programme.pieceModels
        var remaining = old.isEmpty || oldModels.count != old.pieces.count ? [] : Array(old.pieces.indices)
        var (models, kept): ([ReferenceModel], [Int?]) = ([], [])
        var (dates, loaded): ([String: Date], [String: ReferenceModel]) = ([:], [:])
        for folder in folders {
            guard ModelFolder.isValidName(folder) else {
                throw ExplainedError(
                    "“\(folder)” is not the name of a piece's folder, which has only letters, digits and "
                        + "dashes.")
            }
            let date = Self.modelDate(of: folder, loader)
            let slot = remaining.firstIndex { old.pieces[$0].folder == folder }
            if let slot, isKept(remaining[slot]) || date == loadedModelDates[folder] {
                let index = remaining.remove(at: slot)
                models.append(oldModels[index])
                kept.append(oldModels[index].isReadyToFollow ? index : nil)
                if date == loadedModelDates[folder] { loaded[folder] = models.last }
            } else {
                if let slot { remaining.remove(at: slot) }
                if loaded[folder] == nil {
                    loaded[folder] = try loader.loadModelWithSections(folder)
                }
                if let model = loaded[folder] { models.append(model) }
                kept.append(nil)
                dates[folder] = date
            }
        }
        models = await ReferenceModelLoader.makeReadyInBackground(models, of: folders)
        let programme = ConcertProgramme(title: title, pieceModels: models)
        let box = makeFollower(programme, kept, oldBox)
        return MadeFollower(programme: programme, box: box, oldBox: oldBox, dates: dates)
    }

    /// The time at which a piece's model was last written; nil if it has none.
    static func modelDate(of folder: String, _ loader: ReferenceModelLoader) -> Date? {
        let path = "\(loader.modelsFolderPath)/\(folder)/model.json"
        return (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }
}
