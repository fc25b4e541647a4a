import Foundation

/// The data folder of a server: its lock, and the folders of its shows.
///
/// The files are `DATA/lock` and `DATA/shows/YYYY-MM-DD-HHMMSS-title/log-0001.jsonl` and so on; ``ShowFolderOrder`` says
/// which show is the newest. Only the owner has
/// access to the folders (0700) and files (0600). While this object exists, no other server can use the same data
/// folder.
public final class ServerDataFolder: Sendable {
    public let path: String
    private let lockFileDescriptor: Int32

    public var showsFolderPath: String { path + "/shows" }

    /// Makes missing folders and locks the data folder for this process.
    /// - Throws: ``ShowLogFault/folderInUse(path:process:)`` if another server has locked it, or
    ///   ``ShowLogFault/folderNotMade(path:reason:)``.
    public init(path: String) throws(ShowLogFault) {
        self.path = path
        try Self.makeFolder(path)
        try Self.makeFolder(path + "/shows")
        let file = path + "/lock"
        lockFileDescriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lockFileDescriptor >= 0 else {
            throw .folderNotMade(path: path, reason: ShowLogFault.lastSystemErrorText())
        }
        // The open file holds the lock. The kernel releases it when the process ends, even by a crash.
        guard flock(lockFileDescriptor, LOCK_EX | LOCK_NB) == 0 else {
            let holder = try? String(contentsOfFile: file, encoding: .utf8)
            throw .folderInUse(
                path: path, process: holder.flatMap { Int32($0.trimmingCharacters(in: .whitespaces)) })
        }
        let process = Array("\(getpid())".utf8)
        _ = ftruncate(lockFileDescriptor, 0)
        // The process id is used only in the error message of a second server; it is missing if the disk is full.
        _ = pwrite(lockFileDescriptor, process, process.count, 0)
    }

    deinit {
        // A child process that is just being started has a copy of the descriptor until it runs its own program.
        // Closing alone would leave the lock with that copy.
        _ = flock(lockFileDescriptor, LOCK_UN)
        close(lockFileDescriptor)
    }

    /// Makes the folder of a new show, which is newer than all that are there, and returns its path.
    /// - Parameter began: the date and time of its beginning, `YYYY-MM-DD-HHMMSS`; see ``formatFolderTimestamp(_:)``.
    public func makeShowFolder(title: String, began: String) throws(ShowLogFault) -> String {
        let number =
            (try listShowFolders().lazy.compactMap { ShowFolderOrder(ofShow: $0).number }.first ?? 0) + 1
        let name = showsFolderPath + "/" + began + "-" + Self.slug(title)
        for attempt in 1...99 {
            let folder = attempt == 1 ? name : name + "-\(attempt)"
            if mkdir(folder, 0o700) == 0 {
                try ShowFolderOrder.writeNumber(number, ofShow: folder)
                ShowLogFileNames.flushToDisk(folder: showsFolderPath)
                return folder
            }
            guard errno == EEXIST else {
                throw .folderNotMade(path: folder, reason: ShowLogFault.lastSystemErrorText())
            }
        }
        throw .folderNotMade(path: name, reason: "there are a hundred folders of this name")
    }

    /// The name of a show's folder, without those that contain it.
    public static func name(ofShow path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// The paths of the folders of all shows, newest first, whatever their names say about the time.
    public func listShowFolders() throws(ShowLogFault) -> [String] {
        try Self.listShowFolders(in: showsFolderPath)
    }

    /// The paths of the folders of all shows in `DATA/shows`, newest first.
    /// - Complexity: reads the entries of each folder, and of shows of earlier versions the first line of the log.
    public static func listShowFolders(in showsFolder: String) throws(ShowLogFault) -> [String] {
        try ShowLogFileNames.listEntries(of: showsFolder).filter { $0.first?.isNumber == true }
            .map { showsFolder + "/" + $0 }
            .map { (path: $0, order: ShowFolderOrder(ofShow: $0)) }
            .sorted { $0.order > $1.order }.map { $0.path }
    }

    /// Formats a date as `YYYY-MM-DD-HHMMSS` in the machine's time zone. The name of a show's folder begins with it.
    public static func formatFolderTimestamp(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970)
        var parts = tm()
        localtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))-"
            + two(parts.tm_hour) + two(parts.tm_min) + two(parts.tm_sec)
    }

    /// Converts a title to a part of a folder name: lower-case letters without accents and digits, joined by hyphens,
    /// at most 60 characters.
    static func slug(_ title: String) -> String {
        var words: [String] = []
        var word = ""
        for scalar in title.decomposedStringWithCanonicalMapping.lowercased().unicodeScalars.prefix(400) {
            switch scalar {
            case "a"..."z", "0"..."9": word.unicodeScalars.append(scalar)
            // The scalar is an accent on the previous letter.
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

    /// Makes a folder and its missing parents, accessible only to the owner. An existing folder keeps its permissions.
    /// - Throws: ``ShowLogFault/folderNotMade(path:reason:)``, also if the folder is not writable.
    public static func makeFolder(_ path: String) throws(ShowLogFault) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .folderNotMade(path: path, reason: describeFailure(error))
        }
        guard access(path, W_OK | X_OK) == 0 else {
            throw .folderNotMade(path: path, reason: ShowLogFault.lastSystemErrorText())
        }
    }

    /// The operating system's reason for a failure, because Foundation's error texts are less specific.
    private static func describeFailure(_ error: any Error) -> String {
        let cause =
            (error as? CocoaError)?.underlying ?? (error as NSError).userInfo[NSUnderlyingErrorKey]
            as? any Error
        let code =
            (cause as? POSIXError)?.code.rawValue ?? (cause.map { $0 as NSError }?.code).map(Int32.init)
        return code.map(ShowLogFault.describeErrno) ?? "it cannot be made there"
    }
}
