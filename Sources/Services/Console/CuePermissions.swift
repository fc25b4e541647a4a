import Podium
import WebServer

/// The kinds of cues that each role may write. docs/console-api.md has them as a table.
enum CuePermissions {
    static func writableCueKinds(for role: WebRole) -> Set<CueKind> {
        switch role {
        case .technician, .administrator: Set(CueKind.allCases)
        // An editor may write cues for listeners and for the technician, but none that control the stage.
        case .editor: [.note, .slide, .message]
        case .titleOperator, .musician: []
        }
    }

    /// `GET /api/cue-kinds` lists the kinds of cues that the signed-in person may write, so that a page offers no
    /// others.
    static var cueKindsRoute: WebRoute {
        WebRoute(.get, "/api/cue-kinds", .roles(WebRole.staff)) { request in
            let allowed = request.person.map { writableCueKinds(for: $0.role) } ?? []
            return .json(CueKind.allCases.filter(allowed.contains).map(\.rawValue))
        }
    }

    /// Returns why a role may not replace one cue list by another; nil if it may. Only new, changed and removed cues
    /// are checked.
    static func refusalReason(of role: WebRole, changing old: CueList, to new: CueList) -> String? {
        let allowed = writableCueKinds(for: role)
        for cue in new.cues where old[cue.id] != cue {
            let kinds = [cue.kind] + (old[cue.id].map { [$0.kind] } ?? [])
            if let kind = kinds.first(where: { !allowed.contains($0) }) {
                return makeRefusalSentence(role, kind, cue.name)
            }
        }
        for cue in old.cues where new[cue.id] == nil && !allowed.contains(cue.kind) {
            return makeRefusalSentence(role, cue.kind, cue.name)
        }
        return nil
    }

    private static func makeRefusalSentence(_ role: WebRole, _ kind: CueKind, _ name: String) -> String {
        "The cue “\(name)” is of the kind \(kind.rawValue), which a technician writes, changes and removes; "
            + "you are signed in as \(role.rawValue)."
    }
}
