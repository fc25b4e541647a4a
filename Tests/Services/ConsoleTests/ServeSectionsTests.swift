import Concert
import Following
import Foundation
import Podium
import RealTime
import Repository
import ShowControl
import Testing
import WebServer

@testable import Console
@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

/// The sections against what pages are built on: every field that the pretended server of the pages' tests sends.
@Suite(.ownThreads) struct ServeSectionsTests {
    private static let browser = Repository.root.appending(path: "Tools/browser").path

    /// Fields that pages can do without.
    private static let extras: Set<String> = ["follower.bpm", "show.server.backup.address"]

    private func pretended() throws -> [String: Any] {
        let python = Process()
        python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        python.arguments = [
            "python3", "-B", "-c",
            """
            from json import dumps
            from sys import argv, path
            path.insert(0, argv[1])
            from mock_show import Show
            show = Show()
            show.candidates = [{"place": "p:4", "measure": 5, "section": "B", "probability": 0.7}]
            show.message = {"title": "T", "body": "B", "style": "AUTO", "buttonText": ""}
            show.faults = {"x": {"id": "x", "sentence": "s", "since": "20:14:05", "count": 1, "over": False}}
            show.check = {"running": False, "progress": 1,
                          "items": [{"id": "input", "title": "t", "state": "pass", "sentence": "s"}]}
            print(dumps(show.sections()))
            """, Self.browser,
        ]
        let pipe = Pipe()
        python.standardOutput = pipe
        try python.run()
        let text = pipe.fileHandleForReading.readDataToEndOfFile()
        python.waitUntilExit()
        return try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
    }

    /// All sections at a moment when nothing is missing.
    private func served() throws -> [String: Any] {
        let hub = EventHub()
        let stream = ConsoleStream(hub)
        let other = ServerJSON.Other(connected: true, lagMs: 1, version: "1", sameShow: true)
        let console = ConsoleOutput(
            stream: stream, started: "2026-01-01T20:00:00Z", wall: TimeOfDayConverter(now: .zero),
            server: { ServerJSON(role: "main", term: 1, version: "1", backup: other) })
        var podium = Podium(course: try madeCourse([madeCue("Lights", at: 6)]))
        var state = ConcertReport(piece: 0, report: madeReport(2))
        _ = podium.take(.report(FollowerReport(state, order: 0)), at: .zero)
        let message = try PodiumCommand(words: ["message", "Soon", "We begin."])
        _ = podium.take(.command(message, by: ServeStage.anna), at: .zero)
        _ = podium.take(.fault(TechnicalFault(id: "input", sentence: "Gone.")), at: .zero)
        state.report = madeReport(3, state: .lost)
        var lost = FollowerReport(state, order: 0)
        lost.candidates = [Candidate(played: 4, printed: 5, probability: 0.7)]
        _ = podium.take(.report(lost), at: ShowTime(milliseconds: 10))
        stream.publish(.targets, [TargetJSON(kind: "osc", name: "desk", ok: true, detail: "")])
        let item = PreShowCheckSection.Item(
            id: "input", title: "Audio input", state: "pass", sentence: "Heard.")
        stream.publish(.check, PreShowCheckSection(running: false, progress: 1, items: [item]))
        stream.publish(.meters, madeMeters)
        let now = ShowTime(milliseconds: 20)
        console.update(
            ShowEngineSnapshot(
                now: now, course: podium.course, state: podium.state, fraction: 0.5,
                newest: StampedReport(concertReport: state, made: MonotonicClock.now), isActiveServer: true,
                countdown: podium.countdown(at: now)))
        var sections: [String: Any] = [:]
        let all: [ConsoleSection] = [
            .show, .position, .follower, .meters, .history, .cues, .programme, .message, .help, .faults,
            .targets, .check, .backup,
        ]
        for section in all {
            guard let bytes = hub.newest(section.name) else { continue }
            sections[section.name] = try JSONSerialization.jsonObject(
                with: Data(bytes), options: .fragmentsAllowed)
        }
        return sections
    }

    /// Paths of the fields that the first has and the second lacks; of lists the first entry stands for all.
    private func missing(_ wanted: Any, _ found: Any?, at path: String) -> [String] {
        switch wanted {
        case let wanted as [String: Any]:
            guard let found = found as? [String: Any] else { return [path] }
            return wanted.flatMap { key, value in
                found[key] == nil
                    ? ["\(path).\(key)"] : missing(value, found[key], at: "\(path).\(key)")
            }
        case let wanted as [Any]:
            guard let found = found as? [Any] else { return [path] }
            guard let first = wanted.first else { return [] }
            guard let other = found.first else { return [] }
            return missing(first, other, at: path)
        case is String: return found is String || found is NSNull ? [] : ["\(path) is no text"]
        case is NSNull: return []
        default: return found is NSNumber || found is NSNull ? [] : ["\(path) is no number"]
        }
    }

    @Test func everyFieldThePagesAreTestedWithIsServed() throws {
        let served = try served()
        var lacking: [String] = []
        for (section, wanted) in try pretended() {
            lacking += missing(wanted, served[section], at: section)
        }
        #expect(Set(lacking).subtracting(Self.extras) == [])
    }

    @Test func whatIsNotKnownIsNullAndNotLeftOut() throws {
        var podium = Podium(course: try madeCourse())
        let command = try PodiumCommand(words: ["piece", "1", "unknown"])
        _ = podium.take(.command(command, by: ServeStage.anna), at: .zero)
        let picture = ShowEngineSnapshot(
            now: .zero, course: podium.course, state: podium.state, fraction: 0, newest: nil,
            isActiveServer: true,
            countdown: nil)
        let position = try json(picture.positionSection)
        #expect(position.contains("\"measure\":null") && position.contains("\"played\":null"))
        let cues = try json(picture.cuesSection())
        #expect(cues.contains("\"next\":null") && cues.contains("\"standby\":null"))
        #expect(try json(picture.messageSection()).contains("\"current\":null"))
    }

    @Test func messagesOfTheContentAreOfferedBesideTheUsualOnes() throws {
        let podium = Podium(course: try madeCourse())
        let picture = ShowEngineSnapshot(
            now: .zero, course: podium.course, state: podium.state, fraction: 0, newest: nil,
            isActiveServer: true,
            countdown: nil)
        let made = try PushMessage(title: "Encore", body: "A waltz.", style: .button, buttonText: "Thanks")
        let section = picture.messageSection(from: [made])
        #expect(section.content.map(\.title) == ["Encore"] && section.content[0].buttonText == "Thanks")
        #expect(!section.templates.contains { $0.title == "Encore" })
    }

    /// OSC knows the shape of every command there is, and of no other.
    @Test func everyCommandHasAShapeForShowControl() {
        #expect(ShowCommandSignature.all.map(\.name).sorted() == PodiumCommand.uses.map(\.name).sorted())
    }

    @Test func theCommandsOfTheTableCanBeRead() throws {
        let examples: [String: [String]] = [
            "nudge": ["1"], "goto": ["5"], "choose": ["1"], "standby": ["next"], "lock": ["on"],
            "blackout": ["off"], "freeze": ["on"], "piece": ["1", "unknown"], "intermission": ["on"],
            "auto-advance": ["off"], "rehearsal": ["on"], "message": ["Title", "Body"], "note": ["text"],
        ]
        for use in PodiumCommand.uses {
            let words = [use.name] + (examples[use.name] ?? [])
            #expect(try PodiumCommand(words: words).words.first == use.name)
        }
    }
}
