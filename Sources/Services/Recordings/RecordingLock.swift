import Glibc

/// The lock of one recording's folder: held while it is recorded or deleted. The kernel releases it when the process
/// ends, even by a crash.
final class RecordingLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock.
    /// - Returns: nil if another holder has it, or if the folder cannot be written.
    init?(folder: String) {
        let descriptor = open(folder + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    deinit {
        // A child process that is just being started has a copy of the descriptor until it runs its own program.
        // Closing alone would leave the lock with that copy.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// True while somebody holds the lock of a folder.
    static func isHeld(folder: String) -> Bool {
        let descriptor = open(folder + "/lock", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return true }
        _ = flock(descriptor, LOCK_UN)
        return false
    }
}
