import Testing

@testable import Composition
@testable import ContentStages
@testable import LibraryStages
@testable import Editor
@testable import Hosting
@testable import TestHelpers
@testable import WebServer

/// Every route that fills the disk asks first.
@Suite(.ownThreads) struct ServeIntakeTests {
    private let editor = WebPerson(id: "1", name: "Ed", role: .editor)

    @Test func everyRouteThatBringsSomethingIsBoundedAndNoOtherRefused() async throws {
        let stage = try await ContentStage()
        let content = ContentEditRoutes(concertEditor: stage.desk).routes
        let full = DiskReserve(folder: "/", readDiskSpace: { _ in (0, 1 << 30) })
        let routes = ConcertServer.routesCheckingDiskSpace(content, full)
        for route in routes {
            let refusal = await route.writeCheck?(editor, 0)
            let brings = route.method == .post || route.method == .put
            #expect((refusal?.status == 507) == brings, "\(route.method) \(route.path)")
        }
    }

    /// A route that should be bounded and is not is missing here.
    @Test func routesThatBringOneMoreThingStopAtTheirOwnQuota() async throws {
        let (content, library) = (try await ContentStage(), try await LibraryStage())
        for kind in UploadQuota.UploadKind.allCases {
            let quota = UploadQuota { $0 == kind ? UploadQuota.limit(kind, for: .editor) : .init() }
            let routes =
                ContentEditRoutes(concertEditor: content.desk, uploadQuota: quota).routes
                + library.library.routes(within: quota)
            var bounded: Set<String> = []
            for route in routes where await route.admission?(editor, 0).refusal?.status == 507 {
                bounded.insert("\(route.method.rawValue) \(route.path)")
            }
            let expected: Set<String> =
                switch kind {
                case .assets: ["PUT /api/edit/concerts/:concert/assets/:place/:name"]
                case .scores: ["POST /api/library/scores", "POST /api/library/scores/:score/parts"]
                case .slides:
                    [
                        "POST /api/edit/concerts", "POST /api/edit/concerts/:concert/import",
                        "POST /api/edit/concerts/:concert/recording",
                    ]
                }
            #expect(bounded == expected)
        }
    }
}
