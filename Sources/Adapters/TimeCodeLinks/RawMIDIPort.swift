import Basics
import Glibc

/// A raw MIDI port, written as the file of its device, such as `/dev/snd/midiC1D0`.
///
/// `modprobe snd-virmidi` makes ports of this kind that ALSA's sequencer passes on to programs.
public final class RawMIDIPort {
    private let path: String
    private let descriptor: Int32

    /// - Throws: ``ExplainedError`` if it cannot be opened, or is no device: nothing is written into a file.
    public init(path: String) throws(ExplainedError) {
        descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ExplainedError(
                "The MIDI port \(path) cannot be opened (\(String(cString: strerror(errno)))). Connect it, or name "
                    + "another: ls /dev/snd/midi* lists those of this machine.")
        }
        self.path = path
        var kind = stat()
        // A pipe stands for a port where a program reads the code.
        guard fstat(descriptor, &kind) == 0, [S_IFCHR, S_IFIFO].contains(kind.st_mode & S_IFMT) else {
            close(descriptor)
            throw ExplainedError(
                "\(path) is no MIDI port, so nothing was written to it; ls /dev/snd/midi* lists those of this machine."
            )
        }
    }

    deinit { close(descriptor) }

    /// Sends a whole message without waiting. One for which the port has no room is left out.
    /// - Throws: ``ExplainedError`` if the port has gone.
    public func send(_ bytes: [UInt8]) throws(ExplainedError) {
        guard write(descriptor, bytes, bytes.count) < 0, errno != EAGAIN else { return }
        throw ExplainedError(
            "The MIDI port \(path) does not take what is sent (\(String(cString: strerror(errno)))). Connect it again."
        )
    }
}
