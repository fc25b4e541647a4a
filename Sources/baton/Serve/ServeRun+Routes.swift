import Hosting
import WebServer

/// The HTTP routes of all services, with the checks that apply to every service.
extension ServeRun {
    /// The routes of all services; docs/*-api.md document who may use which.
    ///
    /// While another server is active, requests that change data are refused, because replication would put the
    /// changes aside.
    static func routes(of services: [any HostedService], changedOnlyBy pair: (any OtherServer)?) -> [WebRoute]
    {
        services.flatMap { service in
            guard let pair, !service.guardsItsChanges else { return service.routes }
            return service.routes.map { $0.refusingChanges { refusal(of: pair) } }
        }
    }

    /// The response that refuses a change while another server is active; nil on the active server.
    private static func refusal(of pair: any OtherServer) -> WebResponse? {
        guard pair.role != .main else { return nil }
        return .refused(
            503, "not-reigning",
            "Another server is active, so a change made here would not be kept. Make the change there."
        ).with("Retry-After", "1")
    }

    /// Adds the checks of free disk space and of the upload limits to all routes that store data.
    static func intake(
        _ routes: [WebRoute], _ reserve: DiskReserve, _ quota: UploadQuota
    ) -> [WebRoute] {
        routes.map { route in
            let kinds = kinds(of: route)
            return route.admitting { person, bytes in
                if let refused = reserve.refusal(adding: bytes) { return refused }
                for kind in kinds {
                    if let refused = await quota.refusal(kind, by: person, adding: 1, bytes: bytes) {
                        return refused
                    }
                }
                return nil
            }
        }
    }

    /// The kinds of data that a route adds to. Edits of slides are checked where they are decoded, as an edit may
    /// also remove some.
    static func kinds(of route: WebRoute) -> [UploadQuota.Kind] {
        switch (route.method, route.path) {
        case (.put, "/api/edit/concerts/:concert/assets/:place/:name"): [.assets]
        case (.post, "/api/library/scores"), (.post, "/api/library/scores/:score/parts"): [.scores]
        case (.post, "/api/edit/concerts/:concert/import"), (.post, "/api/edit/concerts"),
            (.post, "/api/edit/concerts/:concert/recording"):
            [.slides]
        default: []
        }
    }
}
