import Testing

@testable import baton
@testable import ContentStages
@testable import Editor
@testable import Hosting
@testable import TestHelpers
@testable import WebServer

/// Every route that fills the disk asks first.
@Suite(.ownThreads) struct ServeIntakeTests {
    private let editor = WebPerson(id: "1", name: "Ed", role: .editor)

    @Test func everyRouteThatBringsSomethingIsBoundedAndNoOtherRefused() async throws {
        let stage = try await ContentStage()
        let content = ContentEditRoutes(desk: stage.desk).routes
        let full = DiskReserve(folder: "/", room: { _ in (0, 1 << 30) })
        let quota = UploadQuota { _ in .init() }
        let routes = ServeRun.intake(content, full, quota)
        for route in routes {
            let refusal = await route.intake?(editor, 0)
            let brings = route.method == .post || route.method == .put
            #expect((refusal?.status == 507) == brings, "\(route.method) \(route.path)")
        }
        let uploads = routes.filter { !ServeRun.kinds(of: $0).isEmpty }.map(\.path)
        #expect(uploads.contains("/api/edit/concerts/:concert/assets/:place/:name"))
        #expect(uploads.contains("/api/edit/concerts/:concert/import"))
    }
}
