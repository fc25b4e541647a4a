import Foundation
import Podium
import Repository
import Testing
import Titles

@testable import Hosting
@testable import Performance
@testable import TestHelpers

/// Titles of prepared pieces that are not in the programme.
@Suite struct PreparedTitleTests {
    private static let (elise, ode) = (
        "beethoven-woo-59-fur-elise", "beethoven-symphony-9-ode-to-joy-variations"
    )
    private let data: ServeFolder
    private let builder: ShowProgrammeBuilder
    private let lists: PreparedTitleLists

    init() throws {
        data = try ServeFolder()
        builder = ShowProgrammeBuilder(
            recordingsFolderPath: Repository.recordings.path, dataFolder: data.path)
        lists = PreparedTitleLists(builder: builder, modelsFolderPath: Self.models)
    }

    private static let models = Repository.root.path + "/Models"

    private func write(_ csv: String, of folder: String) async throws -> ShowPiece? {
        try await lists.changeTitles(of: folder) { try $0.readTitles(Array(csv.utf8), as: .csv) }
    }

    @Test func everyPreparedPieceIsListedWithItsTitles() async throws {
        let pieces = await lists.listPieces()
        #expect(Set(pieces.map(\.folder)) == Set(Repository.concert))
        #expect(pieces.first { $0.folder == Self.ode }?.count == 13)
        #expect(pieces.first { $0.folder == Self.elise }?.count == 0)
        _ = try await write("bar,text\n2,One\n3,Two\n", of: Self.elise)
        let changed = await lists.listPieces().first { $0.folder == Self.elise }
        let piece = try #require(await lists.piece(Self.elise))
        #expect(changed?.count == 2 && changed?.revision == piece.titles.fingerprint)
    }

    @Test func thePieceBringsItsTitlesWhenItIsPutOn() async throws {
        let changed = try #require(try await write("bar,text\n2,One\n3,Two\n", of: Self.elise))
        let loader = ReferenceModelLoader(
            modelsFolderPath: Self.models, recordingsFolderPath: Repository.recordings.path)
        let programme = try loader.loadProgramme(RequestedProgramme(Self.elise))
        let show = try builder.buildProgramme(of: programme, folders: [Self.elise])
        #expect(show.pieces[0].titles == changed.titles)
        #expect(
            show.pieces[0].titles.titles.map { show.pieces[0].printedMeasure(at: $0.played ?? 0) } == [2, 3])
    }

    @Test func titlesWhoseBarsThePieceHasNoMoreStayAndWaitForAPerson() async throws {
        try data.write("bar,lead,text\n2,,One\n9000,2,Two\n3,,Three\n", to: "titles/\(Self.elise).csv")
        let elise = await lists.listPieces().first { $0.folder == Self.elise }
        #expect(elise?.count == 3 && elise?.fault?.contains("A title of “") == true)
        #expect(elise?.fault?.contains("Title 2") == true)
        let piece = try #require(await lists.piece(Self.elise))
        #expect(piece.titles.titles.map(\.firstText) == ["One", "Two", "Three"])
        #expect(piece.titles.titles[1].played == nil && piece.titles.titles[1].note == "bar 9000")
        #expect(piece.titles.titles[2].played != nil)
        // A person's change loses none of them.
        let changed = try await lists.changeTitles(of: Self.elise) { piece in
            var titles = piece.titles.titles
            titles[0].texts = [TitleText(text: "Uno")]
            return try TitleList(titles)
        }
        #expect(changed?.titles.titles.map(\.firstText) == ["Uno", "Two", "Three"])
        #expect(await lists.listPieces().first { $0.folder == Self.elise }?.fault == nil)
    }

    @Test func aListThatCannotBeUsedIsSaid() async throws {
        try data.write("bar,text\n2,\"Unclosed\n", to: "titles/\(Self.elise).csv")
        let elise = await lists.listPieces().first { $0.folder == Self.elise }
        #expect(elise?.count == 0 && elise?.fault?.isEmpty == false)
        #expect(await lists.listPieces().filter { $0.fault != nil }.count == 1)
    }

    @Test func aRefusedListLeavesTheOneBefore() async throws {
        _ = try await write("bar,text\n2,One\n", of: Self.elise)
        await #expect(throws: TitleImportFault.self) { try await write("bar,text\n999,No\n", of: Self.elise) }
        #expect(await lists.piece(Self.elise)?.titles.count == 1)
        let missing = try await write("text\nOne\n", of: "no-such-piece")
        #expect(missing == nil)
        for name in ["", "..", "../secret", "a/b", "-x"] {
            #expect(await lists.piece(name) == nil, "\(name)")
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: data.path + "/titles") == [
                "\(Self.elise).csv"
            ])
    }

    @Test func theBackupServerGetsEachList() async throws {
        #expect(lists.replicatedFolder.listItems().isEmpty)
        _ = try await write("bar,text\n2,One\n", of: Self.elise)
        try data.write("no list", to: "titles/broken.csv")
        let folder = lists.replicatedFolder
        #expect(folder.listItems().map(\.name) == [Self.elise, "broken"])
        #expect(folder.findDamage(folder.path, Self.elise) == nil)
        #expect(folder.findDamage(folder.path, "gone") != nil)
    }
}
