import AsyncHTTPClient
import Diary
import Foundation
import NIOCore

/// Asks one source by HTTP: in its rate, within a time and a size, and never twice for what it has just answered.
///
/// Redirects are not followed, and nothing is decompressed, so that the limit of bytes is one of memory.
actor SourceRequests {
    struct Settings: Sendable {
        /// The source's name, for messages.
        var name: String
        /// The address without a path, such as `https://musicbrainz.org`.
        var base: String
        var headers: [(name: String, value: String)]
        var pace: RequestPace
        var connectSeconds: Int64 = 5
        var answerSeconds: Int64 = 10
        var mostBytes = 2 << 20
    }

    /// Requests that may wait for their turn. Whoever comes later is told so at once.
    static let mostWaiting = 5
    private static let mostKept = 100
    private static let keptFor: Duration = .seconds(600)
    /// The pause after a refusal that does not say how long.
    private static let usualPause: Duration = .seconds(10)

    private let settings: Settings
    private var pace: RequestPace
    private var waiting = 0
    private var kept: [String: (bytes: [UInt8], at: Duration)] = [:]
    private let began = ContinuousClock.now

    init(_ settings: Settings) {
        self.settings = settings
        pace = settings.pace
    }

    private var now: Duration { ContinuousClock.now - began }

    /// Gets the JSON of an address.
    /// - Parameters:
    ///   - path: the path and its parameters, percent-encoded.
    ///   - isFresh: true asks even if the same was answered a moment ago.
    /// - Returns: the bytes; nil if the source has nothing there (404).
    func json(_ path: String, isFresh: Bool = false) async throws(OutsideSourceFault) -> [UInt8]? {
        if !isFresh, let known = kept[path], now - known.at < Self.keptFor { return known.bytes }
        try await waitForTurn()
        let answer: (status: Int, retryAfter: String?, bytes: [UInt8])
        do { answer = try await request(path) } catch { throw fault(of: error) }
        switch answer.status {
        case 200:
            keep(answer.bytes, of: path)
            return answer.bytes
        case 404: return nil
        case 401, 403: throw .keyRefused(source: settings.name)
        case 429, 503:
            pace.pause(for: Self.pause(answer.retryAfter) ?? Self.usualPause, at: now)
            throw pausedFault()
        default: throw .unreachable(source: settings.name, reason: "status \(answer.status)")
        }
    }

    private func waitForTurn() async throws(OutsideSourceFault) {
        guard waiting < Self.mostWaiting else { throw .crowded(source: settings.name) }
        waiting += 1
        defer { waiting -= 1 }
        while true {
            switch pace.decide(at: now) {
            case .now: return
            case .paused: throw pausedFault()
            case .dayIsFull: throw .dayIsFull(source: settings.name)
            case .wait(let moment):
                do { try await Task.sleep(for: moment - now) } catch {
                    throw .unreachable(source: settings.name, reason: "the page was left")
                }
            }
        }
    }

    private func pausedFault() -> OutsideSourceFault {
        guard case .paused(let left) = pace.decide(at: now) else {
            return .paused(source: settings.name, seconds: 1)
        }
        return .paused(source: settings.name, seconds: max(1, Int(left.components.seconds)))
    }

    private func keep(_ bytes: [UInt8], of path: String) {
        if kept.count >= Self.mostKept, let oldest = kept.min(by: { $0.value.at < $1.value.at })?.key {
            kept[oldest] = nil
        }
        kept[path] = (bytes, now)
    }

    private nonisolated func request(_ path: String) async throws -> (
        status: Int, retryAfter: String?, bytes: [UInt8]
    ) {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(
                connect: .seconds(settings.connectSeconds), read: .seconds(settings.answerSeconds)),
            decompression: .disabled)
        configuration.httpVersion = .http1Only
        var wanted = HTTPClientRequest(url: settings.base + path)
        for (name, value) in settings.headers { wanted.headers.replaceOrAdd(name: name, value: value) }
        wanted.headers.replaceOrAdd(name: "Accept", value: "application/json")
        let (request, settings) = (wanted, settings)
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            let answer = try await client.execute(request, timeout: .seconds(settings.answerSeconds))
            let body = try await answer.body.collect(upTo: settings.mostBytes)
            return (
                Int(answer.status.code), answer.headers.first(name: "Retry-After"),
                Array(body.readableBytesView)
            )
        }
    }

    private nonisolated func fault(of error: any Error) -> OutsideSourceFault {
        if error is NIOTooManyBytesError {
            return .unreadable(
                source: settings.name, reason: "more than \(settings.mostBytes >> 10) KB")
        }
        let timeouts: [HTTPClientError] = [
            .deadlineExceeded, .readTimeout, .connectTimeout, .getConnectionFromPoolTimeout,
        ]
        if let error = error as? HTTPClientError, timeouts.contains(error) {
            return .unreachable(
                source: settings.name, reason: "no answer within \(settings.answerSeconds) seconds")
        }
        return .unreachable(source: settings.name, reason: "no connection")
    }

    /// The pause that a header `Retry-After` asks for: seconds, or a date; nil for anything else.
    static func pause(_ text: String?, now: Date = .now) -> Duration? {
        guard let text = text?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = Int64(text) { return seconds >= 0 ? .seconds(min(seconds, 1_000_000)) : nil }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        guard let date = formatter.date(from: text) else { return nil }
        return .seconds(min(max(date.timeIntervalSince(now), 0), 1_000_000))
    }
}
