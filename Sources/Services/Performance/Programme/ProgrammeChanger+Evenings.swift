import Basics
import Foundation
import Hosting
import Podium
import ShowLog

/// Begins and ends evenings.
extension ProgrammeChanger {
    package func beginEvening(_ wanted: WantedEvening?, by sender: CommandSender) async
        -> ProgrammeChangeOutcome
    {
        let snapshot = inbox.newestSnapshot
        guard snapshot.isActiveServer else { return .answered(.notActiveServer) }
        guard !nextEvening.isRequested else {
            return .notPossible("The evening is being ended; wait until the console is connected again.")
        }
        let ends = wanted == nil
        guard !snapshot.state.isLocked else {
            return .notPossible("The show is locked, so no evening is begun or ended; L unlocks.")
        }
        var (wanted, plan) = (wanted, wanted?.plan)
        if let id = plan {
            guard let planned = planned.list().first(where: { $0.id == id }) else {
                return .notPossible("This evening is not planned any more; look at the list again.")
            }
            wanted = planned.wanted
        } else if ends, nextEvening.takesPieces,
            snapshot.state.mayHavePlayed || snapshot.programme.evening.plan == nil,
            let next = planned.next(from: Self.today)
        {
            (wanted, plan) = (next.wanted, next.id)
        }
        var evening: Evening
        do throws(EveningFault) {
            evening = try Evening.unnamed.changed(by: wanted?.fields ?? Evening.Fields())
        } catch { return .notPossible(error.sentence) }
        evening.plan = plan
        if !snapshot.state.mayHavePlayed {
            do throws(ExplainedError) { try keepPlan(of: snapshot.programme, before: plan) } catch {
                return .notPossible(error.explanation)
            }
        }
        let outcome: ProgrammeChangeOutcome
        if let wanted, !ends, !snapshot.state.mayHavePlayed {
            outcome = await rename(snapshot.programme, to: evening, wanted, by: sender)
        } else {
            outcome = await end(snapshot, before: evening, wanted)
        }
        // The plan is the evening itself from here on; one that stays behind does no harm.
        if case .answered(.done) = outcome, let plan { try? planned.drop(plan) }
        return outcome
    }

    /// Plans an evening again in whose place another one begins before anything was played.
    private func keepPlan(of present: ShowProgramme, before next: String?) throws(ExplainedError) {
        guard let plan = present.evening.plan, plan != next else { return }
        let kept = ProgrammeFile(present)
        try planned.put(
            WantedEvening(
                Evening.Fields(present.evening), pieces: kept.pieces, intermissions: kept.intermissions),
            as: plan)
    }

    private static var today: String {
        let format = ISO8601DateFormatter()
        (format.formatOptions, format.timeZone) = ([.withFullDate], .current)
        return format.string(from: Date())
    }

    package func listPlannedEvenings() async -> [PlannedEvening] { planned.list() }

    package func planEvening(_ wanted: WantedEvening?, as id: String) async throws(ExplainedError) {
        guard inbox.newestSnapshot.isActiveServer else {
            throw ExplainedError("The other server leads; plan the evening there.")
        }
        guard var wanted else { return try planned.drop(id) }
        if wanted.pieces == nil {
            let present = ProgrammeFile(inbox.newestSnapshot.programme)
            (wanted.pieces, wanted.intermissions) = (present.pieces, present.intermissions)
        }
        try planned.put(wanted, as: id)
    }

    /// Makes an evening in which nothing was played yet the wanted one.
    private func rename(
        _ present: ShowProgramme, to evening: Evening, _ wanted: WantedEvening, by sender: CommandSender
    ) async -> ProgrammeChangeOutcome {
        let outcome = await changeProgramme(
            to: WantedProgramme(
                evening, pieces: wanted.pieces ?? present.folders,
                intermissions: wanted.pieces == nil ? present.intermissions : wanted.intermissions ?? [],
                revision: present.orderRevision), by: sender)
        guard case .answered(.done) = outcome, evening.kind != .concert else { return outcome }
        return .answered(await inbox.submitEvent(.command(.setRehearsal(true), by: sender, epoch: nil)))
    }

    /// Ends the evening and lets the program begin the next one.
    private func end(
        _ snapshot: ShowEngineSnapshot, before evening: Evening, _ wanted: WantedEvening?
    ) async -> ProgrammeChangeOutcome {
        let present = snapshot.programme
        guard nextEvening.takesPieces || wanted?.pieces.map({ $0 == present.folders }) ?? true else {
            return .notPossible(
                "The pieces are named where this server is started, so the evening begins with them. Begin it with "
                    + "the pieces of now, and then change the programme.")
        }
        let prepared = await Set(listPreparedPieces().map(\.folder))
        if let missing = wanted?.pieces?.first(where: { !prepared.contains($0) }) {
            return .notPossible(
                "The piece “\(missing.prefix(60))” is not prepared; choose another programme.")
        }
        // Pieces that were named at the start have a title of their own.
        let unnamed = nextEvening.takesPieces ? evening : Evening(present.title)
        let intermissions = wanted?.pieces == nil ? present.intermissions : wanted?.intermissions ?? []
        let next = ProgrammeFile(
            wanted == nil ? unnamed : evening, pieces: wanted?.pieces ?? present.folders,
            intermissions: intermissions.isEmpty ? nil : intermissions, term: pair?.term)
        do throws(ExplainedError) {
            try await pair?.tellOtherServer(nextEvening: next)
            try nextEvening.begin(next)
        } catch {
            return .notPossible("\(error.explanation) This evening goes on.")
        }
        return .answered(.done(snapshot.state.epoch))
    }

    package func listEarlierEvenings() async -> [EarlierEvening] {
        let prepared = await Set(listPreparedPieces().map(\.folder))
        let shows = builder.dataFolder + "/shows"
        return await Task.detached(priority: .utility) {
            // The newest show is the running one.
            ((try? ServerDataFolder.listShowFolders(in: shows)) ?? []).dropFirst().prefix(Self.mostEvenings)
                .compactMap { Self.readEvening(show: $0, prepared: prepared) }
        }.value
    }

    package func readReport(ofShow name: String) async -> [UInt8]? {
        let shows = builder.dataFolder + "/shows"
        return await Task.detached(priority: .utility) {
            // Only what is listed is opened, whatever the name holds.
            let listed = (try? ServerDataFolder.listShowFolders(in: shows)) ?? []
            guard let show = listed.first(where: { ServerDataFolder.name(ofShow: $0) == name }) else {
                return nil
            }
            let written = FileManager.default.contents(atPath: show + "/report.json").map(Array.init)
            return written ?? (try? ShowReport(show: show)).map { Array($0.json) }
        }.value
    }

    private static let mostEvenings = 20

    private static func readEvening(show: String, prepared: Set<String>) -> EarlierEvening? {
        guard let recovery = try? ShowRecovery(show: show), !recovery.podium.course.isEmpty else {
            return nil
        }
        let programme = recovery.podium.course
        let kept = ProgrammeFile(programme).keepingPieces(prepared.contains)
        return EarlierEvening(
            show: ServerDataFolder.name(ofShow: show), name: programme.evening.name,
            started: recovery.started, people: programme.evening.peopleText,
            pieces: kept?.pieces ?? [], intermissions: kept?.intermissions ?? [],
            missing: programme.pieces.filter { !prepared.contains($0.folder) }.map(\.name.text))
    }
}
