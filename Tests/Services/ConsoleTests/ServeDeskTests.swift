import Foundation
import Podium
import Testing
import WebServer

@testable import Console
@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

@Suite(.ownThreads) struct ServeDeskTests {
    private static let local = WebPerson(id: "1", name: "anna", role: .technician)

    private struct Refused: Decodable {
        var error: String
        var code: String
    }

    private struct Obeyed: Decodable {
        var ok: Bool
        var epoch: String
    }

    private func served(_ course: ShowProgramme? = nil) throws -> (ServeStage, ConsoleRequestHandler) {
        let stage = try ServeStage(course)
        try stage.start()
        return (stage, stage.consoleDesk())
    }

    private func order(_ name: String, _ arguments: String..., epoch: String? = nil) -> CommandRequest {
        CommandRequest(name: name, arguments: arguments, lastSeenEpoch: epoch)
    }

    private func refusal(_ answer: WebResponse) throws -> (status: Int, code: String, sentence: String) {
        let refused = try JSONDecoder().decode(Refused.self, from: Data(answer.body))
        return (answer.status, refused.code, refused.error)
    }

    @Test func anObeyedCommandIsAnsweredWithTheNewEpoch() async throws {
        let (stage, desk) = try served()
        let answer = await desk.executeCommand(order("take"), by: Self.local)
        #expect(answer.status == 200)
        let obeyed = try JSONDecoder().decode(Obeyed.self, from: Data(answer.body))
        #expect(obeyed.ok && obeyed.epoch == stage.desk.inbox.newestSnapshot.state.epoch.description)
        #expect(stage.desk.inbox.newestSnapshot.state.holder == .technician("anna"))
    }

    @Test func wordsThatAreNoCommandAre422() async throws {
        let (stage, desk) = try served()
        defer { stage.stop() }
        for order in [order("jump"), order("nudge"), order("nudge", "far"), order("lock", "perhaps")] {
            let (status, code, sentence) = try refusal(await desk.executeCommand(order, by: Self.local))
            #expect(status == 422 && code == "bad-command" && sentence.hasSuffix("."))
        }
    }

    @Test func anEpochThatIsNoneIs400() async throws {
        let (stage, desk) = try served()
        defer { stage.stop() }
        for text in ["", "1", "1.x", "later"] {
            let answer = await desk.executeCommand(order("take", epoch: text), by: Self.local)
            #expect(try refusal(answer).status == 400 && refusal(answer).code == "bad-epoch")
        }
    }

    @Test func aRefusedCommandIs409WithItsCode() async throws {
        let (stage, desk) = try served()
        defer { stage.stop() }
        let answer = await desk.executeCommand(order("take", epoch: "9.1"), by: Self.local)
        #expect(try refusal(answer).status == 409 && refusal(answer).code == "old-epoch")
        let place = await desk.executeCommand(order("goto", "99"), by: Self.local)
        #expect(try refusal(place).status == 409 && refusal(place).code == "no-place")
    }

    @Test func aCueListGoesOutAndInAsCSV() async throws {
        let (stage, desk) = try served(madeCourse([madeCue("Lights", at: 3)]))
        let sheet = await desk.respondWithCueList(piece: 0, asCSV: true)
        let text = String(decoding: sheet.body, as: UTF8.self)
        #expect(sheet.status == 200 && text.contains("Lights"))
        let changed = text.replacingOccurrences(of: "Lights", with: "Curtain")
        let answer = await desk.replaceCueList(piece: 0, Array(changed.utf8), asCSV: true, by: Self.local)
        #expect(answer.status == 200)
        #expect(stage.desk.inbox.newestSnapshot.programme.pieces[0].cues.cues.map(\.name) == ["Curtain"])
    }

    @Test func aCueListReplacesTheOneThatWasReadAndNoOther() async throws {
        let (stage, desk) = try served(madeCourse([madeCue("Lights", at: 3)]))
        let sheet = await desk.respondWithCueList(piece: 0, asCSV: true)
        let field = try #require(sheet.headerFields.first { $0.name == "ETag" }).value
        let read = field.replacingOccurrences(of: "\"", with: "")
        let text = String(decoding: sheet.body, as: UTF8.self)
        func save(_ name: String, replacing old: String) async -> WebResponse {
            let changed = text.replacingOccurrences(of: "Lights", with: name)
            return await desk.replaceCueList(
                piece: 0, Array(changed.utf8), asCSV: true, replacing: old, by: Self.local)
        }
        #expect(await save("Curtain", replacing: read).status == 200)
        let (status, code, _) = try refusal(await save("Bells", replacing: read))
        #expect(status == 409 && code == "cues-changed")
        let programme = stage.desk.inbox.newestSnapshot.programme
        #expect(programme.pieces[0].cues.cues.map(\.name) == ["Curtain"])
        #expect(await save("Bells", replacing: programme.cueFingerprint(ofPiece: 0)).status == 200)
    }

    @Test func aBrokenCueSheetIs422AndChangesNothing() async throws {
        let (stage, desk) = try served(madeCourse([madeCue("Lights", at: 3)]))
        for text in ["", "place,name\n\"open", "place;name\n1;X\n", "place,name,kind\n99,X,note\n"] {
            let answer = await desk.replaceCueList(piece: 0, Array(text.utf8), asCSV: true, by: Self.local)
            let (status, code, sentence) = try refusal(answer)
            #expect(status == 422 && code == "bad-cues" && sentence.hasSuffix("."), "\(text): \(sentence)")
        }
        #expect(stage.desk.inbox.newestSnapshot.programme.pieces[0].cues.cues.map(\.name) == ["Lights"])
    }

