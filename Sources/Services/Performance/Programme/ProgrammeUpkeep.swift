import Hosting
import Podium
import Synchronization

/// Follows the programme in force: saves it for the next start, and has the follower of a programme made that came into
/// force in another way than by this server's console.
final class ProgrammeUpkeep: ShowOutput {
    private let changer: ProgrammeChanger
    private let exchange: FollowerExchange
    private let dataFolder: String
    private let postEvent: @Sendable (PodiumEvent) -> Void
    private let printMessage: @Sendable (String) -> Void
    private let fileWriter = FileWriter()
    private let known = Mutex<Known>(Known())

    private struct Known {
        var programme: ShowProgramme?
        var isMakingFollower = false
        /// The programme for which no follower could be made; tried again only when the programme changes.
        var impossible: ShowProgramme?
    }

    /// Writes one file after another, on another thread than the show engine's.
    private actor FileWriter {
        func save(_ file: ProgrammeFile, in folder: String) -> Bool {
            (try? file.write(in: folder)) != nil
        }
    }

    init(
        changer: ProgrammeChanger, exchange: FollowerExchange, dataFolder: String,
        postEvent: @escaping @Sendable (PodiumEvent) -> Void, say: @escaping @Sendable (String) -> Void
    ) {
        (self.changer, self.exchange, self.dataFolder) = (changer, exchange, dataFolder)
        self.postEvent = postEvent
        printMessage = say
    }

    func close() async {
        if let programme = known.withLock({ $0.programme }) { await save(ProgrammeFile(programme)) }
    }

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {}

    func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        let programme = snapshot.programme
        let isNew = known.withLock { known in
            let old = known.programme
            known.programme = programme
            return old.map { $0.orderRevision != programme.orderRevision } ?? true
        }
        if isNew { Task { await save(ProgrammeFile(programme)) } }
        guard !exchange.follows(programme) else { return }
        let begins = known.withLock { known in
            guard !known.isMakingFollower, known.impossible != programme else { return false }
            known.isMakingFollower = true
            return true
        }
        if begins { Task { await makeFollower(of: programme) } }
    }

    private func save(_ file: ProgrammeFile) async {
        if await fileWriter.save(file, in: dataFolder) { return }
        postEvent(
            .fault(
                TechnicalFault(
                    id: "programme-file",
                    sentence:
                        "The programme could not be saved in \(ProgrammeFile.path(in: dataFolder)) for the next "
                        + "evening; free disk space. Tonight's show has it in its log.")))
    }

    private func makeFollower(of programme: ShowProgramme) async {
        do throws(ExplainedError) {
            try await changer.followProgramme(programme)
            known.withLock { ($0.isMakingFollower, $0.impossible) = (false, nil) }
            postEvent(.faultEnded(Self.faultID))
        } catch {
            known.withLock { ($0.isMakingFollower, $0.impossible) = (false, programme) }
            let sentence = "This server cannot follow the programme in force: \(error.sentence)"
            printMessage(sentence + "\n")
            postEvent(.fault(TechnicalFault(id: Self.faultID, sentence: sentence)))
        }
    }

    private static let faultID = "programme-follower"
}
