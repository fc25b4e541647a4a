import Hosting
import WebServer

/// The HTTP routes of all services, with the checks that apply to every service.
extension ConcertServer {
    /// Returns the routes of all services; docs/*-api.md document who may use which.
    ///
    /// While another server is active, requests that change data are refused, because replication would put the changes
    /// aside.
    static func routesRefusingChangesUnlessActive(
        of services: [any HostedService], changedOnlyBy pair: (any PairedServer)?
    )
        -> [WebRoute]
    {
        services.flatMap { service in
            guard let pair, !service.refusesChangesWhileInactive else { return service.routes }
            return service.routes.map { $0.refusingChanges { refusalUnlessActive(of: pair) } }
        }
    }

    /// Returns the response that refuses a change while another server is active; nil on the active server.
    private static func refusalUnlessActive(of pair: any PairedServer) -> WebResponse? {
        guard pair.role != .main else { return nil }
        return .refused(
            503, "not-reigning",
            "Another server is active, so a change made here would not be kept. Make the change there."
        ).withHeader("Retry-After", "1")
    }

    /// Adds a check of the free disk space to all routes that store data. The services themselves apply the upload
    /// limits of the roles.
    static func routesCheckingDiskSpace(_ routes: [WebRoute], _ reserve: DiskReserve) -> [WebRoute] {
        routes.map { route in
            guard route.needsDiskSpace else { return route }
            return route.addingWriteCheck { _, bytes in reserve.refusal(adding: bytes) }
        }
    }
}
