import Hummingbird
import RouterTesting
import Testing

@testable import TestHelpers
@testable import WebServer

@Suite(.ownThreads) struct MachinePathsTests {
    private func hidden(_ text: String) -> String {
        String(
            decoding: MachinePathRedaction.redactPaths(in: Array(text.utf8), roots: ["var", "home", "tmp"]),
            as: UTF8.self)
    }

    @Test(arguments: [
        (
            "There is no space left to write /var/lib/baton/catalogue.sqlite; free some.",
            "There is no space left to write catalogue.sqlite; free some."
        ),
        ("“/home/anna/Bühne 1” is damaged.", "“Bühne 1” is damaged."),
        ("/tmp/a/b.pdf.", "b.pdf."), ("(/tmp)", "(tmp)"),
    ])
    func aPathOfTheMachineIsItsLastPart(said: String, told: String) { #expect(hidden(said) == told) }

    @Test(arguments: [
        "/getPieces.php lists all pieces.", "see docs/var/x", "http://hall/var/x", "a/b", "3/4", "/",
        "…/…",
    ])
    func whatIsNoPathOfTheMachineStays(said: String) { #expect(hidden(said) == said) }

    @Test func noRefusalNamesAPathOfTheMachine() async throws {
        let path = "/tmp/baton/data/rooms.sqlite"
        let stage = try Stage(routes: [
            WebRoute(.get, "/api/broken", .anybody) { _ in .refused(503, "not-stored", "\(path) is locked.")
            },
            WebRoute(.get, "/api/whole", .anybody) { _ in .json(["link": path]) },
        ])
        try await stage.server.makeApplication().test { client in
            try await client.execute(uri: "/api/broken", method: .get) {
                #expect(String(buffer: $0.body).contains("rooms.sqlite is locked."))
                #expect(!String(buffer: $0.body).contains("/tmp"))
                #expect($0.headers[.contentLength] == String($0.body.readableBytes))
            }
            try await client.execute(uri: "/api/whole", method: .get) {
                #expect(String(buffer: $0.body).contains(path))
            }
        }
    }
}
