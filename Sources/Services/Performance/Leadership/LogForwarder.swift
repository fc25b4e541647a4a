import BackupLink
import Synchronization

/// Forwards the lines of this server's show log to the backup. May be called from any thread.
///
/// The forwarder is created before the log; the link to the other server is attached later. Lines that a new show
/// writes while it is being opened are not counted. Otherwise a backup would report one of its own lines as its
/// newest, and would not get the main server's first lines. A backup must start from the snapshot in those first
/// lines.
package final class LogForwarder: Sendable {
    private struct State {
        var newestLine: BackupLogLine?
        var link: (any BackupLink)?
        var isForwardingEnabled = false
    }

    private let state = Mutex(State())

    package init() {}

    /// The newest line of the log; nil if there is none.
    package var newestLine: BackupLogLine? { state.withLock { $0.newestLine } }

    /// Records the next line, and sends it if the link is attached.
    package func forwardLine(_ sequence: UInt64, _ bytes: [UInt8]) {
        let line = BackupLogLine(sequence: sequence, bytes: bytes)
        let link = state.withLock { state -> (any BackupLink)? in
            guard state.isForwardingEnabled else { return nil }
            state.newestLine = line
            return state.link
        }
        link?.addLogLine(line)
    }

    /// Starts counting lines, once the show is open.
    /// - Parameter last: the last line of a continued show; nil for a new show.
    func startForwarding(after last: BackupLogLine?) {
        state.withLock { ($0.isForwardingEnabled, $0.newestLine) = (true, last) }
    }

    /// Records a line that came from the other server; nil records that another log begins.
    package func recordCopiedLine(_ line: BackupLogLine?) { state.withLock { $0.newestLine = line } }

    func attachLink(_ link: any BackupLink) { state.withLock { $0.link = link } }
}
