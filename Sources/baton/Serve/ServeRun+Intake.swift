import Hosting
import WebServer

/// What people may fill the server's disk with.
extension ServeRun {
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
