/// An act of one sender, with its time.
struct TimedAct: Hashable, Sendable, Codable {
    var sender: CommandSender
    /// The words of the command.
    var words: [String]
    var at: ShowTime
}

/// Decides which acts of one person or device belong together.
extension Podium {
    /// The most senders whose newest acts are kept.
    private static let mostKeptActs = 16

    /// The first panic brings the outputs to a safe state; a second one of the same sender stops everything. Two people
    /// who press once each have agreed on the safe state, not on the stop.
    mutating func escalatePanic(
        by person: CommandSender, at now: ShowTime, _ effects: inout [PodiumEffect]
    ) {
        guard state.panic != .stop else { return }
        guard settings.rules >= 9 else { return escalatePanicOfAnybody(at: now, &effects) }
        let earlier = state.panicSenders ?? []
        let own = earlier.last { $0.sender == person }.map { now.milliseconds(since: $0.at) }
        let isSafe = state.panic == .safe
        // Not counted anew, so that quick presses in an emergency add up to the stop.
        if isSafe, let own, own < settings.repeatGuard, person.isDevice { return }
        let kept = earlier.filter { $0.sender != person }.suffix(Self.mostKeptActs - 1)
        state.panicSenders =
            Array(kept) + [TimedAct(sender: person, words: PodiumCommand.panic.words, at: now)]
        state.panicAt = now
        if isSafe, let own, own <= settings.panicWindow {
            state.panic = .stop
            effects.append(.panicStep(.stop))
        } else if isSafe, own == nil, let first = earlier.first?.sender {
            let name = first.name == person.name ? "Somebody at another device" : "“\(first.name)”"
            effects.append(
                .showNotice(
                    id: "panic-safe",
                    sentence:
                        "\(name) has already brought the outputs to a safe state, and so did “\(person.name)”; "
                        + "press again within \(settings.panicWindow / 1_000) s to stop everything."))
        } else {
            state.panic = .safe
            effects.append(.panicStep(.safe))
        }
    }

    /// The rules before version 9: two panics of anybody.
    private mutating func escalatePanicOfAnybody(at now: ShowTime, _ effects: inout [PodiumEffect]) {
        let isAgain = state.panic == .safe && now.milliseconds(since: state.panicAt) <= settings.panicWindow
        state.panic = isAgain ? .stop : .safe
        effects.append(.panicStep(isAgain ? .stop : .safe))
        state.panicAt = now
    }

    /// Refuses a step that a desk has sent twice. The pages do the same before they send (`oneact.js`); a script with
    /// an account may step as quickly as it likes.
    mutating func noteDeskStep(
        _ command: PodiumCommand, by person: CommandSender, at now: ShowTime
    ) throws(CommandRefusal) {
        guard settings.rules >= 9, person.role == .showControl, command.isStep else { return }
        let words = command.words
        let recent = (state.deskSteps ?? []).filter { now.milliseconds(since: $0.at) < settings.repeatGuard }
        if let same = recent.last(where: { $0.sender == person && $0.words == words }) {
            throw .accidentalRepeat(
                words.joined(separator: " "), afterMilliseconds: max(now.milliseconds(since: same.at), 0))
        }
        state.deskSteps =
            Array(recent.suffix(Self.mostKeptActs - 1)) + [TimedAct(sender: person, words: words, at: now)]
    }
}

extension CommandSender {
    /// True if the command comes from a switch that somebody presses, not from a script.
    fileprivate var isDevice: Bool { device != nil || role == .showControl }
}

extension PodiumCommand {
    /// True if the command moves on from wherever the show is, so that doing it twice is not the same as once. GO and
    /// tap have guards of their own; nudges may come quickly from the dial of a controller.
    fileprivate var isStep: Bool {
        switch self {
        case .chooseStandbyCue(.next), .chooseStandbyCue(.previous), .nextPiece, .title(.next),
            .title(.previous):
            true
        default: false
        }
    }
}
