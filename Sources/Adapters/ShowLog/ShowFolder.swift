import Foundation

/// The data folder of a server: its lock, and the folders of its shows.
///
/// `DATA/lock`, `DATA/shows/YYYY-MM-DD-HHMMSS-title/log-0001.jsonl` …. Only the owner has access to folders (0700)
/// and files (0600). While this value exists, no other server can use the same folder.
public final class ShowFolder: Sendable {
    public let path: String
    private let lock: Int32

    public var shows: String { path + "/shows" }

    /// Makes missing folders and locks the data folder for this process.
    /// - Throws: ``ShowLogFault/folderInUse(path:process:)`` if another server holds it, or
    ///   ``ShowLogFault/folderNotMade(path:reason:)``.
    public init(path: String) throws(ShowLogFault) {
        self.path = path
        try Self.make(path)
        try Self.make(path + "/shows")
        let file = path + "/lock"
        lock = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw .folderNotMade(path: path, reason: ShowLogFault.systemText()) }
        // The open file holds the lock: the kernel releases it when the process ends, however it ends.
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            let holder = try? String(contentsOfFile: file, encoding: .utf8)
            throw .folderInUse(
                path: path, process: holder.flatMap { Int32($0.trimmingCharacters(in: .whitespaces)) })
        }
        let process = Array("\(getpid())".utf8)
        _ = ftruncate(lock, 0)
        // Used only for the error sentence of a second server; missing if the disk is full.
        _ = pwrite(lock, process, process.count, 0)
    }

    deinit { close(lock) }

    /// Makes the folder of a new show.
    /// - Parameter began: `YYYY-MM-DD-HHMMSS`, as ``stamp(_:)`` writes it.
    public func makeShow(title: String, began: String) throws(ShowLogFault) -> String {
        let name = shows + "/" + began + "-" + Self.plain(title)
        for attempt in 1...99 {
            let folder = attempt == 1 ? name : name + "-\(attempt)"
            if mkdir(folder, 0o700) == 0 {
                ShowLogFileNames.sync(folder: shows)
                return folder
            }
            guard errno == EEXIST else {
                throw .folderNotMade(path: folder, reason: ShowLogFault.systemText())
            }
        }
        throw .folderNotMade(path: name, reason: "there are a hundred folders of this name")
    }

    /// The folders of all shows, newest first.
    public func allShows() throws(ShowLogFault) -> [String] {
        let names = try ShowLogFileNames.entries(of: shows).filter { $0.first?.isNumber == true }
        return names.sorted(by: Self.isNewer).map { shows + "/" + $0 }
    }

    /// The date with which names of shows begin, in the machine's time zone.
    public static func stamp(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970)
        var parts = tm()
        localtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))-"
            + two(parts.tm_hour) + two(parts.tm_min) + two(parts.tm_sec)
    }

    /// A title for a folder's name: letters and digits without accents, joined by hyphens.
    static func plain(_ title: String) -> String {
        var words: [String] = []
        var word = ""
        for scalar in title.decomposedStringWithCanonicalMapping.lowercased().unicodeScalars.prefix(400) {
            switch scalar {
            case "a"..."z", "0"..."9": word.unicodeScalars.append(scalar)
            // An accent on the letter before.
            case _ where scalar.properties.generalCategory == .nonspacingMark: continue
            default:
                if !word.isEmpty { words.append(word) }
                word = ""
            }
        }
        if !word.isEmpty { words.append(word) }
        let name = words.joined(separator: "-").prefix(60)
        return name.isEmpty ? "show" : String(name)
    }

    /// Shows that began in the same second are ordered by the number at the end: `-10` comes after `-9`.
    private static func isNewer(_ one: String, _ other: String) -> Bool {
        let (first, second) = (one.prefix(17), other.prefix(17))
        if first != second { return first > second }
        return (one.count, one) > (other.count, other)
    }

    /// Makes a folder with its missing parents, accessible only to the owner; an existing folder is used as it is.
    /// - Throws: ``ShowLogFault/folderNotMade(path:reason:)``, also if nothing can be written into it.
    public static func make(_ path: String) throws(ShowLogFault) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .folderNotMade(path: path, reason: reason(error))
        }
        guard access(path, W_OK | X_OK) == 0 else {
            throw .folderNotMade(path: path, reason: ShowLogFault.systemText())
        }
    }

    /// The operating system's text: Foundation's sentences say less.
    private static func reason(_ error: any Error) -> String {
        let cause =
            (error as? CocoaError)?.underlying ?? (error as NSError).userInfo[NSUnderlyingErrorKey]
            as? any Error
        let code =
            (cause as? POSIXError)?.code.rawValue ?? (cause.map { $0 as NSError }?.code).map(Int32.init)
        return code.map(ShowLogFault.text) ?? "it cannot be made there"
    }
}
