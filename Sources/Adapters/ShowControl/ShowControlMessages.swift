import Podium

/// Builds the OSC messages for the show's state, for cues and for replies, and knows their addresses.
///
/// Uses no clock and no socket. `docs/show-control.md` lists the same addresses for users.
public enum ShowControlMessages {
    /// Returns the whole state as messages. Each has its own address and always the same argument types.
    public static func stateMessages(for state: PublishedShowState) -> [OSCMessage] {
        [
            OSCMessage(
                "/baton/piece", [.integerArgument(state.pieceNumber), .string(state.pieceName.safeForOSC)]),
            OSCMessage(
                "/baton/measure",
                [
                    .integerArgument(state.printedMeasure), .integerArgument(state.playedMeasure),
                    .string(state.sectionLabel.safeForOSC),
                ]),
            OSCMessage("/baton/fraction", [.roundedFloatArgument(state.measureFraction)]),
            OSCMessage(
                "/baton/tempo",
                [
                    .roundedFloatArgument(state.relativeTempo),
                    .roundedFloatArgument(state.beatsPerMinute ?? 0),
                ]),
            OSCMessage("/baton/confidence", [.roundedFloatArgument(state.followerConfidence)]),
            OSCMessage("/baton/state", [.string(state.positionMode.safeForOSC)]),
            OSCMessage("/baton/evening", [.string(state.eveningStage.safeForOSC)]),
            OSCMessage(
                "/baton/holder", [.string(state.holderKind.safeForOSC), .string(state.holderName.safeForOSC)]),
            OSCMessage("/baton/epoch", [.string(state.epochText.safeForOSC)]),
            OSCMessage(
                "/baton/cue/standby",
                [
                    .string(state.standbyCue?.id.safeForOSC ?? ""),
                    .string(state.standbyCue?.name.safeForOSC ?? ""),
                ]),
            OSCMessage(
                "/baton/cue/next",
                [
                    .string(state.nextCueCountdown?.cue.safeForOSC ?? ""),
                    .integerArgument(state.nextCueCountdown?.measures ?? -1),
                    .roundedFloatArgument(state.nextCueCountdown?.seconds ?? -1),
                ]),
            OSCMessage("/baton/view", [.string(state.audienceView.safeForOSC)]),
            OSCMessage("/baton/panic", [.string(state.panicLevel.safeForOSC)]),
            OSCMessage(
                "/baton/fault",
                [.integerArgument(state.faultCount), .string(state.newestFaultSentence.safeForOSC)]),
        ]
    }

    /// The message for a cue that fires now. It is an event: sent once and not repeated with the heartbeat.
    public static func cueFiredMessage(_ cue: NamedCue, kind: String) -> OSCMessage {
        OSCMessage(
            "/baton/cue/fired",
            [.string(cue.id.safeForOSC), .string(cue.name.safeForOSC), .string(kind.safeForOSC)])
    }

    public static func replyMessage(to address: String, detail: String = "") -> OSCMessage {
        OSCMessage("/baton/reply", [.string(address.safeForOSC), .string("ok"), .string(detail.safeForOSC)])
    }

    public static func errorMessage(about address: String, sentence: String) -> OSCMessage {
        OSCMessage("/baton/error", [.string(address.safeForOSC), .string(sentence.safeForOSC)])
    }

    /// Addresses that only Baton sends. A message to one of them comes from an echo or from a second Baton, and is
    /// never a command.
    static let addressesSentByBaton: Set<String> = Set(
        stateMessages(for: PublishedShowState()).map(\.address)
    )
    .union(["/baton/cue/fired", "/baton/reply", "/baton/error", "/baton/pong"])

    /// The addresses of values that change all the time, which are sent at most ten times a second.
    static let continuouslyChangingAddresses: Set<String> = [
        "/baton/fraction", "/baton/tempo", "/baton/confidence", "/baton/cue/next",
    ]
}

extension OSCArgument {
    fileprivate static func integerArgument(_ value: Int) -> OSCArgument { .int(Int32(clamping: value)) }

    /// Returns a float rounded to thousandths, so that noise in the last digits is no change; NaN and infinity become
    /// 0.
    fileprivate static func roundedFloatArgument(_ value: Double) -> OSCArgument {
        .float(value.isFinite ? Float((value * 1_000).rounded() / 1_000) : 0)
    }
}

extension String {
    /// The text without zero bytes, which OSC cannot carry, and short enough for a datagram.
    fileprivate var safeForOSC: String {
        let short = utf8.count > 1_024 ? String(prefix(256)) : self
        return short.utf8.contains(0) ? short.filter { $0 != "\0" } : short
    }
}
