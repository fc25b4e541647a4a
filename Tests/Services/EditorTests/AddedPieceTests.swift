import Basics
import Foundation
import Podium
import Score
import Synchronization
import Testing

@testable import Audience
@testable import Catalogue
@testable import Content
@testable import ContentStages
@testable import Editor
@testable import Hosting
@testable import TestHelpers
@testable import WebServer

/// A piece that is added to tonight's programme is in the concert that listeners find.
@Suite(.ownThreads) struct AddedPieceTests {
    private let stage: ContentStage
    private let said = Sentences()

    private final class Sentences: Sendable {
        private let held = Mutex<[String]>([])
        func add(_ sentence: String) { held.withLock { $0.append(sentence) } }
        func contains(_ words: String) -> Bool { held.withLock { $0.contains { $0.contains(words) } } }
    }

    init() async throws { stage = try await ContentStage() }

    private static func piece(_ name: String, folder: String) throws -> ShowPiece {
        try ShowPiece(
            name: PieceName(name), folder: folder,
            measures: MeasureMap(
                marks: (1...4).map {
                    PlayedMeasure(printed: $0, onset: ReferenceTime(seconds: Double($0 - 1) * 2))
                }, end: ReferenceTime(seconds: 8)))
    }

    /// Tonight's programme at the start of the server: the first two pieces of the concert.
    private func programmeAtStart() throws -> ShowProgramme {
        let served = try #require(stage.desk.servedConcert).catalogueConcert
        return try ShowProgramme(
            title: "Evening",
            pieces: zip(served.concert.pieces, served.pieceNodes).prefix(2).map { piece, nodes in
                try Self.piece(piece.name.text, folder: nodes.recordingsFolder)
            })
    }

    /// Changes the programme as the show engine reports it, and waits until the service has dealt with it.
    private func change(
        from known: ShowProgramme, to pieces: [ShowPiece], isActive: Bool = true
    ) async throws {
        stage.desk.setFollowedReferences(
            InitialContent(recordingsFolderPath: "", modelsFolderPath: "", programme: known).references)
        let service = EditorService(
            stage.desk, quota: nil,
            programme: EditorService.FollowedProgramme(
                atStart: known, recordingsFolderPath: ContentStage.recordings, modelsFolderPath: stage.folder,
                say: { [said] in said.add($0) }))
        let output = try #require(service.showOutputs.first)
        let changed = try ShowProgramme(title: "Evening", pieces: pieces)
        output.receiveSnapshot(
            ShowEngineSnapshot(
                now: .zero, programme: changed, state: Podium(course: changed).state, measureFraction: 0,
                isActiveServer: isActive))
        await output.close()
    }

    private func names() async throws -> [String] {
        try await stage.text("/getPieces.php").split(separator: ";").map(String.init)
    }

    private func audiencePiece(_ name: String) async throws -> AudienceConcert.Piece? {
        let text = try await stage.text("/api/audience/concert")
        return try JSONDecoder().decode(AudienceConcert.self, from: Data(text.utf8)).pieces.first {
            $0.name == name
        }
    }

    /// Takes a piece out of the concert that listeners find.
    private func remove(_ piece: Int, from served: CatalogueConcert) async throws -> String {
        let id = served.pieceNodes[piece].id.rawValue
        let answer = try await stage.edit(
            "{\"base\":\(served.contentTree.revision),\"changes\":[{\"remove\":\"\(id)\"}]}")
        #expect(answer.status == .ok, "\(String(buffer: answer.body))")
        let name = served.concert.pieces[piece].name.text
        try #require(try await !names().contains(name))
        return name
    }

    @Test func theConcertHasTheOrderOfTheProgrammeAndWhatIsNotPlayedComesAfter() async throws {
        let (known, before) = (try programmeAtStart(), try await names())
        try await change(from: known, to: known.pieces.reversed())
        #expect(try await names() == [before[1], before[0]] + before.dropFirst(2))
        try await change(from: known, to: [known.pieces[1]])
        #expect(try await names() == [before[1], before[0]] + before.dropFirst(2), "no texts are lost")
    }

    @Test func listenersFindItsNameAndBarsAfterThePieceBeforeIt() async throws {
        let (known, before) = (try programmeAtStart(), try await names())
        let encore = try Self.piece("Elgar, Encore", folder: "encore")
        try await change(from: known, to: [known.pieces[0], encore, known.pieces[1]])
        #expect(try await names() == [before[0], "Elgar, Encore"] + before.dropFirst())
        let found = try #require(try await audiencePiece("Elgar, Encore"))
        #expect(found.measures.map(\.printed) == [1, 2, 3, 4])
        #expect(try await stage.text("/getData.php?database1=Elgar,%20Encore").contains("<piece"))
        #expect(said.contains("its name and its bars"))
    }

