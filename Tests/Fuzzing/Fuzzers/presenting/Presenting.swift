import FuzzDriver
import PresentingProtocol

/// Streams of speakers' programs, and drawings. A stream reads the same however it is cut, and messages read the same
/// after they were written.
private func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let atOnce = read([bytes])
    let cut = count / 2
    precondition(
        atOnce == read([Array(bytes[..<cut]), Array(bytes[cut...])]), "a stream reads differently when cut")
    precondition(atOnce == read(bytes.map { [$0] }), "a stream reads differently byte by byte")
    for case .message(let written) in atOnce.parts {
        precondition(read([written]).parts == [.message(written)], "written, it reads differently")
    }
    for type in [SlideDrawing.strokeType, SlideDrawing.clearType, SlideDrawing.pointerType] {
        guard let drawing = SlideDrawing(type: type, bytes: bytes) else { continue }
        precondition(drawing.bytes == bytes && drawing.type == type, "a drawing is written differently")
    }
    return 0
}

private struct Reading: Equatable {
    enum Part: Equatable {
        /// As it is written: seconds that are no number differ from themselves.
        case message([UInt8])
        case fileBegins(kind: PresentingDecoder.FileKind, byteCount: Int, id: UInt8)
        case file([UInt8])
        case fileEnds
    }

    var parts: [Part] = []
    var fault: PresentingFault?

    mutating func add(_ part: PresentingDecoder.Part) {
        switch part {
        case .message(let message, let id): parts.append(.message(message.bytes(id: id)))
        case .fileBegins(let kind, let count, let id):
            parts.append(.fileBegins(kind: kind, byteCount: count, id: id))
        case .fileBytes(let more):
            if case .file(let bytes)? = parts.last {
                parts[parts.count - 1] = .file(bytes + more)
            } else {
                parts.append(.file(more))
            }
        case .fileEnds: parts.append(.fileEnds)
        }
    }
}

private func read(_ pieces: [[UInt8]]) -> Reading {
    var decoder = PresentingDecoder()
    var reading = Reading()
    for piece in pieces {
        decoder.append(piece)
        do throws(PresentingFault) {
            while let part = try decoder.next() { reading.add(part) }
        } catch {
            reading.fault = error
            break
        }
    }
    return reading
}

@_cdecl("presenting_main")
public func begin(_ count: CInt, _ arguments: Arguments) -> CInt {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}
