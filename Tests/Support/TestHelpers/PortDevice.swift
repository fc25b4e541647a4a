import Foundation
import Synchronization

/// A pseudo terminal in the place of a MIDI port: `path` is the port, this end is the device behind it.
final class PortDevice: Sendable {
    let path: String
    private let descriptor: Mutex<Int32>
    /// Keeps the port's end open, so that the device does not see it go between two programs.
    private let other: Int32

    init() throws {
        let end = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        var (unlocked, number): (Int32, Int32) = (0, 0)
        // The requests of Linux that unlock the port's end and tell its number (TIOCSPTLCK, TIOCGPTN).
        guard end >= 0, ioctl(end, 0x4004_5431, &unlocked) == 0, ioctl(end, 0x8004_5430, &number) == 0 else {
            throw CocoaError(.fileReadUnknown)
        }
        path = "/dev/pts/\(number)"
        other = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        var settings = termios()
        tcgetattr(other, &settings)
        cfmakeraw(&settings)
        tcsetattr(other, TCSANOW, &settings)
        descriptor = Mutex(end)
    }

    deinit { unplug() }

    /// What was sent to the device, at most so many bytes.
    func read(_ most: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var some = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < most {
            let count = Foundation.read(
                descriptor.withLock { $0 }, &some, min(some.count, most - bytes.count))
            guard count > 0 else { break }
            bytes += some[..<count]
        }
        return bytes
    }

    /// Lets the device send.
    func write(_ bytes: [UInt8]) {
        _ = Foundation.write(descriptor.withLock { $0 }, bytes, bytes.count)
    }

    /// Takes the device away.
    func unplug() {
        descriptor.withLock { end in
            guard end >= 0 else { return }
            close(other)
            close(end)
            end = -1
        }
    }
}
