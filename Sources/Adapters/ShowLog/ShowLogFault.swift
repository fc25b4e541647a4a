import Basics
import Foundation

/// The reason why a show log cannot be written, read or continued.
public enum ShowLogFault: Explained, Equatable, Sendable {
    /// The disk is full. `waiting` lines are kept in memory; `lost` lines did not fit there and were dropped.
    case diskFull(path: String, waiting: Int, lost: Int)
    case readOnly(path: String, waiting: Int, lost: Int)
    /// The system call that should `action` the file failed with the error number `errno`.
    case notWritten(path: String, action: String, errno: Int32, waiting: Int, lost: Int)
    /// The disk needed `seconds` until lines were on it.
    case diskSlow(path: String, seconds: Double)
    /// Another server uses the data folder; `process` is its process id, or nil if that is unknown.
    case folderInUse(path: String, process: Int32?)
    case folderNotMade(path: String, reason: String)
    case unreadable(path: String, reason: String)
    case notAShowLog(path: String)
    case versionUnknown(path: String, version: Int)
    /// A log file of the show is missing, although later ones exist.
    case fileMissing(path: String)
    case damaged(path: String, line: Int, what: String)
    /// The log was truncated: the lines `first` to `last` had been written and are missing at its end.
    case cutShort(path: String, first: UInt64, last: UInt64)
    /// The show's folder contains no readable snapshot, so the show cannot be continued.
    case nothingToContinue(path: String)
    /// A row of a file of true measure times is not a measure number and a time.
    case unreadableMeasureTimeRow(path: String, row: Int)

    /// A sentence for a fault while a show runs.
    public var sentence: String {
        switch self {
        case .diskFull(_, let waiting, let lost), .readOnly(_, let waiting, let lost),
            .notWritten(_, _, _, let waiting, let lost):
            sentenceBeforeTheShow + " " + Self.waitingLinesSentence(waiting, lost)
        default: sentenceBeforeTheShow
        }
    }

    /// The same sentence without the waiting lines, for a fault before a show has begun.
    public var sentenceBeforeTheShow: String {
        switch self {
        case .diskFull(let path, _, _): "The disk of \(path) is full; delete files there."
        case .readOnly(let path, _, _): "The disk of \(path) became read-only; check it and mount it again."
        case .notWritten(let path, let action, let errno, _, _):
            "The system failed to \(action) \(path): \(Self.describeErrno(errno)); check the disk."
        case .diskSlow(let path, let seconds):
            "The disk of \(path) is slow: it needed \(Self.tenths(seconds)) s to store a command, and each command is "
                + "answered only when it is stored. End other programs that write to this disk, and check it."
        case .folderInUse(let path, let process):
            "Another baton server"
                + (process.map { " (process \($0))" } ?? "")
                + " uses the folder \(path); end it, or give this one another folder with --data."
        case .folderNotMade(let path, let reason):
            "The folder \(path) cannot be made or used: \(reason); check its rights, or give another with --data."
        case .unreadable(let path, let reason):
            "\(path) cannot be read: \(reason); check its rights and the disk."
        case .notAShowLog(let path):
            "\(path) is not a file of a show log: its first line does not say so; give a folder under shows/."
        case .versionUnknown(let path, let version):
            "\(path) was written as version \(version) of the show log; this baton reads version "
                + "\(LogHeader.currentVersion): use the baton that wrote it."
        case .fileMissing(let path):
            "\(path) is missing, though later files of the show are there; put it back from a copy."
        case .damaged(let path, let line, let what):
            "\(path), line \(line): \(what); put the file back from a copy, or read the show without this line."
        case .cutShort(let path, let first, let last):
            "The log in \(path) was cut short: lines \(first) to \(last) are missing, with the commands in them. "
                + "Check bar, cues, lock and panic now; the remaining files are kept as they are."
        case .nothingToContinue(let path):
            "\(path) holds no state from which a show could continue; start a new show."
        case .unreadableMeasureTimeRow(let path, let row):
            "\(path), row \(row): not a measure and a time; write rows as 'measure,time' with seconds."
        }
    }

    private static func waitingLinesSentence(_ waiting: Int, _ lost: Int) -> String {
        "The show goes on; \(waiting) lines of its log wait in memory"
            + (lost > 0 ? ", \(lost) are lost." : ".")
    }

    private static func tenths(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    static func describeErrno(_ code: Int32) -> String {
        "\(String(cString: strerror(code))) (error \(code))"
    }

    static func makeWriteFault(
        _ action: String, path: String, errno code: Int32, waiting: Int, lost: Int
    ) -> ShowLogFault {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: .diskFull(path: path, waiting: waiting, lost: lost)
        case EROFS: .readOnly(path: path, waiting: waiting, lost: lost)
        default: .notWritten(path: path, action: action, errno: code, waiting: waiting, lost: lost)
        }
    }

    /// The operating system's text for the last failed system call (errno).
    static func lastSystemErrorText() -> String { describeErrno(errno) }
}
