import Catalogue
import Foundation
import Synchronization
import WebServer

/// The settings of the named screens: stored in the catalogue, and sent to all open screens in the section `settings`.
final class ScreenSettingsStore: Sendable {
    private let catalogue: CatalogueStore
    private let eventHub: EventHub
    private let known = Mutex<[String: ScreenSettings]>([:])

    init(catalogue: CatalogueStore, hub: EventHub) async throws(CatalogueError) {
        self.catalogue = catalogue
        eventHub = hub
        try await reread()
    }

    var all: [String: ScreenSettings] { known.withLock { $0 } }

    /// Reads the stored settings, at the start and after the other server's were copied. Settings that cannot be read
    /// count as none.
    func reread() async throws(CatalogueError) {
        let stored = try await catalogue.screenSettings()
        let decoder = JSONDecoder()
        let read = stored.compactMapValues { text -> ScreenSettings? in
            let settings = try? decoder.decode(ScreenSettings.self, from: Data(text.utf8))
            return settings?.fault == nil ? settings : nil
        }
        known.withLock { $0 = read }
        publish()
    }

    /// Stores the settings of a screen; they are on the disk when the call returns.
    /// - Returns: false if too many screens have settings.
    func store(_ settings: ScreenSettings, of name: String) async throws(CatalogueError) -> Bool {
        let text = String(decoding: JSONBody.encode(settings), as: UTF8.self)
        guard try await catalogue.storeScreenSettings(text, of: name) else { return false }
        known.withLock { $0[name] = settings }
        publish()
        return true
    }

    /// - Returns: false if the screen has no settings.
    func delete(_ name: String) async throws(CatalogueError) -> Bool {
        guard try await catalogue.deleteScreenSettings(of: name) else { return false }
        known.withLock { $0[name] = nil }
        publish()
        return true
    }

    private func publish() { eventHub.publishStateSection("settings", JSONBody.encode(all)) }
}
