import Basics
import Floor
import Hosting
import PresentingProtocol
import Synchronization

/// Takes the videos that the program of one presenter sends, each on a port that is open for it alone.
final class VideoReceiver: Sendable {
    private let entrance: PresenterEntrance
    private let doors: OpenDoors
    private let receiving = Mutex<Task<Void, Never>?>(nil)

    init(entrance: PresenterEntrance, doors: OpenDoors) { (self.entrance, self.doors) = (entrance, doors) }

    /// Opens a port for one video; one that is open for the presenter already is closed.
    /// - Returns: the port; nil if as many as permitted are open.
    func openDoor(at address: String, for sender: String, limits: PresentingLimits) async -> UInt16? {
        close()
        guard doors.open() else { return nil }
        let (ports, port) = AsyncStream<Int>.makeStream()
        let task = Task { [entrance, doors] in
            let door = VideoDoor(address: address, sender: sender, limits: limits)
            // An error ends this video only; the program learns of it when the connection ends.
            try? await door.open {
                port.yield($0)
            } take: { connection, reader in
                try await Self.take(connection, &reader, entrance)
            }
            port.finish()
            doors.close()
        }
        receiving.withLock { $0 = task }
        return await ports.first { _ in true }.flatMap { UInt16(exactly: $0) }
    }

    /// Gives up the video that is arriving.
    func close() { receiving.withLock { $0.take() }?.cancel() }

    private static func take(
        _ connection: PresentingConnection, _ reader: inout PresentingReader, _ entrance: PresenterEntrance
    ) async throws -> Bool {
        guard case .fileBegins(.video(let name), let count, _)? = try await reader.next(), isName(name) else {
            return false
        }
        let file = try await entrance.beginVideo(byteCount: count)
        do {
            while let part = try await reader.next() {
                if case .fileBytes(let bytes) = part { try await file.write(bytes) }
                guard case .fileEnds = part else { continue }
                try await entrance.addVideo(file, name: name)
                connection.send(.videoComplete, id: entrance.presenter?.rawValue ?? 255)
                return true
            }
        } catch {
            await entrance.discard(file)
            throw error
        }
        await entrance.discard(file)
        return false
    }

    /// True for the name of a video: 1 to 255 bytes without unseen marks.
    static func isName(_ name: String) -> Bool {
        (1...PresentingLimits().longestFileName).contains(name.utf8.count)
            && NameRule.isFit(name)
    }
}

/// Counts the ports that are open for videos, for all presenters together.
final class OpenDoors: Sendable {
    static let most = 16
    private let count = Mutex(0)

    /// - Returns: false if as many as permitted are open.
    func open() -> Bool {
        count.withLock { count in
            guard count < Self.most else { return false }
            count += 1
            return true
        }
    }

    func close() { count.withLock { $0 -= 1 } }
}
