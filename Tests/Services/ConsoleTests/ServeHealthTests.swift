import Foundation
import Podium
import Testing
import WebServer

@testable import Console
@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

@Suite(.ownThreads) struct ServeHealthTests {
    private struct Told: Decodable, Equatable {
        var ok: Bool
        var role: String?
        var term: UInt32?
        var holder: String?
        var listening: Bool?
        var error: String?
    }

    private func told(
        _ role: String = "main", listening: Bool = true, idle: Duration = .zero, after words: [String]...
    ) throws -> (Int, Told) {
        var podium = Podium(course: try madeCourse(), term: 3)
        for words in words {
            _ = podium.process(.command(try PodiumCommand(words: words), by: ServeStage.anna), at: .zero)
        }
        let picture = ShowEngineSnapshot(
            now: .zero, programme: podium.course, state: podium.state, measureFraction: 0, newestReport: nil,
            isActiveServer: true,
            nextCueCountdown: nil)
        let health = HealthResponder(
            determineServerRole: { role }, timeSinceEngineRan: { idle }, isAudioInputPresent: { listening })
        let answer = health.makeHealthResponse(picture)
        return (answer.status, try JSONDecoder().decode(Told.self, from: Data(answer.body)))
    }

    @Test func itSaysWhichServerLeads() throws {
        let (status, told) = try told("backup", listening: false, after: ["take"])
        #expect(status == 200)
        #expect(told == Told(ok: true, role: "backup", term: 3, holder: "technician", listening: false))
    }

    @Test func aDeskThatStandsStillIs503WithASentence() throws {
        #expect(try told(idle: .seconds(2)).0 == 200)
        let (status, told) = try told(idle: .seconds(7))
        #expect(status == 503 && !told.ok && told.role == "main")
        #expect(
            told.error?.contains("has not responded for 7 s") == true && told.error?.hasSuffix(".") == true)
    }

    @Test func aDeskAtWorkIsWell() async throws {
        let stage = try ServeStage()
        try stage.start()
        let desk = stage.consoleDesk()
        try await stage.give("take").expectDone()
        #expect(await desk.health().status == 200)
        stage.stop()
    }
}
