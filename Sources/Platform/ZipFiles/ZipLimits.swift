import Basics

/// The limits for a ZIP file from outside. All are checked before the first byte is decompressed.
public struct ZipLimits: Sendable {
    /// The maximum number of entries, including folders.
    public var mostEntries: Int
    /// The maximum size in bytes of one file after decompression.
    public var mostFileBytes: Int
    /// The maximum size in bytes of all files together after decompression.
    public var mostTotalBytes: Int
    /// The maximum number of parts in a file's path: its folders and the file itself.
    public var mostPathParts = 4
    /// The maximum length in bytes of a file's path inside the ZIP.
    public var longestPathBytes = 400

    public init(mostEntries: Int, mostFileBytes: Int, mostBytes: Int) {
        self.mostEntries = mostEntries
        self.mostFileBytes = mostFileBytes
        self.mostTotalBytes = mostBytes
    }
}

/// The reason why a ZIP file could not be read or written.
public enum ZipError: Explained, Equatable, Sendable {
    case unreadable(reason: String)
    case notZip
    /// The ZIP file is truncated, or its parts contradict each other.
    case broken(what: String)
    case encrypted(name: String)
    /// The ZIP file uses a feature that is not supported, such as several volumes or more than 4 GB.
    case unsupported(what: String)
    case tooManyEntries(count: Int, limit: Int)
    case fileTooLarge(name: String, bytes: Int, limit: Int)
    case totalTooLarge(bytes: Int, limit: Int)
    /// The path of a file inside the ZIP leads out of the target folder, or contains characters that are not allowed.
    case refusedPath(String, why: String)
    case notWritten(reason: String)
    case diskFull

    public var sentence: String {
        switch self {
        case .unreadable(let reason): "The ZIP cannot be read: \(reason). Send it again."
        case .notZip: "This is not a ZIP file. Export the concert again, or pack its folder as a ZIP."
        case .broken(let what): "The ZIP is damaged (\(what)). Export or pack it again."
        case .encrypted(let name):
            "“\(name)” in the ZIP is locked with a password. Pack the folder without one."
        case .unsupported(let what):
            "The ZIP is \(what), which is not read here. Pack the folder as a plain ZIP."
        case .tooManyEntries(let count, let limit):
            "The ZIP has \(count) entries; at most \(limit) are taken. Pack the concert's folder alone."
        case .fileTooLarge(let name, let bytes, let limit):
            "“\(name)” in the ZIP has \(bytes >> 20) MB; at most \(limit >> 20) are taken. Make it smaller."
        case .totalTooLarge(let bytes, let limit):
            "The files in the ZIP have \(bytes >> 20) MB together; at most \(limit >> 20) are taken. "
                + "Make pictures smaller, or use baton content import on the server."
        case .refusedPath(let name, let why): "“\(name)” in the ZIP \(why). Pack the concert's folder again."
        case .notWritten(let reason): "The ZIP cannot be written or unpacked on the server: \(reason)."
        case .diskFull: "The server has no space left for this; free some on its disk."
        }
    }
}
