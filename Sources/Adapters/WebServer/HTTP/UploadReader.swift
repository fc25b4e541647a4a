import Glibc
import Hummingbird
import NIOCore
import NIOPosix

/// Writes a request body to a file on the disk as it arrives, with limits for its size and for the time it takes.
enum UploadReader {
    enum Outcome: Equatable, Sendable {
        case file(UploadedFile)
        case tooLarge
        case tooSlow
        case noSpace
        /// The route does not accept the data (any more), for the reason in the response.
        case refused(WebResponse)
        case failed

        func refusal(limitBytes: Int) -> WebResponse {
            switch self {
            case .refused(let answer): answer
            case .tooLarge:
                .refused(413, "too-large", "The file is larger than \(limitBytes >> 20) MB; make it smaller.")
            case .noSpace:
                .refused(
                    507, "disk-full", "The server has no space left for this file; free some on its disk.")
            case .failed:
                .refused(500, "failed", "The file could not be written on the server; check its data folder.")
            case .tooSlow, .file: .tooSlow
            }
        }
    }

    /// The number of bytes after which the route is asked again whether it accepts the rest.
    private static let writeCheckIntervalBytes = 4 << 20

    /// Receives a request body into a new file in `folder`. The file is deleted unless all of it arrived.
    /// - Parameter intake: the route's check, see ``WebRoute/WriteCheck``; nil if there is none.
    static func receiveFile(
        _ request: Request, into folder: String, limitBytes: Int, patience: Duration,
        on eventLoop: any EventLoop,
        intake: (@Sendable (Int) async -> WebResponse?)? = nil
    ) async -> Outcome {
        if let stated = request.headers[.contentLength] {
            guard let length = Int(stated), length >= 0 else { return .tooSlow }
            if length > limitBytes { return .tooLarge }
        }
        let path = "\(folder)/\(UInt64.random(in: 0 ... .max))"
        let handle = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard handle >= 0 else { return errno == ENOSPC ? .noSpace : .failed }
        let outcome =
            await TimeLimit.run(patience, on: eventLoop) {
                await receiveBody(handle, path, request, limitBytes, intake)
            } ?? .tooSlow
        close(handle)
        if case .file = outcome { return outcome }
        deleteFile(path)
        return outcome
    }

    static func deleteFile(_ path: String) { unlink(path) }

    private static func receiveBody(
        _ handle: CInt, _ path: String, _ request: Request, _ limitBytes: Int,
        _ intake: (@Sendable (Int) async -> WebResponse?)?
    ) async -> Outcome? {
        var (count, asked) = (0, 0)
        do {
            for try await buffer in request.body {
                count += buffer.readableBytes
                guard count <= limitBytes else { return .tooLarge }
                if count - asked > writeCheckIntervalBytes {
                    asked = count
                    if let refused = await intake?(0) { return .refused(refused) }
                }
                // A disk may be slow, so another thread writes the file and the event loops do not wait.
                let trouble = try await NIOThreadPool.singleton.runIfActive { write(buffer, to: handle) }
                if let trouble { return trouble == ENOSPC ? .noSpace : .failed }
            }
        } catch {
            return Task.isCancelled ? nil : .tooSlow
        }
        return Task.isCancelled ? nil : .file(UploadedFile(path: path, byteCount: count))
    }

    /// - Returns: nil if everything was written, otherwise the error number (errno).
    private static func write(_ buffer: ByteBuffer, to handle: CInt) -> CInt? {
        buffer.withUnsafeReadableBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let written = Glibc.write(handle, rest.baseAddress, rest.count)
                if written < 0 && errno == EINTR { continue }
                guard written > 0 else { return errno }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
            }
            return nil
        }
    }
}
