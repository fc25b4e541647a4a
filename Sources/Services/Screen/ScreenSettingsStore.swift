import Catalogue
import Foundation
import Synchronization
import WebServer

/// The settings of the named screens: stored in the catalogue, and sent to all open screens in the section `settings`.
final class ScreenSettingsStore: Sendable {
    private let catalogue: CatalogueStore
    private let eventHub: EventHub
    private let known = Mutex(Known())

    /// The settings that were read last.
    private struct Known {
        var settings: [String: ScreenSettings] = [:]
        /// The number of readings that have begun, and the number of the one whose result is in ``settings``.
        var begunReading = 0
        var newestReading = 0
    }

    static let tooManyScreens = Refusal(
        429, "too-many", "\(CatalogueStore.mostScreens) screens have settings already; delete those of one.")
    static let notWritten = Refusal(
        507, "not-written", "The settings could not be written, so nothing was changed; free disk space.")

    init(catalogue: CatalogueStore, hub: EventHub) async throws(CatalogueError) {
        self.catalogue = catalogue
        eventHub = hub
        try await reread()
    }

    var all: [String: ScreenSettings] { known.withLock { $0.settings } }

    /// Reads the stored settings, at the start, after a change and after the other server's were copied, and sends them
    /// to the screens. Settings that cannot be read count as none.
    func reread() async throws(CatalogueError) {
        let reading = known.withLock { known in
            known.begunReading += 1
            return known.begunReading
        }
        let stored = try await catalogue.screenSettings()
        known.withLock { known in
            // A reading that began later has seen every change that this one has seen.
            guard reading > known.newestReading else { return }
            known.newestReading = reading
            known.settings = stored.compactMapValues(Self.read)
            eventHub.publishStateSection("settings", JSONBody.encode(known.settings))
        }
    }

    /// Changes the settings of a screen; they are on the disk when the call returns. If somebody else changes them at
    /// the same time, both changes are kept.
    func change(_ name: String, by change: ScreenSettingsChange) async throws(Refusal) {
        while true {
            switch try await tryToStore(change, of: name) {
            case .stored: return
            case .tooManyScreens: throw Self.tooManyScreens
            // A change of somebody else was stored; so this loop ends.
            case .changedMeanwhile: continue
            }
        }
    }

    private func tryToStore(
        _ change: ScreenSettingsChange, of name: String
    ) async throws(Refusal) -> CatalogueStore.ScreenSettingsOutcome {
        let stored: String?
        do throws(CatalogueError) { stored = try await catalogue.screenSettings()[name] } catch {
            throw Self.notWritten
        }
        let changed = change.applied(to: stored.flatMap(Self.read) ?? .standard)
        if let fault = changed.fault { throw Refusal(422, "bad-screen", fault) }
        let text = String(decoding: JSONBody.encode(changed), as: UTF8.self)
        do throws(CatalogueError) {
            let outcome = try await catalogue.storeScreenSettings(text, of: name, replacing: stored)
            if outcome == .stored { try await reread() }
            return outcome
        } catch {
            throw Self.notWritten
        }
    }

    /// Deletes the settings of a screen, which then looks as every screen without settings.
    /// - Returns: false if the screen has no settings.
    func delete(_ name: String) async throws(CatalogueError) -> Bool {
        guard try await catalogue.deleteScreenSettings(of: name) else { return false }
        try await reread()
        return true
    }

    private static func read(_ text: String) -> ScreenSettings? {
        let settings = try? JSONDecoder().decode(ScreenSettings.self, from: Data(text.utf8))
        return settings?.fault == nil ? settings : nil
    }
}
