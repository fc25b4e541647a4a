import Basics
import Hosting
import Podium
import Score
import WebServer

/// A concert of the catalogue, as the console offers it for the programme.
package struct CatalogueConcertPieces: Sendable, Equatable {
    package var id: Int64
    package var title: String
    /// The names of its pieces, in order.
    package var pieceNames: [String]

    package init(id: Int64, title: String, pieceNames: [String]) {
        (self.id, self.title, self.pieceNames) = (id, title, pieceNames)
    }
}

/// Answers questions about tonight's programme.
extension ConsoleRequestHandler {
    private struct ProgrammeResponse: Encodable {
        struct Piece: Encodable {
            var folder: String
            var name: String
            var durationSeconds: Double
            var measures: Int
        }

        struct Concert: Encodable {
            var id: Int64
            var title: String
            /// The folders of its pieces that are prepared, in order.
            var pieces: [String]
            /// The names of its pieces that are not prepared.
            var missing: [String]
        }

        var title: String
        var revision: String
        var pieces: [Piece]
        var intermissions: [Int]
        var encores: Int
        /// The pieces that can be added.
        var prepared: [PreparedPiece]
        var concerts: [Concert]
    }

    package func respondWithProgramme() async -> WebResponse {
        let prepared = await programmeEditor.listPreparedPieces()
        let concerts = await listConcerts().map { Self.match($0, with: prepared) }
        return makeProgrammeResponse(prepared, concerts)
    }

    package func changeProgramme(to wanted: WantedProgramme, by person: WebPerson) async -> WebResponse {
        switch await programmeEditor.changeProgramme(to: wanted, by: CommandSender(person)) {
        case .answered(let outcome): return Self.makeCommandResponse(outcome)
        case .notPossible(let sentence): return .refused(422, "bad-programme", sentence)
        }
    }

    private struct EveningsResponse: Encodable {
        var evenings: [EarlierEvening]
        var planned: [PlannedEvening]
    }

    package func respondWithEvenings() async -> WebResponse {
        .json(
            EveningsResponse(
                evenings: await programmeEditor.listEarlierEvenings(),
                planned: await programmeEditor.listPlannedEvenings()))
    }

    package func planEvening(_ wanted: WantedEvening?, as id: String) async throws -> WebResponse {
        do throws(ExplainedError) {
            try await programmeEditor.planEvening(wanted, as: id)
        } catch { throw Refusal(422, "bad-evening", error.explanation) }
        return .succeeded
    }

    package func earlierShowReport(_ show: String) async -> WebResponse {
        guard let report = await programmeEditor.readReport(ofShow: show) else {
            return .refused(404, "no-report", "There is no report on this evening; its log is not here.")
        }
        return .json(report)
    }

    package func beginEvening(_ wanted: WantedEvening?, by person: WebPerson) async -> WebResponse {
        switch await programmeEditor.beginEvening(wanted, by: CommandSender(person)) {
        case .answered(let outcome): return Self.makeCommandResponse(outcome)
        case .notPossible(let sentence): return .refused(422, "bad-evening", sentence)
        }
    }

    private func makeProgrammeResponse(_ prepared: [PreparedPiece], _ concerts: [ProgrammeResponse.Concert])
        -> WebResponse
    {
        let programme = newestProgramme
        let pieces = programme.isEmpty ? [] : programme.pieces
        return .json(
            ProgrammeResponse(
                title: programme.title, revision: programme.orderRevision,
                pieces: pieces.map {
                    ProgrammeResponse.Piece(
                        folder: $0.folder, name: $0.name.text, durationSeconds: $0.measures.end.seconds,
                        measures: $0.playedMeasureCount)
                },
                intermissions: programme.intermissions, encores: programme.evening.encores,
                prepared: prepared, concerts: concerts))
    }

    private static func match(_ concert: CatalogueConcertPieces, with prepared: [PreparedPiece])
        -> ProgrammeResponse.Concert
    {
        var (folders, missing): ([String], [String]) = ([], [])
        for name in concert.pieceNames {
            if let piece = prepared.first(where: { $0.name == name }) {
                folders.append(piece.folder)
            } else {
                missing.append(name)
            }
        }
        return ProgrammeResponse.Concert(
            id: concert.id, title: concert.title, pieces: folders, missing: missing)
    }
}
