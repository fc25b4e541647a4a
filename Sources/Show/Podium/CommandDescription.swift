import Titles

/// The name, arguments and meaning of a command, for help pages and documents.
public struct CommandDescription: Hashable, Sendable {
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
    /// The descriptions of all commands that people can give the Podium.
    public static let descriptions: [CommandDescription] = [
        CommandDescription("take", "", "take the baton; nothing the audience sees changes"),
        CommandDescription("release", "", "give the baton back to the follower, where it is"),
        CommandDescription("hold", "", "keep the position although the follower goes on"),
        CommandDescription("resume", "", "end the hold"),
        CommandDescription("tap", "", "a measure begins now; takes the baton"),
        CommandDescription(
            "nudge", "N", "N measures on, or back with a minus; re-anchors a follower that follows"),
        CommandDescription("goto", "PLACE", "go to a place quietly; takes the baton"),
        CommandDescription("bar-is-now", "[PLACE]", "the measure begins now: anchors the follower there"),
        CommandDescription(
            "choose", "N|PLACE",
            "the music is at candidate N (1…3) of a follower that is lost or undecided, or at the one at PLACE"
        ),
        CommandDescription(
            "arm", "[on|off]",
            "wait for the first bar of the piece that comes; off: show and fire nothing yet"),
        CommandDescription("begin", "", "the music begins now, or has begun within the last two seconds"),
        CommandDescription("arm-each-piece", "on|off", "each piece waits to be armed, not only the first"),
        CommandDescription("go", "[CUE]", "fire the cue on standby, or the one with that number or name"),
        CommandDescription("standby", "next|previous|none|CUE", "move the standby without firing"),
        CommandDescription(
            "rearm", "[PLACE]",
            "automatic cues from PLACE on, or after this bar, fire again when the music gets there"),
        CommandDescription("panic", "", "outputs to a safe state; twice by one sender within 3 s: hard stop"),
        CommandDescription("panic-over", "", "leave the panic"),
        CommandDescription(
            "lock", "on|off",
            "show lock: programme, cues and titles stay as they are, no piece is begun by hand, and listeners lose "
                + "nothing of their concert; its texts may still be corrected"),
        CommandDescription("blackout", "on|off", "the audience sees nothing"),
        CommandDescription("freeze", "on|off", "the audience keeps what it sees"),
        CommandDescription("pause-all", "", "position and automatic cues stand still"),
        CommandDescription("resume-all", "", "end the pause"),
        CommandDescription("piece", "N [PLACE|unknown]", "begin piece N (from 1)"),
        CommandDescription(
            "next-piece", "", "begin the next piece, or go to it where the follower hears it already"),
        CommandDescription("intermission", "on|off", "nothing is live"),
        CommandDescription(
            "auto-advance", "on|off", "follow the music into the next piece without being told"),
        CommandDescription("rehearsal", "on|off", "nothing goes to the audience, no cue fires by itself"),
        CommandDescription("message", "TITLE BODY [STYLE [BUTTON]]", "send a message to the audience"),
        CommandDescription("withdraw", "", "end the current message"),
        CommandDescription(
            "title", TitleCommand.arguments, "show another title, hide it, or blank the screens"),
        CommandDescription("note", "TEXT", "write a note into the show log"),
    ]
}
