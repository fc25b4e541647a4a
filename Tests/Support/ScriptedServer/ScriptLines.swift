import Following
import Foundation
import Hosting
import Podium
import Score

/// Understands the lines by which a test steers the script.
struct ScriptLines: Sendable {
    let script: Script
    let inbox: ShowInbox
    let programme: ConcertProgramme

    struct Mistake: Error {
        var sentence: String
    }

    /// Carries out one line: a verb and its words, separated by blanks.
    /// - Throws: ``Mistake`` for a line that makes no sense.
    func obey(_ line: String) throws(Mistake) {
        let words = line.split(separator: " ").map(String.init)
        guard let verb = words.first else { throw Mistake(sentence: "The line is empty.") }
        let rest = Array(words.dropFirst())
        switch verb {
        case "scenario":
            guard let steps = Scenario.steps[rest.first ?? ""] else {
                throw Mistake(
                    sentence: "There is no scenario “\(rest.first ?? "")”, only "
                        + Scenario.steps.keys.sorted().joined(separator: ", ") + ".")
            }
            for step in steps { try obey(step) }
        case "at": try goTo(rest)
        case "report": try report(rest)
        case "play":
            let speed = rest.isEmpty ? nil : try number(rest)
            script.change {
                $0.isPaused = false
                $0.speed = speed ?? $0.speed
                $0.follow(piece: $0.piece, at: $0.seconds)
            }
        case "pause": script.change { $0.isPaused = true }
        case "over":
            let last = programme.pieceModels.count - 1
            let end = programme.pieceModels[last].measures.end.seconds
            script.change { $0.follow(piece: last, at: end) }
        case "speed":
            let speed = try number(rest)
            script.change { $0.speed = speed }
        case "confidence":
            let value = try number(rest)
            script.change { $0.confidence = value }
        case "follow": script.change { $0.follow(piece: $0.piece, at: $0.seconds) }
        case "coast": script.change { $0.judgement = .coasting }
        case "wait": script.change { $0.judgement = .waiting }
        case "silence": script.change { $0.isSilent = true }
        case "lose":
            let candidates = try candidates(rest, of: "lose")
            script.change { $0.lose(candidates) }
        case "copies":
            let copies = try candidates(rest, of: "copies")
            script.change { $0.doubt(copies) }
        case "input-lost":
            let problem = rest.joined(separator: " ")
            script.change { $0.inputProblem = problem }
        case "input-back": script.change { $0.inputProblem = nil }
        case "fault":
            guard rest.count > 1 else { throw Mistake(sentence: "fault ID SENTENCE") }
            inbox.post(.fault(TechnicalFault(id: rest[0], sentence: rest[1...].joined(separator: " "))))
        case "fault-over":
            guard rest.count == 1 else { throw Mistake(sentence: "fault-over ID") }
            inbox.post(.faultEnded(rest[0]))
        case "command": try command(rest)
        case "term":
            guard rest.count == 1, let term = UInt32(rest[0]) else { throw Mistake(sentence: "term NUMBER") }
            inbox.post(.failoverTermChanged(term))
        default: throw Mistake(sentence: "“\(verb)” is no verb of the script.")
        }
    }

    /// A command of the console, given by nobody who is signed in.
    private func command(_ words: [String]) throws(Mistake) {
        do throws(CommandFault) {
            let sender = CommandSender(name: "script", role: .technician)
            inbox.post(.command(try PodiumCommand(words: words), by: sender, epoch: nil))
        } catch {
            throw Mistake(sentence: error.sentence)
        }
    }

    /// The music is at a printed measure of a piece, the first time that it is played: `at PIECE MEASURE`.
    private func goTo(_ words: [String]) throws(Mistake) {
        guard words.count == 2, let piece = Int(words[0]), programme.pieceModels.indices.contains(piece - 1),
            let printed = Int(words[1]),
            let played = programme.pieceModels[piece - 1].measures.firstPlayedIndex(printed: printed)
        else { throw Mistake(sentence: "at PIECE MEASURE, a piece from 1 and one of its printed measures") }
        let onset = programme.pieceModels[piece - 1].measures.marks[played].onset
        script.change { $0.follow(piece: piece - 1, at: onset.seconds) }
    }

    /// `lose MEASURE PROBABILITY …` or `copies MEASURE PROBABILITY …`; at most three measures are reported.
    private func candidates(_ words: [String], of line: String) throws(Mistake) -> [(
        played: Int, probability: Double
    )] {
        let measures = programme.pieceModels[script.now.piece].measures
        var candidates: [(played: Int, probability: Double)] = []
        for (measure, probability) in zip(
            words.indices.filter { $0 % 2 == 0 }, words.indices.filter { $0 % 2 == 1 })
        {
            guard let printed = Int(words[measure]), let probability = Double(words[probability]) else {
                throw Mistake(sentence: "\(line) MEASURE PROBABILITY …")
            }
            // A measure that this piece does not have is left out, so that one scenario fits every piece.
            if let played = measures.firstPlayedIndex(printed: printed) {
                candidates.append((played, probability))
            }
        }
        return candidates
    }

    /// `report piece=3 played=12 [fraction=0.5] [tempo=1.0] [state=lost]`: the music stands there.
    /// Pieces count from 1, played measures from 0.
    private func report(_ words: [String]) throws(Mistake) {
        var fields: [String: String] = [:]
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw Mistake(sentence: "“\(word)” is not NAME=VALUE.") }
            fields[parts[0]] = parts[1]
        }
        guard let piece = fields["piece"].flatMap(Int.init),
            programme.pieceModels.indices.contains(piece - 1),
            let played = fields["played"].flatMap(Int.init),
            programme.pieceModels[piece - 1].measures.marks.indices.contains(played),
            let judgement = FollowerState(rawValue: fields["state"] ?? "following"),
            let fraction = Double(fields["fraction"] ?? "0"), let tempo = Double(fields["tempo"] ?? "1")
        else {
            throw Mistake(
                sentence:
                    "report piece=1 played=0 [fraction=0.5] [tempo=1] [state=following], all of them in range"
            )
        }
        let time = programme.pieceModels[piece - 1].measures.time(
            of: ScorePosition(played: played, fraction: fraction))
        script.change {
            $0.follow(piece: piece - 1, at: time.seconds)
            ($0.judgement, $0.speed, $0.isPaused) = (judgement, tempo, true)
        }
    }

    private func number(_ words: [String]) throws(Mistake) -> Double {
        guard words.count == 1, let value = Double(words[0]) else {
            throw Mistake(sentence: "One number is needed.")
        }
        return value
    }
}
