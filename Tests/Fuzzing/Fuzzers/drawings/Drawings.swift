import FuzzDriver
import ScoreFiles

/// Drawings: what was taken and written is taken again and written the same.
private func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let written = try? SVGSanitizer.sanitize(bytes, name: "drawing.svg") {
        guard let again = try? SVGSanitizer.sanitize(written, name: "drawing.svg") else {
            preconditionFailure("what was accepted is refused after it was written")
        }
        precondition(again == written, "written differently the second time")
    }
    return 0
}

@_cdecl("drawings_main")
public func begin(_ count: CInt, _ arguments: Arguments) -> CInt {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}
