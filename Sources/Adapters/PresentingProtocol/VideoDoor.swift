/// A port that takes one video of one presenter, on a connection of its own, so that the presenter's other messages do
/// not wait for it.
public struct VideoDoor: Sendable {
    /// The address to listen on.
    public var address: String
    /// The address from which the video comes; other connections are closed.
    public var sender: String
    public var limits: PresentingLimits

    /// The time for connecting, after which the port is closed.
    static let connectingTime = Duration.seconds(60)
    /// The time for the whole video.
    static let wholeTime = Duration.seconds(3_600)
    /// A program may connect again after a lost connection.
    private static let mostConnections = 4

    public init(address: String, sender: String, limits: PresentingLimits) {
        (self.address, self.sender, self.limits) = (address, sender, limits)
        self.limits.mostConnections = Self.mostConnections
    }

    /// Listens on a port that the system chooses, until a video has arrived or its time is over.
    /// - Parameters:
    ///   - onListening: called with the port.
    ///   - take: takes the connection that sends the video; returns true if it has arrived.
    public func open(
        onListening: @escaping @Sendable (Int) -> Void,
        take: @escaping @Sendable (PresentingConnection, inout PresentingReader) async throws -> Bool
    ) async throws {
        let server = PresentingServer(address: address, port: 0, limits: limits)
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let (beginnings, beginning) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await server.run(onListening: onListening) { [sender] connection, reader in
                    guard connection.address == sender, connection.takePresentersPlace() else { return }
                    beginning.yield()
                    if try await take(connection, &reader) { arrival.finish() }
                }
            }
            group.addTask { for await _ in arrivals {} }
            group.addTask {
                try await Self.wait(for: Self.connectingTime, unless: beginnings)
                try await Task.sleep(for: Self.wholeTime)
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// The time for connecting is over.
    struct NobodyCame: Error {}

    private static func wait(for time: Duration, unless beginnings: AsyncStream<Void>) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { await beginnings.contains { true } }
            group.addTask {
                try await Task.sleep(for: time)
                return false
            }
            let hasBegun = try await group.next() ?? false
            group.cancelAll()
            if !hasBegun { throw NobodyCame() }
        }
    }
}
