import MessageBroker

/// Fetches files from the broker one at a time. A starting relay subscribes only to the file that it wants next, so
/// that the broker does not send everything at once.
struct RelayFetching: Sendable {
    let topics: RelayTopics
    let client: BrokerClient
    var patience: Duration = .seconds(5)
    var trials = 3

    /// Fetches one file.
    /// - Returns: its bytes; nil if the broker does not have all its parts, or has another version.
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
