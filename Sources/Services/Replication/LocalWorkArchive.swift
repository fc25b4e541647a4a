import Catalogue
import Foundation
import Hosting
import ShowLog
import Synchronization

/// Keeps this server's own work in `DATA/kept-aside` before a copy of the other server's replaces it.
final class LocalWorkArchive: Sendable {
    private let dataFolder: String
    private let say: @Sendable (String) -> Void
    private let fileSentence = Mutex<String?>(nil)
    /// By database file, the number of the last of this server's own changes that was saved before a copy replaced
    /// them. A copy that fails and is tried again does not save them again, so the disk does not fill.
    private let savedChangeNumbers = Mutex<[String: Int64]>([:])

    /// - Parameter say: called with messages for people.
    init(dataFolder: String, say: @escaping @Sendable (String) -> Void) {
        (self.dataFolder, self.say) = (dataFolder, say)
    }

    /// The sentence that names the file saved last; nil if none was saved.
    var newestFileSentence: String? { fileSentence.withLock { $0 } }

    /// Saves a database, unless it was saved with the same changes already.
    /// - Parameter changeNumber: the number of this server's last own change in the database.
    func save(_ journal: RowChangeJournal, upTo changeNumber: Int64) async throws(ReplicationError) {
        guard savedChangeNumbers.withLock({ $0[journal.path] }) != changeNumber else { return }
        let sentence = try await Self.save(journal, in: dataFolder)
        fileSentence.withLock { $0 = sentence }
        savedChangeNumbers.withLock { $0[journal.path] = changeNumber }
        say(sentence + "\n")
    }

    /// The present time as a part of a folder's name.
    static func timestamp() -> String { ServerDataFolder.formatFolderTimestamp(Date()) }

    /// Saves a copy of a database before replication overwrites it. Saved files are never deleted.
    /// - Returns: a sentence for the operator that names the saved file.
    static func save(_ journal: RowChangeJournal, in dataFolder: String) async throws(ReplicationError)
        -> String
    {
        let folder =
            "\(dataFolder)/kept-aside/\(timestamp())-"
            + UUID().uuidString.prefix(4).lowercased()
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .cannotWriteFile(path: folder, reason: "the folder cannot be made")
        }
        let name = (journal.path as NSString).lastPathComponent
        do throws(CatalogueError) {
            try await journal.write(copyTo: folder + "/" + name)
            for each in [dataFolder + "/kept-aside", dataFolder] { try AssetStore.syncToDisk(each) }
        } catch {
            // An incomplete file is of no use, and each retry would add one more.
            try? FileManager.default.removeItem(atPath: folder)
            throw .storeFailed(error)
        }
        let sentence =
            "This server had work that the one with the show does not have. It was kept in \(folder)/\(name), and this "
            + "server now has the other's; to see the old work, start a server with that file in a data "
            + "folder of its own."
        try? Data((sentence + "\n").utf8).write(to: URL(fileURLWithPath: folder + "/README.txt"))
        return sentence
    }
}