    @Test func itHasTheTextsOfAnEarlierConcert() async throws {
        let (known, before) = (try programmeAtStart(), try await names())
        // The last piece of another concert, with slides, is not in the one that listeners find.
        let served = try #require(stage.desk.servedConcert).catalogueConcert
        let last = try #require(served.concert.pieces.lastIndex { $0.tracks.contains { !$0.slides.isEmpty } })
        _ = try await stage.ask("/api/edit/concerts/1/copy", .post, as: "ed", body: [])
        let name = try await remove(last, from: served)
        try await change(from: known, to: known.pieces + [Self.piece(name, folder: "anything")])
        #expect(try await Set(names()) == Set(before))
        let found = try #require(try await audiencePiece(name))
        #expect(found.tracks.map(\.name) == served.concert.pieces[last].tracks.map(\.name))
        #expect(found.tracks.contains { !$0.slides.isEmpty })
    }

    @Test func itHasTheTextsThatAreStoredWithItsRecordings() async throws {
        let known = try programmeAtStart()
        let served = try #require(stage.desk.servedConcert).catalogueConcert
        let last = try #require(served.concert.pieces.lastIndex { $0.tracks.contains { !$0.slides.isEmpty } })
        let name = try await remove(last, from: served)
        try await change(
            from: known,
            to: known.pieces + [Self.piece(name, folder: served.pieceNodes[last].recordingsFolder)])
        let found = try #require(try await audiencePiece(name))
        #expect(found.tracks.contains { !$0.slides.isEmpty })
    }

    @Test func aProgrammeWithoutAPieceOfTheConcertHasAConcertOfItsOwn() async throws {
        let (known, before) = (try programmeAtStart(), try await names())
        try await change(from: known, to: [Self.piece("Elgar, Something else", folder: "else")])
        #expect(try await names() == ["Elgar, Something else"])
        #expect(said.contains("a concert of the programme: “Evening”"))
        // The concert of before is served again with its pieces.
        let other = try ShowProgramme(
            title: "Evening", pieces: [Self.piece("Elgar, Something else", folder: "else")])
        try await change(from: other, to: known.pieces)
        #expect(try await names() == before)
        #expect(said.contains("which has the pieces of the programme"))
    }

    @Test func aConcertThatAnEditorServesStaysWhileNoPieceIsAdded() async throws {
        let before = try await names()
        let other = try ["else", "more"].map { try Self.piece("Elgar, \($0)", folder: $0) }
        try await change(from: ShowProgramme(title: "Evening", pieces: other), to: other.reversed())
        #expect(try await names() == before)
        #expect(said.contains("but not in the concert"))
    }

    @Test func aBackupChangesNoConcert() async throws {
        let (known, before) = (try programmeAtStart(), try await names())
        try await change(
            from: known, to: known.pieces + [Self.piece("Elgar, Encore", folder: "encore")], isActive: false)
        #expect(try await names() == before)
    }

    @Test func aPieceThatAnEditorTookOutDoesNotComeBack() async throws {
        let known = try programmeAtStart()
        let encore = try Self.piece("Elgar, Encore", folder: "encore")
        let changed = try ShowProgramme(title: "Evening", pieces: known.pieces + [encore])
        // The concert lacks it, and it was in the programme already.
        try await change(from: changed, to: [encore] + known.pieces)
        #expect(try await !names().contains("Elgar, Encore"))
    }

    // MARK: A new show

    /// Starts the server with the present catalogue and a programme that has an encore more.
    private func namesAfterStart(previous: [PieceName]?) async throws -> [String] {
        let known = try programmeAtStart()
        let tonight = try ShowProgramme(
            title: "Evening", pieces: known.pieces + [Self.piece("Elgar, Encore", folder: "encore")])
        let desk = try await EditorService.open(
            catalogue: stage.desk.catalogue, data: stage.folder,
            start: InitialContent(
                recordingsFolderPath: ContentStage.recordings, modelsFolderPath: stage.folder,
                programme: tonight),
            previousNames: previous, isShowLocked: { false }, say: { said.add($0) })
        return try #require(desk.servedConcert).catalogueConcert.concert.pieces.map(\.name.text)
    }

    @Test func aNewShowAddsThePiecesThatTheLastOneDidNotHave() async throws {
        let before = try await names()
        let after = try await namesAfterStart(previous: programmeAtStart().pieces.map(\.name))
        #expect(Set(after) == Set(before + ["Elgar, Encore"]))
        #expect(said.contains("is now in the concert"))
    }

    @Test func aContinuedShowAndAPieceThatAnEditorTookOutChangeNothing() async throws {
        let before = try await names()
        #expect(try await namesAfterStart(previous: nil) == before)
        let all = try programmeAtStart().pieces.map(\.name) + [PieceName("Elgar, Encore")]
        #expect(try await namesAfterStart(previous: all) == before)
    }
}