    @Test func aCueListGoesInAsJSON() async throws {
        let (stage, desk) = try served(madeCourse([madeCue("Lights", at: 3)]))
        let body = """
            [{"id":"Lights","place":"p:3","name":"Lights","kind":"note"},
             {"place":"B","name":"Message","kind":"message","auto":false,"earlinessMs":0,
              "payload":"Soon|We begin.|AUTO|"}]
            """
        let answer = await desk.replaceCueList(piece: 0, Array(body.utf8), asCSV: false, by: Self.local)
        #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        let cues = stage.desk.inbox.newestSnapshot.programme.pieces[0].cues.cues
        #expect(cues.map(\.name) == ["Lights", "Message"] && cues.map(\.played) == [3, 4])
        #expect(cues[0].isAutomatic && !cues[1].isAutomatic)
    }

    @Test func aBrokenJSONListIs422AndSaysWhichCue() async throws {
        let (stage, desk) = try served()
        defer { stage.stop() }
        let fine = #"{"place":"1","name":"Fine","kind":"note"}"#
        let broken: [(String, String)] = [
            ("{}", "JSON array"), ("nonsense", "JSON array"), ("[1]", "Cue 1 of the list is no"),
            (#"[{"place":"1"}]"#, "Cue 1 of the list: “name” is missing"),
            (
                "[\(fine),{\"place\":1,\"name\":\"X\",\"kind\":\"note\"}]",
                "Cue 2 of the list: “place” must be a text"
            ),
            (
                "[\(fine),{\"place\":\"1\",\"name\":null,\"kind\":\"note\"}]",
                "Cue 2 of the list: “name” must be a text"
            ),
            (
                #"[{"place":"1","name":"X","kind":"note","auto":"no"}]"#,
                "Cue 1 of the list: “auto” must be true"
            ),
            (
                #"[{"place":"1","name":"X","kind":"note","earlinessMs":1e99}]"#,
                "Cue 1 of the list: “earlinessMs” must be a whole number of milliseconds from 0 to 60,000."
            ),
            ("[\(fine),{\"place\":\"\",\"name\":\"X\",\"kind\":\"note\"}]", "The cue “X”:"),
            ("[\(fine),{\"place\":\"1\",\"name\":\"X\",\"kind\":\"fire\"}]", "The cue “X”:"),
            ("[\(fine),{\"place\":\"99\",\"name\":\"X\",\"kind\":\"note\"}]", "The cue “X”:"),
            (#"[{"place":"1","name":"Lamp","kind":"osc"}]"#, "Lamp"),
        ]
        for (body, words) in broken {
            let answer = await desk.replaceCueList(piece: 0, Array(body.utf8), asCSV: false, by: Self.local)
            let (status, code, sentence) = try refusal(answer)
            #expect(status == 422 && code == "bad-cues" && sentence.contains(words), "\(body): \(sentence)")
        }
    }

    @Test func editsAreRefusedWhileTheShowIsLocked() async throws {
        let (stage, desk) = try served()
        defer { stage.stop() }
        _ = await desk.executeCommand(order("lock", "on"), by: Self.local)
        let answer = await desk.replaceCueList(
            piece: 0, Array("place,name,kind\n1,X,note\n".utf8), asCSV: true, by: Self.local)
        #expect(try refusal(answer).status == 409 && refusal(answer).code == "locked")
    }

    @Test func aPieceThatIsNotThereIs404() async throws {
        let (stage, desk) = try served()
        defer { stage.stop() }
        for answer in [
            await desk.respondWithCueList(piece: 2, asCSV: true),
            await desk.replaceCueList(piece: -1, [], asCSV: false, by: Self.local),
        ] {
            #expect(try refusal(answer).status == 404)
        }
        // The sentence counts as the address does.
        let sentence = try refusal(await desk.respondWithCueList(piece: 99, asCSV: true)).sentence
        #expect(sentence.contains("no piece 99") && sentence.contains("counted from 0"), "\(sentence)")
    }

    @Test func oneCheckAtATime() async throws {
        let (stage, desk) = try served()
        defer { stage.stop() }
        #expect(await desk.startPreShowCheck(by: Self.local).status == 200)
        #expect(await desk.startPreShowCheck(by: Self.local).status == 409)
    }

    @Test func aReportThatCannotBeMadeSaysSo() async throws {
        let (stage, desk) = try served()
        defer { stage.stop() }
        #expect(await desk.currentShowReport().status == 503)
    }

    @Test func anEditorsCuesStayOutOfTheReserveAndATechniciansDoNot() async throws {
        let stage = try ServeStage()
        defer { stage.stop() }
        try stage.start()
        let full = DiskReserve(folder: "/", readDiskSpace: { _ in (0, 1 << 30) })
        let desk = stage.consoleDesk(reserve: full)
        let cues = Array(#"[{"place":"p:1","name":"Look up","kind":"note"}]"#.utf8)
        let editor = WebPerson(id: "1", name: "Ed", role: .editor)
        let refused = await desk.replaceCueList(piece: 0, cues, asCSV: false, by: editor)
        #expect(refused.status == 507)
        #expect(String(decoding: refused.body, as: UTF8.self).contains("kept for the show"))
        for role in [WebRole.technician, .administrator] {
            let person = WebPerson(id: "2", name: "Theo", role: role)
            #expect(await desk.replaceCueList(piece: 0, cues, asCSV: false, by: person).status == 200)
        }
    }
}
