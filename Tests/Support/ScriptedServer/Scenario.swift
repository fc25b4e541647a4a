/// Situations that a page can show, by name, as lines of the script.
enum Scenario {
    static let steps: [String: [String]] = [
        "following": ["input-back", "play 1"],
        "lost": ["lose 98 0.62 49 0.24 148 0.08"],
        "undecided": ["copies 44 0.45"],
        "coasting": ["coast"],
        "before-the-music": ["wait"],
        "silence": ["silence"],
        "after-the-music": ["over"],
        "fault": [
            "fault lighting The lighting desk 10.0.0.20:8000 does not answer; cues to it are kept back. "
                + "Check its cable."
        ],
        "fault-over": ["fault-over lighting"],
        "input-lost": ["input-lost no such device"],
        "input-back": ["input-back"],
        "rehearsal": ["command rehearsal on"],
        "locked": ["command lock on"],
        "held": ["command hold"],
        "paused": ["command pause-all"],
        "intermission": ["command intermission on"],
        "frozen": ["command freeze on"],
        "black": ["command blackout on"],
        "panic": ["command panic"],
        "message": ["command message Welcome Hello AUTO"],
        "another-term": ["term 2"],
    ]
}
