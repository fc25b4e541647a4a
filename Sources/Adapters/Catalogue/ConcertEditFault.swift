import Basics

/// The reason why a concert's content could not be read or changed.
public enum ConcertEditFault: Explained, Equatable, Sendable {
    case catalogue(CatalogueError)
    case noSuchConcert(Int64)
    case noSuchNode(String)
    case nodeIDTaken(String)
    case wrongParentKind(ConcertNodeKind)
    case unknownField(String, of: ConcertNodeKind)
    case fieldTooLong(field: String, bytes: Int, limit: Int)
    case tooManyNodes(ConcertNodeKind, count: Int)
    case tooManyChanges(Int)
    case baseRevisionTooNew(base: Int, newest: Int)
    /// Somebody else changed the same fields or nodes; nothing was written.
    case conflicts([ConcertEditConflict])
    case nothingToUndo
    case nothingToRedo
    case historyUnreadable(revision: Int)
    /// A node would become invalid as a whole, though each of its fields may be valid.
    case invalidEntry(ConcertNodeID, sentence: String)
    /// This past edit cannot be undone; older ones still can.
    indirect case cannotUndo(revision: Int, label: String, because: ConcertEditFault)
    case noSuchRevision(Int, newest: Int)
    /// The show is locked, and the change would take something from the concert that listeners find.
    case showLocked
    /// Somebody edited the concert after the revision that the author saw.
    case editedSince(seen: Int, newest: Int)

    public var sentence: String {
        switch self {
        case .catalogue(let error): error.sentence
        case .noSuchConcert(let id):
            "There is no concert \(id); it was removed, or the number is wrong. See the list of concerts."
        case .noSuchNode(let id):
            "There is nothing named “\(id.prefix(64))” in this concert; load it again."
        case .nodeIDTaken(let id): "“\(id.prefix(64))” is there already; choose another id."
        case .wrongParentKind(let kind):
            kind.parentKind.map { "A \(kind.rawValue) stands in a \($0.rawValue) only; put it there." }
                ?? "The concert itself can neither be made, moved nor removed here."
        case .unknownField(let field, let kind):
            "A \(kind.rawValue) has no “\(field.prefix(40))”; it has \(kind.fieldNames.joined(separator: ", "))."
        case .fieldTooLong(let field, let bytes, let limit):
            "The \(field) has \(bytes) bytes; shorten it to \(limit) at most."
        case .tooManyNodes(let kind, let count):
            "The concert would have \(count) \(kind.pluralName); it may have \(kind.mostNodesInConcert). Divide the "
                + "concert, or leave some out."
        case .tooManyChanges(let count):
            "The edit has \(count) changes; send at most \(ConcertEdit.mostChanges) at once."
        case .baseRevisionTooNew(let base, let newest):
            "The edit is based on revision \(base), but the newest is \(newest); load the concert again."
        case .conflicts(let conflicts):
            "\(conflicts.first?.storedValueAuthor.map { "“\($0.prefix(64))”" } ?? "Somebody else") has changed the "
                + "same entry in the meantime; compare both versions and choose one."
        case .nothingToUndo: "You have no edit left to undo."
        case .nothingToRedo: "You have no edit to redo."
        case .historyUnreadable(let revision):
            "Revision \(revision) of the history cannot be read; newer ones can still be undone."
        case .invalidEntry(_, let sentence): sentence
        case .cannotUndo(_, let label, because: .conflicts(let conflicts)):
            "\(conflicts.first?.storedValueAuthor.map { "“\($0.prefix(64))”" } ?? "Somebody else") has changed the "
                + "same entry since, so “\(label.prefix(80))” stays. Repeat to go on with the edit before it."
        case .cannotUndo(_, let label, let cause):
            "\(cause.sentence) So “\(label.prefix(80))” stays. Repeat to go on with the edit before it."
        case .noSuchRevision(let revision, let newest):
            "The concert has no revision \(revision); it has 1 to \(newest)."
        case .showLocked:
            "The show is locked: nothing of the concert that listeners find is removed, moved or emptied. Texts may be "
                + "corrected; for anything else unlock the show first."
        case .editedSince(let seen, let newest):
            "The concert was edited after you looked at it (revision \(seen), now \(newest)); look once more."
        }
    }
}
