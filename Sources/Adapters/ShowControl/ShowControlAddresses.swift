import Podium

/// The addresses of show control, and the words of the state and of commands.
///
/// Pure: no clock, no socket. `docs/show-control.md` lists the same addresses for users.
public enum ShowControlAddresses {
    /// The whole state, each message under its own address, always with the same argument types.
    public static func messages(for state: PublishedShowState) -> [OSCMessage] {
        [
            OSCMessage("/baton/piece", [.whole(state.piece), .string(state.pieceName.clean)]),
            OSCMessage(
                "/baton/measure", [.whole(state.printed), .whole(state.played), .string(state.section.clean)]),
            OSCMessage("/baton/fraction", [.thousandths(state.fraction)]),
            OSCMessage(
                "/baton/tempo", [.thousandths(state.tempo), .thousandths(state.beatsPerMinute ?? 0)]),
            OSCMessage("/baton/confidence", [.thousandths(state.confidence)]),
            OSCMessage("/baton/state", [.string(state.state.clean)]),
            OSCMessage(
                "/baton/holder", [.string(state.holderKind.clean), .string(state.holderName.clean)]),
            OSCMessage("/baton/epoch", [.string(state.epoch.clean)]),
            OSCMessage(
                "/baton/cue/standby",
                [.string(state.standby?.id.clean ?? ""), .string(state.standby?.name.clean ?? "")]),
            OSCMessage(
                "/baton/cue/next",
                [
                    .string(state.next?.cue.clean ?? ""), .whole(state.next?.measures ?? -1),
                    .thousandths(state.next?.seconds ?? -1),
                ]),
            OSCMessage("/baton/view", [.string(state.view.clean)]),
            OSCMessage("/baton/panic", [.string(state.panic.clean)]),
            OSCMessage("/baton/fault", [.whole(state.faultCount), .string(state.fault.clean)]),
        ]
    }

    /// The message for a cue that fires now. It is an event: sent once and not repeated with the heartbeat.
    public static func fired(_ cue: CueName, kind: String) -> OSCMessage {
        OSCMessage(
            "/baton/cue/fired", [.string(cue.id.clean), .string(cue.name.clean), .string(kind.clean)])
    }

    public static func reply(to address: String, detail: String = "") -> OSCMessage {
        OSCMessage("/baton/reply", [.string(address.clean), .string("ok"), .string(detail.clean)])
    }

    public static func error(about address: String, sentence: String) -> OSCMessage {
        OSCMessage("/baton/error", [.string(address.clean), .string(sentence.clean)])
    }

    /// Addresses that only Baton sends. A message to one of them (an echo, a second Baton) is never a command.
    static let ownAddresses: Set<String> = Set(messages(for: PublishedShowState()).map(\.address))
        .union(["/baton/cue/fired", "/baton/reply", "/baton/error", "/baton/pong"])

    /// Values that change all the time and are sent at most ten times a second.
    static let steadyAddresses: Set<String> = [
        "/baton/fraction", "/baton/tempo", "/baton/confidence", "/baton/cue/next",
    ]
}

extension OSCArgument {
    fileprivate static func whole(_ value: Int) -> OSCArgument { .int(Int32(clamping: value)) }

    /// Rounded, so that noise in the last digit is no change; NaN and infinity become 0.
    fileprivate static func thousandths(_ value: Double) -> OSCArgument {
        .float(value.isFinite ? Float((value * 1_000).rounded() / 1_000) : 0)
    }
}

extension String {
    /// The text without zeros, which the format cannot carry, and short enough for a datagram.
    fileprivate var clean: String {
        let short = utf8.count > 1_024 ? String(prefix(256)) : self
        return short.utf8.contains(0) ? short.filter { $0 != "\0" } : short
    }
}
