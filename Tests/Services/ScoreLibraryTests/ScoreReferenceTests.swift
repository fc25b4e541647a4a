import Foundation
import Hummingbird
import RouterTesting
import Testing

@testable import LibraryStages
@testable import ScoreLibrary
@testable import TestHelpers

/// The recording beside a score reaches those who have the score, and nobody else.
@Suite(.ownThreads, .enabled(if: hasPoppler, "poppler-utils is not installed")) struct ScoreReferenceTests {
    private let stage: LibraryStage
    private let recordings: String
    private let sound = Array("OggS and more".utf8)

    init() async throws {
        recordings = NSTemporaryDirectory() + "/references-\(UUID().uuidString)"
        for (folder, times) in [
            ("poco", "measure,time\n1,0.5\n2,2\n1,3.5\n2,5\n3,6.5\n"), ("zart", "measure,time\n1,1\n"),
        ] {
            let path = "\(recordings)/elise/\(folder)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Data(times.utf8).write(to: URL(fileURLWithPath: path + "/measures.csv"))
            try Data(sound).write(to: URL(fileURLWithPath: path + "/audio.ogg"))
        }
        stage = try await LibraryStage(recordings: recordings)
    }

    /// A score with a movement that is bound to a piece; gives its address.
    private func score(piece: String = "elise") async throws -> String {
        struct Added: Decodable { var score: String }
        let added = try await stage.ask(
            "/api/library/scores?title=Elise", .post, body: smallPDF(pages: 1))
        let id = try JSONDecoder().decode(Added.self, from: Data(buffer: added.body)).score
        let bound = try await stage.json(
            "/api/library/scores/\(id)", .put, #"{"movements":[{"name":"","piece":"\#(piece)"}]}"#)
        try #require(bound.status == .ok)
        return "/api/scores/\(id)"
    }

    @Test func theBarsComeInPlayingOrderWithTheirTimes() async throws {
        let answer = try await stage.ask(try await score() + "/references")
        #expect(
            String(buffer: answer.body)
                == #"{"movements":[{"bars":[[1,0.5],[2,2],[1,3.5],[2,5],[3,6.5]],"end":8,"hasSound":true,"#
                + #""movement":0,"recording":"poco","sections":[]}]}"#)
    }

    @Test func theSoundComesInPartsAndOnlyToThoseWhoHaveTheScore() async throws {
        let address = try await score()
        let part = try await stage.ask(
            address + "/references/0/sound", as: "ed", body: nil, ["Range": "bytes=0-3"])
        #expect(part.status == .partialContent)
        #expect(String(buffer: part.body) == "OggS")
        let musician = try await stage.musician("anna")
        for path in ["/references", "/references/0/sound"] {
            #expect(try await stage.ask(address + path, as: musician).status == .notFound)
            #expect(try await stage.ask(address + path, as: nil).status == .unauthorized)
        }
        let id = address.split(separator: "/").last!
        _ = try await stage.json(
            "/api/library/bundles", .post, #"{"user":"\#(musician)","score":"\#(id)"}"#)
        #expect(try await stage.ask(address + "/references/0/sound", as: musician).status == .ok)
    }

    @Test(arguments: ["nothing", "../elise", "elise/poco", "."])
    func noOtherFolderIsRead(piece: String) {
        #expect(ScoreReference(piece: piece, recordings: recordings) == nil)
        #expect(ScoreReference(piece: "elise", recordings: recordings) != nil)
    }

    @Test func onlyMusicXMLIsTransposedAndOnlyByAnInterval() async throws {
        let address =
            "/api/library" + (try await score()).dropFirst("/api".count) + "/parts?name=Clarinet&transpose="
        for (interval, sentence) in [
            ("M2", "cannot be transposed"), ("loud", "no interval"), ("M5", "no interval"),
        ] {
            let answer = try await stage.ask(address + interval, .post, body: smallPDF(pages: 1))
            #expect(answer.status == .badRequest)
            #expect(try RefusedAnswer(answer).error.contains(sentence))
        }
        #expect(try await stage.ask(address, .post, body: smallPDF(pages: 1)).status == .ok)
    }

    @Test func aMovementThatIsNotThereHasNoSound() async throws {
        let address = try await score(piece: "nothing")
        for movement in ["0", "1", "-1", "x"] {
            #expect(try await stage.ask(address + "/references/\(movement)/sound").status == .notFound)
        }
    }
}
