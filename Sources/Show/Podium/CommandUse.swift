/// Name, arguments and meaning of a command, for help pages and documents.
public struct CommandUse: Hashable, Sendable {
    public let name: String
    public let arguments: String
    public let meaning: String

    init(_ name: String, _ arguments: String = "", _ meaning: String) {
        self.name = name
        self.arguments = arguments
        self.meaning = meaning
    }
}

extension PodiumCommand {
    /// All commands that the Podium understands.
    public static let uses: [CommandUse] = [
        CommandUse("take", "", "take the baton; nothing the audience sees changes"),
        CommandUse("release", "", "give the baton back to the follower, where it is"),
        CommandUse("hold", "", "keep the position although the follower goes on"),
        CommandUse("resume", "", "end the hold"),
        CommandUse("tap", "", "a measure begins now; takes the baton"),
        CommandUse("nudge", "N", "N measures on, or back with a minus; re-anchors a follower that follows"),
        CommandUse("goto", "PLACE", "go to a place quietly; takes the baton"),
        CommandUse("bar-is-now", "[PLACE]", "the measure begins now: anchors the follower there"),
        CommandUse(
            "choose", "N|PLACE",
            "the music is at candidate N (1…3) of a lost follower, or at the one at PLACE"),
        CommandUse("go", "", "fire the cue on standby"),
        CommandUse("standby", "next|previous|none|CUE", "move the standby without firing"),
        CommandUse(
            "rearm", "[PLACE]",
            "automatic cues from PLACE on, or after this bar, fire again when the music gets there"),
        CommandUse("panic", "", "outputs to a safe state; again within 3 s: hard stop"),
        CommandUse("panic-over", "", "leave the panic"),
        CommandUse("lock", "on|off", "show lock: nothing is edited, no piece is changed by accident"),
        CommandUse("blackout", "on|off", "the audience sees nothing"),
        CommandUse("freeze", "on|off", "the audience keeps what it sees"),
        CommandUse("pause-all", "", "position and automatic cues stand still"),
        CommandUse("resume-all", "", "end the pause"),
        CommandUse("piece", "N [PLACE|unknown]", "begin piece N (from 1)"),
        CommandUse("next-piece", "", "begin the next piece, or go to it where the follower hears it already"),
        CommandUse("intermission", "on|off", "nothing is live"),
        CommandUse("auto-advance", "on|off", "follow the music into the next piece without being told"),
        CommandUse("rehearsal", "on|off", "nothing goes to the audience, no cue fires by itself"),
        CommandUse("message", "TITLE BODY [STYLE [BUTTON]]", "send a message to the audience"),
        CommandUse("withdraw", "", "end the current message"),
        CommandUse("note", "TEXT", "write a note into the show log"),
    ]
}
