import ArgumentParser
import BackupLink
import Basics
import Hosting
import Performance

/// Options for a pair of main and backup server.
struct ServerPairOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Run as the main server, and listen here for a backup.", valueName: "address:port"))
    var link: String?

    @Option(
        help: ArgumentHelp(
            "Run as the backup of the main server that listens there.", valueName: "address:port"))
    var backupOf: String?

    @Option(
        help: ArgumentHelp("The secret both servers share: a file of 32 bytes or more.", valueName: "file"),
        completion: .file())
    var linkKey: String?

    func validate() throws {
        if link != nil, backupOf != nil {
            throw ValidationError("A server is the main one (--link) or the backup (--backup-of), not both.")
        }
        if link != nil || backupOf != nil, linkKey == nil {
            throw ValidationError("--link and --backup-of need --link-key, a file that both servers have.")
        }
    }

    /// The role in the pair; nil for a single server.
    var pairSetup: FailoverCoordinator.Setup? {
        get throws {
            if let link {
                let (address, port) = try Self.parseEndpoint(link, of: "--link")
                return .main(address: address, port: port)
            }
            if let backupOf {
                let (address, port) = try Self.parseEndpoint(backupOf, of: "--backup-of")
                return .backup(of: address, port: port)
            }
            return nil
        }
    }

    func readLinkKey() throws -> BackupLinkKey {
        return try BackupLinkKey(file: linkKey ?? "")
    }

    private static func parseEndpoint(_ text: String, of option: String) throws -> (
        String, Int
    ) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            (1...65_535).contains(port), colon > text.startIndex
        else {
            throw ExplainedError(
                "\(option) is ADDRESS:PORT, such as 192.168.1.10:8090, not “\(text)”.")
        }
        return (String(text[..<colon]), port)
    }
}
