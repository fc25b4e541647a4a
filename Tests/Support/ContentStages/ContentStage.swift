import Foundation
import Hummingbird
import Logging
import NIOCore
import Repository
import RouterTesting
import Synchronization
import Testing

@testable import Audience
@testable import Catalogue
@testable import Content
@testable import Editor
@testable import Hosting
@testable import WebServer

/// A server with content in a folder of its own, without a show: editors sign in as `ed` or `flo`.
final class ContentStage: Sendable {
    static let recordings = Repository.recordings.path
    static let folders = Repository.concert

    let folder: String
    let desk: ConcertEditor
    let server: WebServer

    /// - Parameter isFilled: with the repository's own concert.
    init(isFilled: Bool = true, isShowLocked: @escaping @Sendable () -> Bool = { false }) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "content-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder + "/pages", withIntermediateDirectories: true)
        try Data("<!doctype html>".utf8).write(to: URL(fileURLWithPath: folder + "/pages/index.html"))
        desk = try ConcertEditor(
            catalogue: try CatalogueStore(path: folder + "/catalogue.sqlite"), data: folder,
            recordings: Self.recordings, isShowLocked: isShowLocked)
        if isFilled {
            let files = ContentFiles(
                recordings: Self.recordings, folders: Self.folders, title: "A concert")
            _ = try await files.makeConcert(in: desk, author: "test", label: "made", servesFirst: true)
            try await desk.publishNewerRevision()
        }
        var settings = WebSettings(port: 0, pagesPath: folder + "/pages")
        settings.timeouts.wrongPasswordDelay = .zero
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        server = try WebServer(
            settings: settings, accounts: TwoEditors(),
            routes: AudienceService.makeRoutes(desk.publisher)
                + ContentEditRoutes(concertEditor: desk).routes, logger: logger)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Asks as a browser would.
    /// - Parameter name: the signed-in user; nil for a listener.
    func ask(
        _ path: String, _ method: HTTPRequest.Method = .get, as name: String? = nil, body: [UInt8]? = nil,
        _ fields: [String: String] = [:]
    ) async throws -> TestResponse {
        var headers = HTTPFields()
        if let name { headers[.cookie] = "baton_session=\(name)" }
        if method != .get && method != .head { headers[.init("X-Baton")!] = "1" }
        for (name, value) in fields { headers[.init(name)!] = value }
        let sent = headers
        return try await server.makeApplication().test { client in
            try await client.execute(
                uri: path, method: method, headers: sent, body: body.map { ByteBuffer(bytes: $0) }
            ) { $0 }
        }
    }

    /// The answer to a listener's request with further header fields.
    func ask(_ path: String, _ fields: [String: String]) async throws -> TestResponse {
        try await ask(path, .get, fields)
    }

    func text(_ path: String, as name: String? = nil) async throws -> String {
        String(buffer: try await ask(path, as: name).body)
    }

    /// An edit of the served concert.
    func edit(_ json: String, as name: String = "ed", concert: Int64 = 1) async throws -> TestResponse {
        try await ask("/api/edit/concerts/\(concert)/edits", .post, as: name, body: Array(json.utf8))
    }

    /// The first node of a kind in the served concert.
    func first(_ kind: ConcertNodeKind) throws -> ConcertNodeID {
        let tree = try #require(desk.servedConcert).catalogueConcert.contentTree
        func find(_ id: ConcertNodeID) -> ConcertNodeID? {
            if let found = tree.children(of: id, kind: kind).first { return found.id }
            for between in [ConcertNodeKind.piece, .track] {
                for node in tree.children(of: id, kind: between) {
                    if let found = find(node.id) { return found }
                }
            }
            return nil
        }
        return try #require(find(.root))
    }
}

/// The token is the name.
private struct TwoEditors: Accounts {
    func signIn(name: String, password: String, inUse: Set<String>, first: Bool) async -> SignInOutcome {
        .wrongCredentials
    }

    func findPerson(token: String) async -> WebPerson? {
        switch token {
        case "ed", "flo": WebPerson(id: token, name: token, role: .editor)
        case "ines": WebPerson(id: token, name: token, role: .technician)
        default: nil
        }
    }

    func signOut(token: String) async {}

    func changePassword(
        of person: WebPerson, from old: String, to new: String, keeping token: String?
    ) async -> PasswordChangeOutcome { .wrongPassword }
}
