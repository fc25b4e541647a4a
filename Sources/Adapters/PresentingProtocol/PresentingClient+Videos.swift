import NIOCore

/// Sends a video on a connection of its own, while requests go on.
extension PresentingClient {
    /// Sends a video.
    /// - Parameter name: the name by which it is played.
    /// - Returns: done when the server has it; `connectionLost` if the server does not take it, or the network broke.
    public func sendVideo(_ file: SlidesFile, name: String) async -> Outcome {
        let answer = await perform(.prepareVideo)
        guard case .port(let port) = answer else { return answer }
        guard
            let (endpoint, id) = state.withLock({ state in
                state.endpoint.flatMap { at in state.id.map { (at, $0) } }
            })
        else { return .notConnected }
        do {
            let line = try await connect(Endpoint(address: endpoint.address, port: Int(port)))
            return try await line.executeThenClose { inbound, outbound in
                let beginning = PresentingMessage.videoBeginning(
                    name: name, byteCount: file.byteCount, id: id)
                try await outbound.write(ByteBuffer(bytes: beginning))
                try await send(file, outbound)
                var reader = PresentingReader(inbound, limits: limits)
                while let part = try await reader.next() {
                    if case .message(.videoComplete, _) = part { return .done }
                }
                return .connectionLost
            }
        } catch {
            return .connectionLost
        }
    }
}
