import Basics
import Foundation
import Platform

/// The file that keeps the list of jobs over a restart: `DATA/recordings/references.json`.
struct ReferenceJobFile: Sendable {
    /// The list could not be written; the file is as it was.
    struct Fault: Explained, Equatable {
        /// The system's reason.
        var reason: String

        var sentence: String {
            "The server could not write the list of this work to its disk (\(reason)), so nothing was changed. Check the "
                + "disk's space and the data folder, then try again."
        }
    }

    let path: String

    /// - Returns: an empty list if there is no file.
    func load() -> ReferenceJobList {
        FileManager.default.contents(atPath: path)
            .flatMap { try? JSONDecoder().decode(ReferenceJobList.self, from: $0) } ?? ReferenceJobList()
    }

    /// Replaces the file. When the call returns, the list is on the disk.
    func save(_ list: ReferenceJobList) throws(Fault) {
        do {
            try DurableFile.makeFolder((path as NSString).deletingLastPathComponent, isPrivate: true)
            try DurableFile.write(JSONEncoder().encode(list), to: path)
        } catch { throw Fault(reason: (error as? FileWriteError)?.reason ?? error.localizedDescription) }
    }
}
