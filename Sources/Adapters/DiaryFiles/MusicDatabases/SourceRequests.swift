import Diary
import Foundation
import Platform

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
        let answer = try await request(path)
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

    /// Lets `curl` ask, whose settings stand in a file: whoever lists this machine's programs sees no key.
    private nonisolated func request(
        _ path: String
    ) async throws(OutsideSourceFault) -> (status: Int, retryAfter: String?, bytes: [UInt8]) {
        let source = settings.name
        let scratch = try ScratchFolder(prefix: "baton-question") { path, reason in
            OutsideSourceFault.unreachable(source: source, reason: "no room in \(path): \(reason)")
        }
        let (config, body) = (scratch.fileURL("config"), scratch.fileURL("body"))
        let (said, errors) = (scratch.fileURL("said"), scratch.fileURL("errors"))
        var lines = [
            ("url", settings.base + path), ("header", "Accept: application/json"), ("output", body.path),
            ("proto", "=http,https"), ("connect-timeout", "\(settings.connectSeconds)"),
            ("max-time", "\(settings.answerSeconds)"), ("max-filesize", "\(settings.mostBytes)"),
            ("write-out", #"%{http_code}\n%header{retry-after}"#),
        ]
        lines += settings.headers.map { ("header", "\($0.name): \($0.value)") }
        let text = lines.map { "\($0) = \(Self.quoted($1))\n" }.joined() + "globoff\nsilent\n"
        guard (try? Data(text.utf8).write(to: config)) != nil else {
            throw .unreachable(source: source, reason: "no room in \(config.path)")
        }
        let outcome = await LimitedProcess(
            executable: URL(fileURLWithPath: "/usr/bin/curl"),
            arguments: ["--disable", "--config", config.path],
            resourceLimits: LimitedProcess.ResourceLimits(
                cpuSeconds: Int(settings.answerSeconds), wallSeconds: Double(settings.answerSeconds) + 1,
                memoryBytes: 1 << 29, largestFileBytes: settings.mostBytes + 512, niceness: 5)
        ).run(in: scratch.url, output: said, errors: errors)
        if let fault = fault(of: outcome) { throw fault }
        let parts = ChildProcess.outputText(of: said).split(separator: "\n", omittingEmptySubsequences: false)
        guard let status = parts.first.flatMap({ Int($0) }) else {
            throw .unreachable(source: source, reason: "no connection")
        }
        let bytes = (try? Data(contentsOf: body)) ?? Data()
        guard bytes.count <= settings.mostBytes else { throw tooLong }
        return (
            status, parts.dropFirst().first.map(String.init).flatMap { $0.isEmpty ? nil : $0 }, Array(bytes)
        )
    }

    /// A value of curl's configuration file.
    private static func quoted(_ value: String) -> String {
        let escaped = value.replacingOccurrences(of: #"\"#, with: #"\\"#).replacingOccurrences(
            of: "\"", with: "\\\"")
        return "\"\(escaped)\""
    }

    private nonisolated var tooLong: OutsideSourceFault {
        .unreadable(source: settings.name, reason: "more than \(settings.mostBytes >> 10) KB")
    }

    /// The statuses that curl ends with are in its manual.
    private nonisolated func fault(of outcome: ChildProcess.Outcome) -> OutsideSourceFault? {
        switch outcome {
        case .finished(status: 0): nil
        case .finished(status: 23), .finished(status: 63), .killed(signal: SIGXFSZ): tooLong
        case .finished(status: 28), .timedOut:
            .unreachable(
                source: settings.name, reason: "no answer within \(settings.answerSeconds) seconds")
        case .finished(status: 127): .unreachable(source: settings.name, reason: "curl is not installed")
        default: .unreachable(source: settings.name, reason: "no connection")
        }
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
