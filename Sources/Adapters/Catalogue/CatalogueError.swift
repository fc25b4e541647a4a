import Basics
import GRDB
import Platform

/// The reason why the catalogue could not be opened, or refused a change.
public enum CatalogueError: Explained, Equatable, Sendable {
    /// A newer version of the program wrote the file. `unknown` lists the migration steps that this version lacks.
    case writtenByNewerVersion(path: String, unknown: [String])
    /// The file is an SQLite database that another program made.
    case otherProgramsDatabase(path: String)
    case notADatabase(path: String)
    /// The file is empty (0 bytes), though it held a database before.
    case fileEmptied(path: String, hasWriteLog: Bool)
    /// The write-ahead log exists, but its database does not.
    case writeLogWithoutDatabase(path: String)
    case notAFile(path: String, what: String)
    case damaged(path: String, reason: String)
    case cannotOpen(path: String, reason: String)
    case readOnly(path: String)
    case diskFull(path: String)
    case busy(path: String)
    case interrupted
    case readOrWriteFailed(path: String, reason: String)

    case invalidAccountName(String)
    case accountNameTaken(String)
    case noSuchAccount(String)
    case lastAdministrator(String)
    /// The account already has the maximum number of screens in use.
    case accountInUseOnTooManyScreens
    case accountSuspended(String)
    /// No more invitations can be stored; the value is the number of open ones.
    case tooManyInvitations(open: Int)
    /// The invitation was used, withdrawn or is too old.
    case invitationUnusable
    case noSuchScore(String)
    /// Somebody else changed the score first; the value is its id.
    case scoreChanged(String)
    /// An entry of the diary, or what belongs to it, cannot be; the value is the whole sentence.
    case diaryRefused(String)

    init(_ error: FileWriteError) {
        self =
            error.isDiskFull
            ? .diskFull(path: error.path) : .readOrWriteFailed(path: error.path, reason: error.reason)
    }

    public var sentence: String {
        switch self {
        case .writtenByNewerVersion(let path, let unknown):
            "\(path) was written by a newer version of this program (it holds \(Self.joinNames(unknown))); "
                + "start that version, or restore a copy made before the update."
        case .otherProgramsDatabase(let path):
            "\(path) is the database of another program; choose another data folder with --data."
        case .notADatabase(let path):
            "\(path) is not a database; move it away (an empty catalogue is made) or restore a copy of it."
        case .fileEmptied(let path, let hasWriteLog):
            "\(path) is empty (0 bytes), so \(Self.describeMissingContents(path)) are missing; nothing was changed. "
                + "Restore a copy of it"
                + (hasWriteLog
                    ? " (the newest changes are still in \(DatabaseFile.writeAheadLogPath(of: path)): "
                        + "keep it beside the copy)"
                    : "")
                + ", or move it away to begin with an empty one."
        case .writeLogWithoutDatabase(let path):
            "\(path) is missing, though its newest changes lie in \(DatabaseFile.writeAheadLogPath(of: path)), so "
                + "\(Self.describeMissingContents(path)) are missing; nothing was changed. Restore a copy of it "
                + "beside that file, or "
                + "move that file away to begin with an empty one."
        case .notAFile(let path, let what):
            "\(path) is \(what), not a database; move it away and restore a copy of the file."
        case .damaged(let path, let reason):
            "\(path) is damaged (\(reason)); stop the server and restore a copy of it."
        case .cannotOpen(let path, let reason):
            "\(path) cannot be opened (\(reason)); check that its folder exists and may be written by this user."
        case .readOnly(let path):
            "\(path) or its folder may not be written by this user; change its permissions or use --data."
        case .diskFull(let path):
            "There is no space left to write \(path); free some space on this disk and try again."
        case .busy(let path):
            "\(path) was locked by another program for more than five seconds; close that program."
        case .interrupted:
            "The catalogue was closed before the change was made; try again after the start."
        case .readOrWriteFailed(let path, let reason):
            "\(path) could not be read or written: \(reason); check the disk, then try again."
        case .invalidAccountName(let name):
            "“\(Self.excerpt(name))” cannot be a name; use 1 to \(AccountName.mostCharacters) letters, digits, "
                + "spaces or signs."
        case .accountNameTaken(let name):
            "There is already an account named “\(Self.excerpt(name))”; choose another name."
        case .noSuchAccount(let name):
            "There is no account named “\(Self.excerpt(name))”; see baton user list."
        case .lastAdministrator(let name):
            "“\(Self.excerpt(name))” is the last administrator; make another account administrator first."
        case .accountInUseOnTooManyScreens:
            "This account is in use on \(SignInLimits.mostInUsePerAccount) screens already; "
                + "close one, or use another account."
        case .accountSuspended(let name):
            "The account “\(Self.excerpt(name))” is suspended; allow it to sign in again first."
        case .tooManyInvitations(let open):
            "There are \(open) open invitations already; withdraw some of them first."
        case .invitationUnusable:
            "This link is not valid any more: it was used, withdrawn or is too old. Ask for a new one."
        case .noSuchScore(let id):
            "There is no score \(Self.excerpt(id)); it may have been removed. Look through the list again."
        case .scoreChanged:
            "Somebody else changed this score meanwhile; read it again, then make your change once more."
        case .diaryRefused(let sentence):
            sentence
        }
    }

