import Foundation
import FuzzDriver
import Rehearsal

/// What stands send to the hub: what is accepted reads the same after it was written.
private func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Data(UnsafeBufferPointer(start: start, count: count))
    guard let message = try? JSONDecoder().decode(StandMessage.self, from: bytes) else { return 0 }
    guard let written = try? JSONEncoder().encode(message),
        let again = try? JSONDecoder().decode(StandMessage.self, from: written)
    else { preconditionFailure("what was accepted is refused after it was written") }
    precondition(again == message, "a message changes when it is written")
    return 0
}

@_cdecl("stands_main")
public func begin(_ count: CInt, _ arguments: Arguments) -> CInt {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}
