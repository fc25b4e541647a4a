import Glibc
import WebServer

/// Space on the data folder's disk that only the show log may use: nothing that people send is written into it.
package struct DiskReserve: Sendable {
    /// A show log takes some 10 MB an evening; the rest is for databases that grow, and for whoever has to tidy up.
    package static let mostBytes = 512 << 20
    /// On a small disk this part of it.
    package static let part = 10

    package let folder: String
    /// See ``room(_:)``; tests replace it.
    package var room: @Sendable (String) -> (free: Int, whole: Int)? = DiskReserve.room

    package init(
        folder: String, room: @escaping @Sendable (String) -> (free: Int, whole: Int)? = DiskReserve.room
    ) {
        self.folder = folder
        self.room = room
    }

    /// - Parameter bytes: what would be written.
    /// - Returns: nil where there is room.
    package func refusal(adding bytes: Int) -> WebResponse? {
        guard let room = room(folder) else { return nil }
        let reserve = min(Self.mostBytes, room.whole / Self.part)
        guard room.free - bytes < reserve else { return nil }
        return WebResponse.refused(
            507, "disk-full",
            "The server's disk has \(max(0, room.free) >> 20) MB left, and the last \(reserve >> 20) MB "
                + "are kept for the "
                + "show; this was not taken. Free some space on it, then try again."
        ).with("Retry-After", "5")
    }

    /// Bytes that can still be written on a folder's disk, and bytes of the whole disk; nil if the system does not say.
    package static func room(_ folder: String) -> (free: Int, whole: Int)? {
        var room = statvfs()
        guard statvfs(folder, &room) == 0 else { return nil }
        return (Int(room.f_bavail) * Int(room.f_frsize), Int(room.f_blocks) * Int(room.f_frsize))
    }
}