    /// The error's sentence for people at other machines: it contains no path of this machine.
    public var sentenceWithoutPath: String {
        guard let path else { return sentence }
        let plain = sentence.replacing(path, with: "the server's storage")
        return plain.prefix(1).uppercased() + plain.dropFirst()
    }

    private var path: String? {
        switch self {
        case .writtenByNewerVersion(let path, _), .otherProgramsDatabase(let path), .notADatabase(let path),
            .fileEmptied(let path, _),
            .writeLogWithoutDatabase(let path), .notAFile(let path, _), .damaged(let path, _),
            .cannotOpen(let path, _), .readOnly(let path), .diskFull(let path), .busy(let path),
            .readOrWriteFailed(let path, _):
            path
        case .interrupted, .invalidAccountName, .accountNameTaken, .noSuchAccount, .lastAdministrator,
            .accountInUseOnTooManyScreens, .accountSuspended, .tooManyInvitations, .invitationUnusable,
            .noSuchScore, .scoreChanged, .diaryRefused:
            nil
        }
    }

    /// Translates any error into a ``CatalogueError``.
    /// - Parameter path: the path of the database that the error concerns.
    static func wrapping(_ error: any Error, path: String) -> CatalogueError {
        if let error = error as? CatalogueError { return error }
        if error is CancellationError { return .interrupted }
        guard let error = error as? DatabaseError else {
            return .readOrWriteFailed(path: path, reason: "\(error)")
        }
        let reason = error.message ?? "error \(error.extendedResultCode.rawValue)"
        return switch error.resultCode {
        case .SQLITE_NOTADB: .notADatabase(path: path)
        case .SQLITE_CORRUPT: .damaged(path: path, reason: reason)
        case .SQLITE_CANTOPEN: .cannotOpen(path: path, reason: reason)
        case .SQLITE_READONLY, .SQLITE_PERM: .readOnly(path: path)
        case .SQLITE_FULL: .diskFull(path: path)
        case .SQLITE_BUSY, .SQLITE_LOCKED: .busy(path: path)
        case .SQLITE_ABORT, .SQLITE_INTERRUPT: .interrupted
        default: .readOrWriteFailed(path: path, reason: reason)
        }
    }

    /// Names the contents that are lost with a database file, for the sentence of an error.
    private static func describeMissingContents(_ path: String) -> String {
        if path.hasSuffix("rooms.sqlite") { return "rooms, remarks and sessions" }
        return path.hasSuffix(DiaryStore.fileName) ? "the diary's entries" : "accounts, content and scores"
    }

    private static func excerpt(_ text: String) -> String {
        let shown = String(
            text.unicodeScalars.prefix(60).map {
                $0.properties.generalCategory == .control ? "?" : Character($0)
            })
        return shown.unicodeScalars.count < text.unicodeScalars.count ? shown + "…" : shown
    }

    private static func joinNames(_ names: [String]) -> String {
        names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
    }
}
