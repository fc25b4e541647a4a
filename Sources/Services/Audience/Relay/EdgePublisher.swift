import Basics
import Foundation
import FoundationNetworking
import Synchronization
import WebServer

/// Publishes sections of the audience's stream to nginx, whose module nchan sends each as an event to all listeners
/// and keeps the newest for those who come later (docs/deploy/nginx-edge.conf).
///
/// Sections are sent one after another. While one is on its way, or nginx is away, a newer value replaces the one that
/// waits. Each second, all is sent again that nginx has lost with a restart, and then the section `source` as a beat.
final class EdgePublisher: Sendable {
    private struct State {
        var values: [String: [UInt8]] = [:]
        var unsent: Set<String> = []
        var fault: String?
    }

    /// The section that beats; nginx keeps none of its beats, so that nobody takes an old stream for a live one.
    static let beat = "source"

    private let address: URL
    private let session: URLSession
    private let state = Mutex(State())
    private let wakeUps: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let writeLogLine: @Sendable (String) -> Void

    /// - Parameters:
    ///   - address: where nginx takes what is published; the hall's name and the section's follow it.
    ///   - hall: the name of the hall's server.
    /// - Throws: a sentence if the address is none, or leads over a network without TLS.
    init(
        address: String, hall: String, writeLogLine: @escaping @Sendable (String) -> Void
    ) throws(ExplainedError) {
        guard let url = URL(string: address), let host = url.host, !host.isEmpty,
            url.scheme == "https" || url.scheme == "http" && Loopback.contains(host)
        else {
            throw ExplainedError(
                "--push is the address at which nginx takes the stream, on this machine or over TLS, such as "
                    + "http://127.0.0.1:8091/publish, not “\(address)”.")
        }
        self.address = url.appending(path: hall)
        self.writeLogLine = writeLogLine
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 2
        session = URLSession(configuration: configuration)
        (wakeUps, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Publishes the newest value of a section; returns at once.
    func publish(_ section: String, _ json: [UInt8]) {
        state.withLock { state in
            state.values[section] = json
            state.unsent.insert(section)
        }
        wake.yield()
    }

    /// Sends what is published, until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            group.addTask {
                while (try? await Task.sleep(for: .seconds(1))) != nil { await self.beatOnce() }
            }
            for await _ in wakeUps {
                while let section = takeUnsent() {
                    guard await send(section) else { break }
                }
            }
            group.cancelAll()
        }
    }

    private func beatOnce() async {
        let sent = state.withLock { state in
            state.values.keys.first { $0 != Self.beat && !state.unsent.contains($0) }
        }
        // What has lost one section has lost all.
        var isLost = false
        if let sent { isLost = await ask("GET", sent)?.status == 404 }
        state.withLock { $0.unsent.formUnion(isLost ? Set($0.values.keys) : [Self.beat]) }
        wake.yield()
    }

    /// The next section to send: the beat is last, because it says that all others are there.
    private func takeUnsent() -> (name: String, json: [UInt8])? {
        state.withLock { state in
            guard let name = state.unsent.first(where: { $0 != Self.beat }) ?? state.unsent.first,
                let json = state.values[name]
            else { return nil }
            state.unsent.remove(name)
            return (name, json)
        }
    }

    /// - Returns: false if nginx did not take it; it is tried again with the next beat.
    private func send(_ section: (name: String, json: [UInt8])) async -> Bool {
        let answer = await ask("POST", section.name, section.json)
        let isTaken = answer.map { (200..<300).contains($0.status) } ?? false
        let fault = isTaken ? nil : answer?.sentence ?? "it does not answer."
        let isNews = state.withLock { state in
            if !isTaken { state.unsent.insert(section.name) }
            defer { state.fault = fault }
            return (state.fault == nil) != isTaken
        }
        if isNews {
            writeLogLine(
                fault.map { "nginx at \(address) does not take the stream: \($0)\n" }
                    ?? "nginx at \(address) takes the stream again.\n")
        }
        return isTaken
    }

    private func ask(_ method: String, _ section: String, _ json: [UInt8]? = nil) async
        -> (status: Int, sentence: String)?
    {
        var request = URLRequest(url: address.appending(path: section))
        request.httpMethod = method
        request.httpBody = json.map { Data($0) }
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(section, forHTTPHeaderField: "X-EventSource-Event")
        guard let (_, answer) = try? await session.data(for: request),
            let status = (answer as? HTTPURLResponse)?.statusCode
        else { return nil }
        return (status, "it answered with status \(status).")
    }
}
