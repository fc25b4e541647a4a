import Hosting
import Podium
import Synchronization

/// Follows the programme in force: saves it for the next start, and has the follower of a programme made that came into
/// force in another way than by this server's console.
final class ProgrammeUpkeep: ShowOutput {
    private let changer: ProgrammeChanger
    private let exchange: FollowerExchange
    private let keepsFileUntilChange: Bool
    private let postEvent: @Sendable (PodiumEvent) -> Void
    private let printMessage: @Sendable (String) -> Void
    private let fileWriter: FileWriter
    private let known = Mutex<Known>(Known())

    private struct Known {
        var programme: ShowProgramme?
        var isToBeSaved = false
        var isMakingFollower = false
        /// The programme for which no follower could be made. It is tried again when the programme changes, and after
        /// some seconds, because a model may still be on its way from the other server.
        var impossible: ShowProgramme?
        var triedAt = ContinuousClock.now
    }

    /// Writes the newest programme, one time after another, on another thread than the show engine's.
    private actor FileWriter {
        private let dataFolder: String
        private let postEvent: @Sendable (PodiumEvent) -> Void
        private var hasFailed = false

        init(dataFolder: String, postEvent: @escaping @Sendable (PodiumEvent) -> Void) {
            (self.dataFolder, self.postEvent) = (dataFolder, postEvent)
        }

        /// - Parameter newest: returns the programme in force at the moment of writing, so that the newest is written
        ///   last whatever the order of the calls.
        func save(_ newest: @Sendable () -> ShowProgramme?) {
            guard let programme = newest() else { return }
            do {
                try ProgrammeFile(programme).write(in: dataFolder)
                if hasFailed { postEvent(.faultEnded(ProgrammeUpkeep.fileFaultID)) }
                hasFailed = false
            } catch {
                hasFailed = true
                postEvent(
                    .fault(
                        TechnicalFault(
                            id: ProgrammeUpkeep.fileFaultID,
                            sentence:
                                "The programme could not be saved in \(ProgrammeFile.path(in: dataFolder)) for "
                                + "the next evening; free disk space. Tonight's show has it in its log.")))
            }
        }
    }

    /// - Parameter keepsFileUntilChange: true if the saved programme could not be used at the start. It is then
    ///   overwritten only when somebody changes the programme.
    init(
        changer: ProgrammeChanger, exchange: FollowerExchange, dataFolder: String,
        keepsFileUntilChange: Bool = false,
        postEvent: @escaping @Sendable (PodiumEvent) -> Void, say: @escaping @Sendable (String) -> Void
    ) {
        (self.changer, self.exchange) = (changer, exchange)
        self.keepsFileUntilChange = keepsFileUntilChange
        self.postEvent = postEvent
        printMessage = say
        fileWriter = FileWriter(dataFolder: dataFolder, postEvent: postEvent)
    }

    func close() async { await save() }

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {}

    func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        let programme = snapshot.programme
        let isNew = known.withLock { known in
            let old = known.programme
            known.programme = programme
            let isNew = old.map { $0.orderRevision != programme.orderRevision } ?? !keepsFileUntilChange
            if isNew { known.isToBeSaved = true }
            return isNew
        }
        if isNew { Task { await save() } }
        guard !exchange.follows(programme), !exchange.hasPrepared(for: programme) else { return }
        let begins = known.withLock { known in
            guard !known.isMakingFollower,
                known.impossible != programme || known.triedAt.duration(to: .now) > Self.retryInterval
            else { return false }
            known.triedAt = .now
            known.isMakingFollower = true
            return true
        }
        if begins { Task { await makeFollower(of: programme) } }
    }

    private func save() async {
        await fileWriter.save { self.known.withLock { $0.isToBeSaved ? $0.programme : nil } }
    }

    private func makeFollower(of programme: ShowProgramme) async {
        do {
            try await changer.followProgramme(programme)
            known.withLock { ($0.isMakingFollower, $0.impossible) = (false, nil) }
            postEvent(.faultEnded(Self.faultID))
        } catch {
            let isRepeated = known.withLock { known in
                defer { (known.isMakingFollower, known.impossible) = (false, programme) }
                return known.impossible == programme
            }
            guard !isRepeated else { return }
            let sentence = "This server cannot follow the programme in force: \(error.explanation)"
            printMessage(sentence + "\n")
            postEvent(.fault(TechnicalFault(id: Self.faultID, sentence: sentence)))
        }
    }

    private static let retryInterval = Duration.seconds(5)
    private static let faultID = "programme-follower"
    private static let fileFaultID = "programme-file"
}
