import BackupLink
import Synchronization

/// The lines of this server's show log on their way to the other server.
///
/// Made before the log, which offers each line at once; the cable is plugged in when it is open. Any thread.
final class LogLines: Sendable {
    private struct State {
        var last: LinkLine?
        var cable: (any BackupLink)?
    }

    private let state = Mutex(State())

    /// The newest line there is; nil before the first.
    var last: LinkLine? { state.withLock { $0.last } }

    /// Takes the next line, and sends it where a cable is open.
    func offer(_ sequence: UInt64, _ bytes: [UInt8]) {
        let line = LinkLine(sequence: sequence, bytes: bytes)
        let cable = state.withLock { state in
            state.last = line
            return state.cable
        }
        cable?.offer(line)
    }

    /// Notes a line that came from the other server; nil for none, where another log begins.
    func note(_ line: LinkLine?) { state.withLock { $0.last = line } }

    func plugIn(_ cable: any BackupLink) { state.withLock { $0.cable = cable } }
}
