import Diary
import Foundation
import Hosting
import Performance
import Preparation
import Recordings
import Rehearsal
import Score
import ScoreLibrary
import Stands
import Students

/// The services around the evening: stands, remarks, preparation of pieces, students.
extension SharedParts {
    func makeStands(recordings: RecordingsService) throws -> StandsService {
        let (catalogue, library, pair, nextEvening) = (catalogue, library, pair, components.nextEvening)
        return try StandsService(
            data: dataFolder, shelf: library, catalogue: catalogue, clock: clock,
            show: inbox, findOtherServer: { pair?.otherServerAddress }, scoreChanges: library.changedScores,
            sound: RehearsalSound(
                evenings: recordings, modelsFolder: settings.modelsFolder, data: dataFolder),
            say: printToStandardError, isEveningOver: { nextEvening.isRequested },
            printing: printing,
            crop: { await library.makeCropResponse($0, body: $1) })
    }

    func makeRemarking(stands: StandsService) -> RemarkingService {
        var rooms = RemarkRooms()
        rooms.findLayers = { await stands.remarkLayers(of: $0, in: $1) }
        rooms.tell = { await stands.tell($0, in: $1, by: $2) }
        rooms.changedScores = stands.scoresWithChangedRemarks
        return RemarkingService(
            catalogue: catalogue, shelf: library,
            isActive: { [inbox] in inbox.newestSnapshot.isActiveServer },
            space: stands.remarkSpace, rooms: rooms, printing: printing)
    }

    /// Evenings become references, in processes of the program.
    func makeEveningReferences() -> EveningReferenceService {
        EveningReferenceService(
            data: dataFolder, modelsFolder: settings.modelsFolder, recordings: recordingsFolder,
            program: settings.program, reserve: diskReserve)
    }

    func makePreparation(recordings: RecordingsService) throws -> PreparationService {
        let (inbox, catalogue, library) = (inbox, catalogue, library)
        let titles = PreparedTitleLists(
            builder: components.programmeBuilder, modelsFolderPath: settings.modelsFolder)
        return try PreparationService(
            data: dataFolder, models: settings.modelsFolder, recordings: recordingsFolder,
            evenings: recordings, worker: WorkerProcess() ?? InProcessWorker(),
            isOnProgramme: { folder in
                inbox.newestSnapshot.programme.pieces.contains { $0.folder == folder }
            },
            neighbours: PieceNeighbours(
                catalogue: catalogue, readPiece: { await titles.piece($0) },
                keepScore: { try await library.keepScore(file: $0, of: $1, named: $2) }),
            removedAccounts: { (try? await catalogue.erasures(of: .account)) ?? [] },
            say: printToStandardError)
    }

    func makeStudents(stands: StandsService) throws -> StudentsService {
        try StudentsService(
            data: dataFolder, models: settings.modelsFolder, recordings: recordingsFolder,
            catalogue: catalogue,
            hearing: ShowHearing(
                input: sound.switchable, show: inbox, consoles: consoleStream,
                leadsRehearsal: { await stands.leadsRehearsal($0) }),
            pieceInConcert: pieceInConcert)
    }

    /// Gives the name that a piece has in the concert; nil if listeners may follow none.
    private var pieceInConcert: (@Sendable (PieceName) -> String?)? {
        guard settings.listenersMayFollow else { return nil }
        return { [publisher] (piece: PieceName) -> String? in
            guard let served = publisher.servedConcert, let index = served.pieceIndex(named: piece) else {
                return nil
            }
            return served.catalogueConcert.concert.pieces[index].name.text
        }
    }
}
