import Podium
import WebServer

/// Which kinds of cue each role may write. docs/console-api.md has it as a table.
enum CueRights {
    static func kinds(for role: WebRole) -> Set<CueKind> {
        switch role {
        case .technician, .administrator: Set(CueKind.allCases)
        // What listeners read, and what the technician reads: nothing that moves the stage.
        case .editor: [.note, .slide, .message]
        case .musician: []
        }
    }

    /// Why somebody may not make one list of another; nil where they may. Cues that stay as they are count for nothing.
    static func refusal(of role: WebRole, changing old: CueList, to new: CueList) -> String? {
        let allowed = kinds(for: role)
        for cue in new.cues where old[cue.id] != cue {
            let kinds = [cue.kind] + (old[cue.id].map { [$0.kind] } ?? [])
            if let kind = kinds.first(where: { !allowed.contains($0) }) {
                return sentence(role, kind, cue.name)
            }
        }
        for cue in old.cues where new[cue.id] == nil && !allowed.contains(cue.kind) {
            return sentence(role, cue.kind, cue.name)
        }
        return nil
    }

    private static func sentence(_ role: WebRole, _ kind: CueKind, _ name: String) -> String {
        "The cue “\(name)” is of the kind \(kind.rawValue), which a technician writes, changes and removes; "
            + "you are signed in as \(role.rawValue)."
    }
}
