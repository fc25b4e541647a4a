import Catalogue
import ServiceLifecycle
import WebServer

/// A service of the running server, such as the audience, the editor or the stands.
///
/// The server consists of a list of services. A service declares its routes, outputs, faults and data here, and no
/// other part of the program refers to it. docs/architecture.md shows how to add and remove a service.
package protocol HostedService: Service {
    /// The HTTP routes that the service answers.
    var routes: [WebRoute] { get }
    /// Receivers of the show's effects, called on the show engine's thread. They must not block.
    var showOutputs: [any ShowOutput] { get }
    /// Faults that the service watches for during the show.
    var watchedFaults: [WatchedFault] { get }
    /// The service's items of the pre-show check.
    var preShowCheckItems: [PreShowCheckItem] { get }
    /// The service's data that the backup server replicates.
    var replicatedStores: [ReplicatedStore] { get }
    /// The service's folders whose files the backup server copies.
    var replicatedFolders: [ReplicatedFolder] { get }
    /// True if the service itself refuses changes while another server is active. If false, the server refuses such
    /// changes before they reach the service.
    var refusesChangesWhileInactive: Bool { get }
    /// Runs the service until the server shuts down.
    func run() async throws
}

extension HostedService {
    package var routes: [WebRoute] { [] }
    package var showOutputs: [any ShowOutput] { [] }
    package var watchedFaults: [WatchedFault] { [] }
    package var preShowCheckItems: [PreShowCheckItem] { [] }
    package var replicatedStores: [ReplicatedStore] { [] }
    package var replicatedFolders: [ReplicatedFolder] { [] }
    package var refusesChangesWhileInactive: Bool { false }

    package func run() async throws { try await gracefulShutdown() }
}

/// A service's data that the main and the backup server share: database tables, and files identified by their digests.
package struct ReplicatedStore: Sendable {
    package enum Database: String, Sendable, CaseIterable { case catalogue, rooms, diary }

    package var database: Database
    /// A set of files and the name by which both servers know it; nil if the service has no files.
    package var sharedAssetStore: (name: String, shelf: AssetStore)?
    /// Called after replication with the names of the changed tables, so that the service reloads its cached data
    /// from these tables.
    package var reloadCaches: @Sendable (_ tables: Set<String>) async -> Void
    /// Called each time this server becomes the active one.
    package var onBecomingActive: @Sendable () async -> Void

    package init(
        _ database: Database, sharedAssetStore: (name: String, shelf: AssetStore)? = nil,
        onBecomingActive: @escaping @Sendable () async -> Void = {},
        reloadCaches: @escaping @Sendable (_ tables: Set<String>) async -> Void
    ) {
        self.database = database
        self.sharedAssetStore = sharedAssetStore
        self.onBecomingActive = onBecomingActive
        self.reloadCaches = reloadCaches
    }
}
