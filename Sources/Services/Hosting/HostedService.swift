import Catalogue
import ServiceLifecycle
import WebServer

/// A part of the running server that a person would name: the audience's side, the editor, the stands.
///
/// The composition is a list of these: a service brings what it has, and nothing else in the program knows it.
/// docs/architecture.md shows what adding and what removing one takes.
package protocol HostedService: Service {
    /// The addresses it answers.
    var routes: [WebRoute] { get }
    /// Receive the effects of the show, on the engine's thread; must not wait.
    var outputs: [any ShowOutput] { get }
    /// Things that may go wrong during the show.
    var watchedFaults: [WatchedFault] { get }
    /// Items of the check before the show.
    var preShowQuestions: [PreShowQuestion] { get }
    /// Data that the backup server copies.
    var stores: [ReplicatedStore] { get }
    /// True if it refuses changes by itself while another server is active; otherwise the composition does.
    var guardsItsChanges: Bool { get }
    /// Works until the server shuts down.
    func run() async throws
}

extension HostedService {
    package var routes: [WebRoute] { [] }
    package var outputs: [any ShowOutput] { [] }
    package var watchedFaults: [WatchedFault] { [] }
    package var preShowQuestions: [PreShowQuestion] { [] }
    package var stores: [ReplicatedStore] { [] }
    package var guardsItsChanges: Bool { false }

    package func run() async throws { try await gracefulShutdown() }
}

/// Data of a service that two servers of one show share: tables of a database, and files by their digests.
package struct ReplicatedStore: Sendable {
    package enum Database: String, Sendable { case catalogue, rooms }

    package var database: Database
    /// The files' name between the servers, and where they lie; nil without files.
    package var files: (name: String, shelf: AssetStore)?
    /// Called after a copy with the names of the changed tables, so that whoever caches them reads them again.
    package var reread: @Sendable (_ tables: Set<String>) async -> Void
    /// Called each time this server becomes the active one.
    package var takeOver: @Sendable () async -> Void

    package init(
        _ database: Database, files: (name: String, shelf: AssetStore)? = nil,
        takeOver: @escaping @Sendable () async -> Void = {},
        reread: @escaping @Sendable (_ tables: Set<String>) async -> Void
    ) {
        self.database = database
        self.files = files
        self.takeOver = takeOver
        self.reread = reread
    }
}
