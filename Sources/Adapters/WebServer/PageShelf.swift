import Foundation
import Synchronization

/// All pages, held in memory and found by exact name: no request ever becomes a path on the disk.
final class PageShelf: Sendable {
    static let mostBytes = 32 * 1_048_576

    private struct State {
        var pages: [String: Page]
        var read: ContinuousClock.Instant
    }

    private let folder: String
    /// The age after which the folder is read again, for work on the pages; nil never reads it again.
    private let rereadAfter: Duration?
    private let state: Mutex<State>

    /// - Parameter path: a folder of pages; nil uses the pages installed with the program.
    init(path: String?) throws(WebError) {
        folder = if let path { path } else { try Self.installed() }
        rereadAfter = path == nil ? nil : .milliseconds(500)
        state = Mutex(State(pages: try Self.read(folder), read: .now))
    }

    /// The page at a decoded path: `/console` is `console.html`, `/` is `index.html`.
    func page(_ path: String) -> Page? {
        let pages = current()
        let name = path.dropFirst()
        if name.isEmpty { return pages["index.html"] }
        if let page = pages[String(name)] { return page }
        return name.split(separator: "/").last?.contains(".") == true ? nil : pages[name + ".html"]
    }

    private func current() -> [String: Page] {
        guard let rereadAfter else { return state.withLock { $0.pages } }
        return state.withLock { state in
            if .now - state.read > rereadAfter {
                // A file may be missing while an editor saves it; the last complete state is served meanwhile.
                if let pages = try? Self.read(folder) { state.pages = pages }
                state.read = .now
            }
            return state.pages
        }
    }

    /// The folder next to the program, where the build and the installation put it.
    private static func installed() throws(WebError) -> String {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let beside = URL(filePath: program).deletingLastPathComponent().path
        let places = ["\(beside)/baton_WebServer.resources/Pages", "\(beside)/../share/baton/Pages"]
        for place in places where FileManager.default.fileExists(atPath: place) { return place }
        throw .pages(path: places[0], reason: "there is no such folder")
    }

    private static func read(_ folder: String) throws(WebError) -> [String: Page] {
        let root = URL(filePath: folder).resolvingSymlinksInPath().path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: root, isDirectory: &isFolder), isFolder.boolValue,
            let names = FileManager.default.enumerator(atPath: root)
        else { throw .pages(path: folder, reason: "there is no such folder") }
        var pages: [String: Page] = [:]
        var total = 0
        for case let name as String in names
        where !name.split(separator: "/").contains(where: { $0.first == "." }) {
            let path = root + "/" + name
            let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
            // A symbolic link may lead anywhere, so it is not served.
            guard type == .typeRegular else { continue }
            do {
                let bytes = try Data(contentsOf: URL(filePath: path))
                total += bytes.count
                guard total <= mostBytes else {
                    throw WebError.pages(path: folder, reason: "it is too large")
                }
                pages[name] = Page(name: name, body: Array(bytes))
            } catch let error as WebError {
                throw error
            } catch {
                throw .pages(path: path, reason: "it cannot be read")
            }
        }
        return pages
    }
}
