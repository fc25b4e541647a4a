import ShowLog
import Synchronization

/// The place of the log of the present show; it is known before the show engine runs, and changes on a backup server.
package final class ShowLogPlace: Sendable {
    package typealias Place = (folder: String, origin: ShowOrigin)

    private let find: Mutex<@Sendable () -> Place>

    /// - Parameter origin: nil if the show begins in this folder.
    package init(_ folder: String, _ origin: ShowOrigin? = nil) {
        let origin = origin ?? ShowOrigin(folder: ServerDataFolder.name(ofShow: folder), started: "")
        find = Mutex({ (folder, origin) })
    }

    /// The path of the show's folder.
    package var folder: String { find.withLock { $0 }().folder }

    /// Where the show began: the same on both servers of a pair.
    package var origin: ShowOrigin { find.withLock { $0 }().origin }

    package func change(to find: @escaping @Sendable () -> Place) { self.find.withLock { $0 = find } }
}
