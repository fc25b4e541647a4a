import Foundation
import Hosting
import Podium
import WebServer

/// Implements the console's HTTP routes: passes commands and edits to the show engine.
package final class ConsoleRequestHandler: ConsoleBackend {
    private let showInbox: ShowInbox
    private let beginPreShowCheck: @Sendable () -> Bool
    private let explainUnsendableCue: @Sendable (Cue) -> String?
    private let healthResponder: HealthResponder
    private let diskReserve: DiskReserve?
    let programmeEditor: any ProgrammeEditing
    let soundChooser: any SoundChoosing
    let listConcerts: @Sendable () async -> [CatalogueConcertPieces]
    private let makeReportJSON: @Sendable () async -> [UInt8]?

    /// Creates a handler for the requests of all consoles.
    /// - Parameters:
    ///   - beginCheck: starts the pre-show check; returns false if it is already running.
    ///   - programme: changes the programme.
    ///   - sound: chooses the sound device.
    ///   - concerts: lists the concerts of the catalogue.
    ///   - cueProblem: returns why a cue cannot be sent; nil if it can.
    package init(
        show: ShowInbox, programme: any ProgrammeEditing, sound: any SoundChoosing,
        concerts: @escaping @Sendable () async -> [CatalogueConcertPieces] = { [] },
        beginCheck: @escaping @Sendable () -> Bool,
        cueProblem: @escaping @Sendable (Cue) -> String? = { _ in nil }, health: HealthResponder,
        reserve: DiskReserve? = nil,
        report: @escaping @Sendable () async -> [UInt8]?
    ) {
        self.showInbox = show
        programmeEditor = programme
        soundChooser = sound
        listConcerts = concerts
        self.beginPreShowCheck = beginCheck
        self.explainUnsendableCue = cueProblem
        self.healthResponder = health
        self.diskReserve = reserve
        makeReportJSON = report
    }

    /// The programme in force.
    var newestProgramme: ShowProgramme { showInbox.newestSnapshot.programme }

    package func health() async -> WebResponse {
        healthResponder.makeHealthResponse(showInbox.newestSnapshot)
    }

    package func executeCommand(_ order: CommandRequest, by person: WebPerson) async -> WebResponse {
        do throws(CommandFault) {
            let command = try PodiumCommand(words: order.nameAndArguments)
            let epoch = order.lastSeenEpoch.map { BatonEpoch($0) }
            if let epoch, epoch == nil {
                return .refused(
                    400, "bad-epoch", "“\(order.lastSeenEpoch ?? "")” is not an epoch; write one such as 1.4."
                )
            }
            return Self.makeCommandResponse(
                await showInbox.submitEvent(
                    .command(command, by: CommandSender(person, device: order.device), epoch: epoch ?? nil)))
        } catch {
            return .refused(422, "bad-command", error.sentence)
        }
    }

    package static func makeCommandResponse(_ answer: CommandOutcome) -> WebResponse {
        let sentence = answer.sentence ?? ""
        return switch answer {
        case .done(let epoch): .json(CommandDoneResponse(epoch: epoch.description))
        case .doneButNotSaved(let epoch, _):
            // A page shows it as an error; the new epoch tells it that the command took effect.
            Refusal(507, "not-written", sentence, with: ["epoch": epoch.description]).response
        case .refused(let refusal, _): .refused(409, refusal.code.rawValue, sentence)
        case .notActiveServer: .refused(409, "not-reigning", sentence)
        case .busy: .refused(503, "busy", sentence)
        }
    }

    private struct CommandDoneResponse: Encodable {
        var ok = true
        var epoch: String
    }

    package func respondWithCueList(piece: Int, asCSV: Bool) async -> WebResponse {
        let course = showInbox.newestSnapshot.programme
        guard course.pieces.indices.contains(piece) else { return makeNoSuchPieceRefusal(piece, of: course) }
        let tag = "\"\(course.cueFingerprint(ofPiece: piece))\""
        if asCSV {
            return .csvDownload(
                CueSheet.csv(of: course, piece: piece), file: "\(course.pieces[piece].folder)-cues.csv"
            )
            .withHeader("ETag", tag)
        }
        return .json(course.pieces[piece].cues).withHeader("ETag", tag)
    }

    package func replaceCueList(
        piece: Int, _ body: [UInt8], asCSV: Bool, replacing old: String? = nil, by person: WebPerson
    ) async -> WebResponse {
        let course = showInbox.newestSnapshot.programme
        guard course.pieces.indices.contains(piece) else { return makeNoSuchPieceRefusal(piece, of: course) }
        // Refused before the sheet is read: it may not even be for this piece.
        if let old, course.cueFingerprint(ofPiece: piece) != old {
            return .refused(
                409, CommandRefusal.cuesChangedMeanwhile.code.rawValue,
                CommandRefusal.cuesChangedMeanwhile.sentence)
        }
        // A cue list is written twice: to the show log and to a file. Only editors are refused below the disk
        // reserve, not technicians and administrators.
        if person.role == .editor, let refused = diskReserve?.refusal(adding: 2 * body.count) {
            return refused
        }
        let changed: CueList
        if asCSV {
            do throws(CueSheetFault) {
                changed = try CueSheet.importCues(body, into: course, piece: piece).pieces[piece].cues
            } catch {
                return .refused(422, "bad-cues", error.sentence)
            }
        } else {
            do {
                let cues = try EditedCue.decodeList(body)
                changed = try EditedCue.makeCueList(cues, of: course.pieces[piece])
            } catch {
                return .refused(422, "bad-cues", error.explanation)
            }
        }
        let present = course.pieces[piece].cues
        if let refusal = CuePermissions.refusalReason(of: person.role, changing: present, to: changed) {
            return .refused(403, "not-allowed", refusal)
        }
        // A broken cue that this edit does not touch is reported on the console, but does not block the edit.
        let troubles = changed.cues.filter { present[$0.id] != $0 }.compactMap(explainUnsendableCue)
        guard troubles.isEmpty else {
            return .refused(422, "bad-cues", troubles.prefix(3).joined(separator: " "))
        }
        return Self.makeCommandResponse(
            await showInbox.submitCueList(changed, ofPiece: piece, replacing: old))
    }

    private func makeNoSuchPieceRefusal(_ piece: Int, of course: ShowProgramme) -> WebResponse {
        .refused(404, "no-piece", Self.explainMissingPiece(piece, of: course.pieces.count))
    }

    /// Addresses count pieces from 0, and so does the sentence, which says so.
    static func explainMissingPiece(_ piece: Int, of count: Int) -> String {
        let numbers = count == 1 ? "only piece 0" : "the pieces 0 to \(count - 1)"
        return
            "There is no piece \(piece) in the programme; counted from 0 as in the address, it has \(numbers)."
    }

    package func startPreShowCheck(by person: WebPerson) async -> WebResponse {
        beginPreShowCheck()
            ? .succeeded : .refused(409, "running", "The check is running; wait until it is over.")
    }

    package func currentShowReport() async -> WebResponse {
        guard let report = await makeReportJSON() else {
            return .refused(503, "no-report", "The report cannot be made now; try again after the piece.")
        }
        return .json(report)
    }
}

extension CommandSender {
    package init(_ person: WebPerson, device: String? = nil) {
        let role: CommandSenderRole = person.role == .administrator ? .administrator : .technician
        self.init(name: person.name, role: role, device: device)
    }
}
