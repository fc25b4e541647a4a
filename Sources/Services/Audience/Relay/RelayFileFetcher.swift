import NetworkLinks

/// Fetches files from the broker one at a time. A starting relay subscribes only to the file that it wants next;
/// otherwise the broker would send everything at once.
struct RelayFileFetcher: Sendable {
    let topics: RelayTopics
    let brokerClient: MQTTClient
    var timeout: Duration = .seconds(5)
    var attemptCount = 3

    /// Fetches one file.
    /// - Returns: its bytes; nil if the broker does not have all its parts, or has another version.
    func fetchFile(_ file: RelayManifest.File) async -> [UInt8]? {
        for _ in 0..<attemptCount {
            if let bytes = await fetchFileOnce(file) { return bytes }
            if Task.isCancelled { return nil }
        }
        return nil
    }

    private func fetchFileOnce(_ file: RelayManifest.File) async -> [UInt8]? {
        guard let parts = try? brokerClient.subscribe(topics.allPartsTopicFilter(of: file.slot)) else {
            return nil
        }
        return await withTaskGroup(of: [UInt8]?.self) { group in
            group.addTask {
                var fileParts = RelayFileParts(digest: file.digest, partCount: file.partCount)
                for await part in parts where fileParts.addReceivedPart(part.payload) {
                    if let whole = fileParts.joinedFile { return whole }
                }
                return nil
            }
            group.addTask { [timeout] in
                try? await Task.sleep(for: timeout)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
