import Glibc
import WebServer

/// Reserves disk space in the data folder for the show log: uploads and edits are refused once only the reserve is
/// left.
package struct DiskReserve: Sendable {
    /// The largest reserve, in bytes. A show log takes about 10 MB an evening. The rest of the reserve is for growing
    /// databases, and for administrators who free space.
    package static let largestReserveBytes = 512 << 20
    /// On a small disk the reserve is the disk's size divided by this number.
    package static let reserveDivisor = 10

    package let folder: String
    /// Reads the free bytes and the size of a folder's disk, in bytes; nil if the system does not report them.
    package var readDiskSpace: @Sendable (String) -> (free: Int, whole: Int)? = DiskReserve.diskSpace

    package init(
        folder: String,
        readDiskSpace: @escaping @Sendable (String) -> (free: Int, whole: Int)? = DiskReserve.diskSpace
    ) {
        self.folder = folder
        self.readDiskSpace = readDiskSpace
    }

    /// Checks whether a write would eat into the show log's reserve.
    /// - Parameter bytes: the size of the intended write.
    /// - Returns: the response that refuses the write; nil if there is enough space.
    package func refusal(adding bytes: Int) -> WebResponse? {
        guard let room = readDiskSpace(folder) else { return nil }
        let reserve = min(Self.largestReserveBytes, room.whole / Self.reserveDivisor)
        guard room.free - bytes < reserve else { return nil }
        return WebResponse.refused(
            507, "disk-full",
            "The server's disk has \(max(0, room.free) >> 20) MB left, and the last \(reserve >> 20) MB are "
                + "kept for the show; nothing was saved. Free some space, then try again."
        ).withHeader("Retry-After", "5")
    }

    /// False if only the show log's reserve is left.
    package var hasRoom: Bool { freeBytes(above: 1).map { $0 >= 0 } ?? true }

    /// Returns the bytes that can be written before only a number of reserves is left; negative if less is left
    /// already; nil if the system does not report the space.
    package func freeBytes(above count: Int) -> Int? {
        readDiskSpace(folder).map { room in
            room.free - count * min(Self.largestReserveBytes, room.whole / Self.reserveDivisor)
        }
    }

    /// Returns the bytes that can still be written on a folder's disk, and the size of the whole disk; nil if the
    /// system does not report them.
    package static func diskSpace(_ folder: String) -> (free: Int, whole: Int)? {
        var room = statvfs()
        guard statvfs(folder, &room) == 0 else { return nil }
        return (Int(room.f_bavail) * Int(room.f_frsize), Int(room.f_blocks) * Int(room.f_frsize))
    }
}
