import Hosting
import WebServer

/// Addresses of all services, and what people may change and bring by them.
extension ServeRun {
    /// Every address of the services. Their documents (docs/*-api.md) say who may use which.
    ///
    /// On a server that is not active, changes are refused: they would only be put aside.
    static func routes(of services: [any HostedService], changedOnlyBy pair: (any OtherServer)?) -> [WebRoute]
    {
        services.flatMap { service in
            guard let pair, !service.guardsItsChanges else { return service.routes }
            return service.routes.map { $0.refusingChanges { refusal(of: pair) } }
        }
    }

    /// The answer of a server that is not active to a change of its content; nil on the active one.
    private static func refusal(of pair: any OtherServer) -> WebResponse? {
        guard pair.role != .main else { return nil }
        return .refused(
            503, "not-reigning",
            "Another server has the show; what you change here would not be kept. Make the change there."
        ).with("Retry-After", "1")
    }

    /// Routes by which content, scores and rooms grow are refused below the disk's reserve. The services bound them
    /// by the roles' quotas.
    static func intake(_ routes: [WebRoute], _ reserve: DiskReserve) -> [WebRoute] {
        routes.map { route in route.admitting { _, bytes in reserve.refusal(adding: bytes) } }
    }
}
