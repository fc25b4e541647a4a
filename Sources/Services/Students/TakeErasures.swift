import Catalogue
import Foundation
import Synchronization

/// Deletes what was erased: single takes, and all takes of accounts that are gone. Erasures are noted in the catalogue,
/// which both servers have, so a copy of a take does not outlive it.
final class TakeErasures: Sendable {
    private let catalogue: CatalogueStore
    private let takes: TakeStore
    /// The erasures that were carried out, and after which nothing has arrived.
    private let done = Mutex<Set<String>>([])

    init(catalogue: CatalogueStore, takes: TakeStore) { (self.catalogue, self.takes) = (catalogue, takes) }

    /// Notes that a take is deleted, before its files are.
    func note(_ name: String, of owner: String) async throws(CatalogueError) {
        try await catalogue.noteErasure(of: .take, named: TakeStore.folderName(of: owner) + "/" + name)
        try await catalogue.removeReaders(ofTake: name, of: owner)
    }

    /// Deletes everything that was erased and is still here.
    /// - Parameter arrived: the takes that have just been copied to this server.
    @Sendable func carryOut(arrived: [String] = []) async {
        guard let accounts = try? await catalogue.erasures(of: .account),
            let erasedTakes = try? await catalogue.erasures(of: .take)
        else { return }
        let all = accounts.map(TakeStore.folderName) + erasedTakes
        let due = done.withLock { done in
            let due = arrived.isEmpty ? all.filter { !done.contains($0) } : all
            return due
        }
        guard !due.isEmpty else { return }
        let takes = takes
        let deleted = await Task.detached(priority: .utility) { due.filter(takes.erase) }.value
        done.withLock { $0.formUnion(deleted) }
    }
}
