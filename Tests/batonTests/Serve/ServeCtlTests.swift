import Basics
import Following
import Foundation
import FoundationNetworking
import Platform
import Podium
import Score
import Testing
import WebServer

@testable import Console
@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers
@testable import baton

/// `baton ctl` against a server of this process, with a real desk behind it.
@Suite(.ownThreads) struct ServeCtlTests {
    private func live(
        signIn: WebSettings.SignInRequirement = .notNeeded,
        _ work: @Sendable @escaping (ConsoleClient, ServeStage) async throws -> Void
    ) async throws {
        let stream = ConsoleStream(EventHub())
        let console = ConsoleOutput(
            stream: stream, started: "2026-01-01T20:00:00Z", wall: TimeOfDayConverter(now: .zero),
            server: { ServerJSON(role: "alone", term: 1, version: "0", otherServer: nil) })
        let stage = try ServeStage(madeCourse([madeCue("Lights", at: 3)]), outputs: [console])
        let check = madeCheck(stage, input: [SoundSourceStatus()], seconds: 1) {
            stream.publish(.preShowCheck, $0)
        }
        let server = try WebServer(
            settings: WebSettings(port: 0, signIn: signIn),
            accounts: OpenAccounts(),
            routes: ConsoleRoutes(
                desk: stage.consoleDesk(check: check) { Array("{\"title\":\"Made\"}".utf8) },
                events: stream.eventHub
            ).routes)
        try stage.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask {
                _ = await eventually { server.boundPort != nil }
                let result: Result<Void, any Error>
                do {
                    let client = try ConsoleClient(server: "http://127.0.0.1:\(server.boundPort ?? 0)")
                    result = .success(try await work(client, stage))
                } catch {
                    result = .failure(error)
                }
                await server.stop()
                try result.get()
            }
            try await group.waitForAll()
        }
        stage.stop()
    }

    @Test func aCertificateThatIsNotTrustedIsToldFromASilentServer() throws {
        let server = try #require(URL(string: "https://127.0.0.1:8443"))
        let words = "SSL certificate problem: self-signed certificate"
        let untrusted = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: words])
        #expect(ConsoleClient.requestFailureSentence(for: untrusted, from: server).contains("(\(words))"))
        #expect(
            ConsoleClient.requestFailureSentence(for: URLError(.cannotConnectToHost), from: server).contains(
                "not answer"))
    }

    @Test func aCommandIsObeyedAndAnsweredWithTheEpoch() async throws {
        try await live { client, stage in
            let said = try await client.sendCommand(["goto", "5"])
            #expect(said == "epoch \(stage.desk.inbox.newestSnapshot.state.epoch)")
            #expect(stage.desk.inbox.newestSnapshot.state.position.played == 4)
        }
    }

    @Test func aRefusalIsItsSentence() async throws {
        try await live { client, _ in
            let error = await #expect(throws: ExplainedError.self) {
                try await client.sendCommand(["choose", "2"])
            }
            #expect(error?.sentence.contains("nothing to choose from") == true, "\(error?.sentence ?? "")")
        }
    }

    @Test func aPlaceThatALostFollowerOffersIsChosen() async throws {
        try await live { client, stage in
            stage.hear(5)
            _ = await stage.waitForMeasure(5)
            var places = LikelyMeasures()
            for played in [0, 7] {
                places.append(
                    LikelyMeasure(
                        referenceTime: ReferenceTime(seconds: Double(played)),
                        position: ScorePosition(played: played, fraction: 0), printedMeasure: played + 1,
                        probability: 0.4))
            }
            let report = PositionReport(
                liveTime: LiveTime(seconds: 9), referenceTime: ReferenceTime(seconds: 5),
                position: ScorePosition(played: 5, fraction: 0), printedMeasure: 6, tempo: .unity,
                confidence: 0.1,
                state: .lost, likelyMeasures: places)
            stage.lane.allReports.write(
                StampedReport(
                    concertReport: ConcertReport(pieceIndex: 0, positionReport: report),
                    publishedAt: MonotonicClock.now,
                    newestCompletedOrderNumber: stage.desk.inbox.newestSnapshot.state.order))
            stage.lane.reportPublished.ring()
            _ = await stage.wait { stage.desk.inbox.newestSnapshot.state.candidates.count == 2 }
            let error = await #expect(throws: ExplainedError.self) {
                try await client.sendCommand(["choose", "p:4"])
            }
            #expect(error?.sentence.contains("p:0 (measure 1), p:7 (measure 8)") == true)
            _ = try await client.sendCommand(["choose", "8/1"])
            #expect(stage.desk.inbox.newestSnapshot.state.position.played == 7)
        }
    }

    @Test func theStatusSaysWhereTheMusicIsAndWhatIsWrong() async throws {
        try await live { client, stage in
            _ = try await client.sendCommand(["goto", "5"])
            stage.desk.inbox.post(.fault(TechnicalFault(id: "input", sentence: "The input is gone.")))
            _ = await stage.wait { !stage.desk.inbox.newestSnapshot.state.faults.isEmpty }
            let status = try await client.fetchStatusText()
            #expect(status.contains("Made, Melody: 1: measure 5, manual, held by technician local"))
            #expect(status.contains("fault: The input is gone."))
        }
    }

    @Test func cueListsGoBothWays() async throws {
        try await live { client, stage in
            let sheet = try await client.get("/api/cues/0.csv")
            #expect(sheet.contains("Lights"))
            let changed = Data(sheet.replacingOccurrences(of: "Lights", with: "Curtain").utf8)
            _ = try await client.put("/api/cues/0.csv", changed, type: "text/csv")
            #expect(stage.desk.inbox.newestSnapshot.programme.pieces[0].cues.cues.map(\.name) == ["Curtain"])
        }
    }

    @Test func theCheckPrintsItsItemsAndFailsWhereSomethingIsNotReady() async throws {
        try await live { client, _ in
            var lines: [String] = []
            let error = await #expect(throws: ExplainedError.self) {
                try await client.runPreShowCheck { lines.append($0) }
            }
            #expect(error?.sentence.contains("not ready") == true)
            #expect(lines.contains { $0.hasPrefix("fail\tAudio input\t") })
        }
    }

    @Test func whoIsNotSignedInIsToldSo() async throws {
        try await live(signIn: .required) { client, _ in
            let refused = await #expect(throws: ExplainedError.self) {
                try await client.sendCommand(["take"])
            }
            #expect(refused?.sentence.contains("Sign in") == true)
            await #expect(throws: ExplainedError.self) { try await client.fetchStatusText() }
            await #expect(throws: ExplainedError.self) { try await client.signIn("anna", "wrong") }
            try await client.signIn("anna", "right")
            _ = try await client.sendCommand(["take"])
            #expect(try await client.fetchStatusText().contains("technician anna"))
        }
    }

    @Test func aServerThatIsNotThereIsASentence() async throws {
        let client = try ConsoleClient(server: "http://127.0.0.1:1")
        let error = await #expect(throws: ExplainedError.self) { try await client.sendCommand(["take"]) }
        #expect(error?.sentence.contains("baton serve") == true)
        for text in ["", "127.0.0.1:8080", "ftp://host", "http://"] {
            #expect(throws: ExplainedError.self) { try ConsoleClient(server: text) }
        }
    }
}
