import Basics
import Foundation
import Synchronization

/// All files for browsers, held in memory and found by their exact names. A request's path never becomes a path on the
/// disk.
final class PageStore: Sendable {
    static let mostTotalBytes = 32 * 1_048_576

    private struct State {
        var pages: [String: WebPageFile]
        var lastRead: ContinuousClock.Instant
    }

    private let folders: [String]
    /// The age after which the folders are read again, so that edited pages appear without a restart. Nil means that
    /// they are never read again.
    private let rereadAfter: Duration?
    private let state: Mutex<State>

    /// - Parameter path: a folder with all pages; nil uses the pages installed with the program.
    convenience init(path: String?) throws(ExplainedError) {
        if let path {
            try self.init(folders: [path], rereadAfter: .milliseconds(500))
        } else {
            let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
            let programFolder = URL(filePath: program).deletingLastPathComponent().path
            try self.init(folders: try Self.findInstalledPageFolders(beside: programFolder))
        }
    }

    /// Joins the pages of several folders. It is an error if two folders contain a page of the same name.
    init(folders: [String], rereadAfter: Duration? = nil) throws(ExplainedError) {
        self.folders = folders
        self.rereadAfter = rereadAfter
        state = Mutex(State(pages: try Self.readPages(folders), lastRead: .now))
    }

    /// The page at a decoded path. For example, `/console` finds `console.html`, `/` finds `index.html`, and
    /// `/screen/hall` finds `screen.html`.
    func findPage(_ path: String) -> WebPageFile? {
        let pages = currentPages()
        let name = path.dropFirst()
        if name.isEmpty { return pages["index.html"] }
        if let page = pages[PageRules.filesByName[String(name)] ?? String(name)] { return page }
        let parts = name.split(separator: "/")
        guard parts.last?.contains(".") != true else { return nil }
        if parts.count == 2, PageRules.pagesWithNames.contains(String(parts[0])) {
            return pages[parts[0] + ".html"]
        }
        return pages[name + ".html"]
    }

    private func currentPages() -> [String: WebPageFile] {
        guard let rereadAfter else { return state.withLock { $0.pages } }
        return state.withLock { state in
            if .now - state.lastRead > rereadAfter {
                // A file may be missing while an editor saves it; the last complete state is served meanwhile.
                if let pages = try? Self.readPages(folders) { state.pages = pages }
                state.lastRead = .now
            }
            return state.pages
        }
    }

    /// The folders of the installed pages, next to the program: one folder for each module, as the build makes them, or
    /// one folder for all modules in an installation.
    static func findInstalledPageFolders(beside programFolder: String) throws(ExplainedError) -> [String] {
        let files = FileManager.default
        let bundles = ((try? files.contentsOfDirectory(atPath: programFolder)) ?? [])
            .filter { $0.hasPrefix("baton_") && $0.hasSuffix(".resources") }
            .map { "\(programFolder)/\($0)/Pages" }
            .filter { files.fileExists(atPath: $0) }
        if !bundles.isEmpty { return bundles.sorted() }
        let joined = "\(programFolder)/../share/baton/Pages"
        if files.fileExists(atPath: joined) { return [joined] }
        throw WebError.unreadablePages(
            path: "\(programFolder)/baton_*.resources/Pages", reason: "there is no such folder")
    }

    private static func readPages(_ folders: [String]) throws(ExplainedError) -> [String: WebPageFile] {
        var pages: [String: WebPageFile] = [:]
        var origins: [String: String] = [:]
        var total = 0
        for folder in folders {
            for (name, path) in try listServableFiles(in: folder) {
                if let other = origins.updateValue(folder, forKey: name) {
                    throw ExplainedError(
                        "The page \(name) lies in \(([other, folder]).joined(separator: " and in ")); "
                            + "delete the folders baton_*.resources beside the program and install it again.")
                }
                guard let bytes = try? Data(contentsOf: URL(filePath: path)) else {
                    throw WebError.unreadablePages(path: path, reason: "it cannot be read")
                }
                total += bytes.count
                guard total <= mostTotalBytes else {
                    throw WebError.unreadablePages(
                        path: folder, reason: "all pages together are larger than \(mostTotalBytes) bytes")
                }
                pages[name] = WebPageFile(name: name, body: Array(bytes))
            }
        }
        return pages
    }

    /// The files of a folder that may be served, each with its name relative to the folder and its path on the disk.
    private static func listServableFiles(in folder: String) throws(ExplainedError) -> [(
        name: String, path: String
    )] {
        let root = URL(filePath: folder).resolvingSymlinksInPath().path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: root, isDirectory: &isFolder), isFolder.boolValue,
            let names = FileManager.default.enumerator(atPath: root)
        else { throw WebError.unreadablePages(path: folder, reason: "there is no such folder") }
        var found: [(name: String, path: String)] = []
        for case let name as String in names
        where !name.split(separator: "/").contains(where: { $0.first == "." }) {
            let path = root + "/" + name
            // A symbolic link may lead anywhere, so it is not served. FileManager's own attributes are not used,
            // because they look up the name of each file's owner, which takes most of the time of a start.
            var status = stat()
            if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG { found.append((name, path)) }
        }
        return found
    }
}
