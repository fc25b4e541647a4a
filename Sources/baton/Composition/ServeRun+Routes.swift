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

    /// Routes by which content, scores and rooms grow: refused below the disk's reserve, and above a role's quota.
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

    /// What a route brings more of. Edits of slides are looked at where they are read: an edit may remove some.
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
