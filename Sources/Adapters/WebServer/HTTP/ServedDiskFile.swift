import Glibc
import Hummingbird
import NIOCore

/// A file on the disk that is sent as a response.
struct ServedDiskFile: Equatable, Sendable {
    let path: String
    /// The HTTP entity tag, with its quotation marks.
    let entityTag: String

    /// The file's size in bytes; nil if it is not a regular file.
    var byteCount: Int? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }
}

/// The part of a file that a request asks for with the header field Range.
///
/// Source: RFC 9110, section 14.
enum ByteRange: Equatable {
    case whole
    case part(ClosedRange<Int>)
    /// The requested range is beyond the end of the file.
    case outside

    /// Parses the header field Range.
    /// - Parameters:
    ///   - field: for example `bytes=0-99`. Anything else means the whole file, and so do several ranges.
    ///   - byteCount: the file's size in bytes.
    init(_ field: String?, of byteCount: Int) {
        self = .whole
        guard let field, field.hasPrefix("bytes=") else { return }
        let ends = field.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.parseDigits(ends[0]), let last = Self.parseDigits(ends[1])
        else {
            return
        }
        switch (first, last) {
        case (nil, nil): return
        case (nil, let count?):
            self = count > 0 && byteCount > 0 ? .part(max(0, byteCount - count)...(byteCount - 1)) : .outside
        case (let first?, let last):
            if let last, last < first { return }
            self = first < byteCount ? .part(first...min(last ?? .max, byteCount - 1)) : .outside
        }
    }

    /// Parses decimal digits.
    /// - Returns: nil if the text is not a number, `.some(nil)` if it is empty.
    private static func parseDigits(_ text: Substring) -> Int?? {
        if text.isEmpty { return .some(nil) }
        guard text.utf8.count <= 15, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text).map { .some($0) } ?? nil
    }
}

extension RequestResponder {
    func prepareFileResponse(to request: Request, _ file: ServedDiskFile, _ answer: WebResponse)
        -> PreparedResponse
    {
        guard let byteCount = file.byteCount else { return preparePlainResponse(to: request, .notFound) }
        var fields: HTTPFields = [
            .contentType: answer.contentType, .eTag: file.entityTag, .cacheControl: "no-cache",
            .acceptRanges: "bytes",
        ]
        for field in answer.headerFields {
            guard let name = HTTPField.Name(field.name), HTTPField.isValidValue(field.value) else { continue }
            fields[name] = field.value
        }
        if let held = request.headers[.ifNoneMatch], Self.containsEntityTag(held, file.entityTag) {
            return PreparedResponse(status: .notModified, headers: fields)
        }
        // A range of another version of the file would be useless, so the whole file is sent instead.
        let isSame = request.headers[.ifRange].map { $0 == file.entityTag } ?? true
        let range = ByteRange(isSame ? request.headers[.range] : nil, of: byteCount)
        var (status, wanted) = (HTTPResponse.Status.ok, 0..<byteCount)
        switch range {
        case .outside:
            fields[.contentRange] = "bytes */\(byteCount)"
            return PreparedResponse(
                status: .rangeNotSatisfiable, headers: fields, body: OutgoingBody(.own([])))
        case .part(let part):
            (status, wanted) = (.partialContent, Range(part))
            fields[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound)/\(byteCount)"
        case .whole: break
        }
        return PreparedResponse(
            status: status, headers: fields, body: OutgoingBody(.file(path: file.path, range: wanted)))
    }
}
