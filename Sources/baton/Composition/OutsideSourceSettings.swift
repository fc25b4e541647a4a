import Basics
import DiaryFiles
import Foundation
import Hosting
import protocol Diary.OutsideSource

/// The outside sources that people may ask from the diary. None is asked unless it is configured.
package struct OutsideSourceSettings: Sendable {
    /// The address of MusicBrainz or of a mirror; nil if it is not asked.
    package var musicBrainz: String?
    /// The file with the key for setlist.fm; nil if it is not asked.
    package var setlistFMKeyFile: String?
    package var setlistFMAddress = "https://api.setlist.fm"
    /// The file with the key for YouTube; nil if it is not asked.
    package var youTubeKeyFile: String?
    package var youTubeAddress = "https://www.googleapis.com"
    /// The mail address or web address of the house, by which the sources' operators reach it.
    package var contact: String?

    package init() {}

    private static let longestContact = 200

    /// Makes the sources.
    /// - Throws: ``ExplainedError`` naming the option that is wrong.
    package func makeSources(version: String) throws -> [any OutsideSource] {
        var sources: [any OutsideSource] = []
        guard musicBrainz != nil || setlistFMKeyFile != nil || youTubeKeyFile != nil else { return sources }
        let contact = try checkedContact()
        if let musicBrainz {
            let server = try Self.checkedAddress(
                musicBrainz, of: "--musicbrainz", example: "https://musicbrainz.org")
            sources.append(MusicBrainz(server: server, version: version, contact: contact))
        }
        if let setlistFMKeyFile {
            let server = try Self.checkedAddress(
                setlistFMAddress, of: "--setlistfm", example: "https://api.setlist.fm")
            let key = try Self.key(in: setlistFMKeyFile, of: "--setlistfm-key-file")
            sources.append(SetlistFM(server: server, key: key, version: version, contact: contact))
        }
        if let youTubeKeyFile {
            let server = try Self.checkedAddress(
                youTubeAddress, of: "--youtube", example: "https://www.googleapis.com")
            let key = try Self.key(in: youTubeKeyFile, of: "--youtube-key-file")
            sources.append(YouTube(server: server, key: key, version: version, contact: contact))
        }
        return sources
    }

    private static func key(in file: String, of option: String) throws -> SourceKey {
        do throws(SourceKey.Fault) { return try SourceKey(file: file) } catch {
            let what =
                error == .unreadable
                ? "cannot be read" : "has no key: one line of letters, digits and hyphens is expected"
            throw ExplainedError("\(option): \(file) \(what).")
        }
    }

    private func checkedContact() throws -> String {
        guard let contact, (3...Self.longestContact).contains(contact.utf8.count),
            contact.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x28 && $0 != 0x29 })
        else {
            throw ExplainedError(
                "--musicbrainz, --setlistfm-key-file and --youtube-key-file need --contact with a mail address or "
                    + "web address of the house, such as music@example.org: the sources' operators want to know "
                    + "who asks.")
        }
        return contact
    }

    /// An address without a path, by https; by http on this machine only.
    private static func checkedAddress(
        _ text: String, of option: String, example: String
    ) throws -> String {
        let loopback: Set<String> = ["127.0.0.1", "localhost", "::1", "[::1]"]
        guard let address = URLComponents(string: text), let host = address.host, !host.isEmpty,
            address.path.isEmpty || address.path == "/", address.query == nil, address.fragment == nil,
            address.user == nil,
            address.scheme == "https" || address.scheme == "http" && loopback.contains(host)
        else {
            throw ExplainedError(
                "\(option) \(text) is no address of a source; write it as \(example), with https.")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
