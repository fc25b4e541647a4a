import BackupLink
import Synchronization

/// The lines of this server's show log on their way to the other server.
///
/// Made before the log, which offers each line at once; the cable is plugged in when it is open. Lines that a new show
/// writes while it is opened do not count: a backup that named one of its own would not get the main server's first
/// lines, and with them the snapshot that it must begin with. Any thread.
package final class LogLines: Sendable {
    private struct State {
        var last: LinkLine?
        var cable: (any BackupLink)?
        var counts = false
    }

    private let state = Mutex(State())

    package init() {}

    /// The newest line there is; nil before the first.
    package var last: LinkLine? { state.withLock { $0.last } }

    /// Takes the next line, and sends it where a cable is open.
    package func offer(_ sequence: UInt64, _ bytes: [UInt8]) {
        let line = LinkLine(sequence: sequence, bytes: bytes)
        let cable = state.withLock { state -> (any BackupLink)? in
            guard state.counts else { return nil }
            state.last = line
            return state.cable
        }
        cable?.offer(line)
    }

    /// From here on lines count: the show is open.
    /// - Parameter last: the last line of a show that goes on; nil for a new show.
    func begin(after last: LinkLine?) { state.withLock { ($0.counts, $0.last) = (true, last) } }

    /// Notes a line that came from the other server; nil for none, where another log begins.
    package func note(_ line: LinkLine?) { state.withLock { $0.last = line } }

    func plugIn(_ cable: any BackupLink) { state.withLock { $0.cable = cable } }
}
