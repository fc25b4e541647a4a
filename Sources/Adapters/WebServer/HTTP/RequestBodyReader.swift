import Hummingbird
import NIOCore

/// Receives a request body, with limits for its size and for the time it takes.
enum RequestBodyReader {
    enum Outcome: Equatable, Sendable {
        case body([UInt8])
        case tooLarge
        case tooSlow
        case broken
    }

    static func read(
        _ request: Request, limitBytes: Int, patience: Duration, on eventLoop: any EventLoop
    ) async -> Outcome {
        if let stated = request.headers[.contentLength] {
            guard let length = Int(stated), length >= 0 else { return .broken }
            if length > limitBytes { return .tooLarge }
            if length == 0 { return .body([]) }
        } else if request.headers[.transferEncoding] == nil {
            return .body([])
        }
        // The connection's idle timeout restarts with each byte, so a slowly sent body needs its own time limit.
        let outcome = await TimeLimit.run(patience, on: eventLoop) { () async -> Outcome? in
            do {
                let buffer = try await request.body.collect(upTo: limitBytes)
                return Task.isCancelled ? nil : .body(Array(buffer.readableBytesView))
            } catch is NIOTooManyBytesError {
                return .tooLarge
            } catch {
                return Task.isCancelled ? nil : .broken
            }
        }
        return outcome ?? (Task.isCancelled ? .broken : .tooSlow)
    }
}
