import Concert
import Following
import Foundation
import Platform
import Podium
import Repository
import ShowControl
import Testing
import WebServer

@testable import Console
@testable import Hosting
@testable import Performance
@testable import ShowStages
@testable import TestHelpers

/// The sections of the console's stream, and the commands that the console and show control know.
@Suite(.ownThreads) struct ServeSectionsTests {
    @Test func whatIsNotKnownIsNullAndNotLeftOut() throws {
        var podium = Podium(course: try madeCourse())
        let command = try PodiumCommand(words: ["piece", "1", "unknown"])
        _ = podium.process(.command(command, by: ServeStage.anna), at: .zero)
        let picture = ShowEngineSnapshot(
            now: .zero, programme: podium.course, state: podium.state, measureFraction: 0, newestReport: nil,
            isActiveServer: true,
            nextCueCountdown: nil)
        let position = try json(picture.positionSection)
        #expect(position.contains("\"measure\":null") && position.contains("\"played\":null"))
        let cues = try json(picture.cuesSection())
        #expect(cues.contains("\"next\":null") && cues.contains("\"standby\":null"))
        #expect(try json(picture.pushMessageSection()).contains("\"current\":null"))
    }

    @Test func messagesOfTheContentAreOfferedBesideTheUsualOnes() throws {
        let podium = Podium(course: try madeCourse())
        let picture = ShowEngineSnapshot(
            now: .zero, programme: podium.course, state: podium.state, measureFraction: 0, newestReport: nil,
            isActiveServer: true,
            nextCueCountdown: nil)
        let made = try PushMessage(title: "Encore", body: "A waltz.", style: .button, buttonText: "Thanks")
        let section = picture.pushMessageSection(from: [made])
        #expect(section.content.map(\.title) == ["Encore"] && section.content[0].buttonText == "Thanks")
        #expect(!section.templates.contains { $0.title == "Encore" })
    }

    /// OSC knows the shape of every command there is, and of no other.
    @Test func everyCommandHasAShapeForShowControl() {
        #expect(
            ShowCommandSignature.allCommands.map(\.name).sorted()
                == PodiumCommand.descriptions.map(\.name).sorted())
    }

    @Test func theCommandsOfTheTableCanBeRead() throws {
        let examples: [String: [String]] = [
            "nudge": ["1"], "goto": ["5"], "choose": ["1"], "standby": ["next"], "lock": ["on"],
            "blackout": ["off"], "freeze": ["on"], "piece": ["1", "unknown"], "intermission": ["on"],
            "auto-advance": ["off"], "rehearsal": ["on"], "message": ["Title", "Body"], "note": ["text"],
            "title": ["goto", "3"], "arm-each-piece": ["on"],
        ]
        for use in PodiumCommand.descriptions {
            let words = [use.name] + (examples[use.name] ?? [])
            #expect(try PodiumCommand(words: words).words.first == use.name)
        }
    }
}
