import Foundation
import Hummingbird
import Logging
import NIOCore
import Rehearsal
import RouterTesting
import ScorePages
import Testing

@testable import Catalogue
@testable import Hosting
@testable import ScoreLibrary
@testable import WebServer

let hasPoppler = ExternalPageTools.findTools().pdfinfo != nil && ExternalPageTools.findTools().pdftoppm != nil

/// A library in a folder of its own behind a web server; librarians sign in as `ed`, everybody else by the id of an
/// account.
final class LibraryStage: Sendable {
    let folder: String
    let catalogue: CatalogueStore
    let library: Library
    let server: WebServer

    init(recordings: String? = nil, programme: [FollowablePiece] = []) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "library-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder + "/pages", withIntermediateDirectories: true)
        for page in ["index", "library", "console", "login"] {
            try Data("<!doctype html>\(page)".utf8).write(
                to: URL(fileURLWithPath: folder + "/pages/\(page).html"))
        }
        catalogue = try CatalogueStore(path: folder + "/catalogue.sqlite")
        library = try await Library.open(
            catalogue: catalogue, data: folder, recordings: recordings, programme: programme
        ) { _ in }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        server = try WebServer(
            settings: WebSettings(port: 0, pagesPath: folder + "/pages"), accounts: ByToken(),
            routes: library.routes(within: nil), logger: logger)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func ask(
        _ path: String, _ method: HTTPRequest.Method = .get, as name: String? = "ed", body: [UInt8]? = nil,
        _ fields: [String: String] = [:]
    ) async throws -> TestResponse {
        var headers = HTTPFields()
        if let name { headers[.cookie] = "baton_session=\(name)" }
        if method != .get { headers[.init("X-Baton")!] = "1" }
        for (name, value) in fields { headers[.init(name)!] = value }
        let sent = headers
        return try await server.makeApplication().test { client in
            try await client.execute(
                uri: path, method: method, headers: sent, body: body.map { ByteBuffer(bytes: $0) }
            ) { $0 }
        }
    }

    func json(_ path: String, _ method: HTTPRequest.Method, _ text: String) async throws -> TestResponse {
        try await ask(path, method, body: Array(text.utf8))
    }

    /// A file among the arrivals, as an upload leaves it.
    func arrived(_ bytes: [UInt8]) throws -> String {
        let path = library.assetStore.uploadFolder + "/\(UUID().uuidString)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    func musician(_ name: String) async throws -> String {
        try await catalogue.addAccount(named: name, role: .musician, passwordHash: "h").id.rawValue
    }
}

struct RefusedAnswer: Decodable {
    var error: String
    var code: String
    var sentences: [String]?

    init(_ response: TestResponse) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(buffer: response.body))
    }
}

/// A PDF whose pages say their numbers; damaged, locked or huge ones are made of it.
func smallPDF(pages count: Int, width: Int = 595, encryption: String = "") -> [UInt8] {
    let kids = (0..<count).map { "\(4 + 2 * $0) 0 R" }.joined(separator: " ")
    var objects = [
        "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Count \(count) /Kids [\(kids)] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for page in 0..<count {
        let words = "BT /F 200 Tf 100 300 Td (\(page + 1)) Tj ET"
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(width) 842] /Contents \(5 + 2 * page) 0 R "
                + "/Resources << /Font << /F 3 0 R >> >> >>")
        objects.append("<< /Length \(words.utf8.count) >>\nstream\n\(words)\nendstream")
    }
    var text = "%PDF-1.4\n"
    var places: [Int] = []
    for (index, object) in objects.enumerated() {
        places.append(text.utf8.count)
        text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let table = text.utf8.count
    text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
    for place in places {
        text += String(repeating: "0", count: 10 - "\(place)".count) + "\(place) 00000 n \n"
    }
    text +=
        "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R \(encryption) >>\nstartxref\n\(table)\n%%EOF\n"
    return Array(text.utf8)
}

private struct ByToken: Accounts {
    func signIn(name: String, password: String, inUse: Set<String>, first: Bool) async -> SignInOutcome {
        .wrongCredentials
    }

    func findPerson(token: String) async -> WebPerson? {
        token == "ed"
            ? WebPerson(id: "0c9d3e30-8a11-4f61-9e0c-2f6a6f1d6b01", name: "ed", role: .editor)
            : WebPerson(id: token, name: "somebody", role: .musician)
    }

    func signOut(token: String) async {}

    func changePassword(
        of person: WebPerson, from old: String, to new: String, keeping token: String?
    ) async -> PasswordChangeOutcome { .wrongPassword }
}
