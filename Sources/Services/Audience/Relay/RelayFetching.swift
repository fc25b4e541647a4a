import MessageBroker

/// Fetches files from the broker, one at a time: what is subscribed to is only what is wanted now, so that a relay that
/// starts is not flooded and loses no part.
struct RelayFetching: Sendable {
    let topics: RelayTopics
    let client: BrokerClient
    var patience: Duration = .seconds(5)
    var trials = 3

    /// - Returns: nil where it did not come whole: the broker has not got all of it, or holds another version.
    func fetch(_ file: RelayManifest.File) async -> [UInt8]? {
        for _ in 0..<trials {
            if let bytes = await fetchOnce(file) { return bytes }
            if Task.isCancelled { return nil }
        }
        return nil
    }

    private func fetchOnce(_ file: RelayManifest.File) async -> [UInt8]? {
        guard let parts = try? client.subscribe(topics.parts(of: file.slot)) else { return nil }
        return await withTaskGroup(of: [UInt8]?.self) { group in
            group.addTask {
                var parcel = RelayParcel(digest: file.digest, partCount: file.partCount)
                for await part in parts where parcel.take(part.payload) {
                    if let whole = parcel.whole { return whole }
                }
                return nil
            }
            group.addTask { [patience] in
                try? await Task.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
