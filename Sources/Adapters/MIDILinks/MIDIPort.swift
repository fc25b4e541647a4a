import Basics
import Glibc
import Platform
import Synchronization

/// A raw MIDI port: the file of its device, such as `/dev/snd/midiC1D0`, opened when it is first used and again each
/// second while it is away.
///
/// `modprobe snd-virmidi` makes ports of this kind that ALSA's sequencer passes on to programs. Any thread may send;
/// nothing waits for the device.
public final class MIDIPort: Sendable {
    public let path: String
    private let output = Mutex(Output())
    private let inputFailure = Mutex<String?>(nil)

    private struct Output {
        var descriptor: Int32?
        /// The end of a message of which the device has taken the beginning.
        var rest: [UInt8] = []
        var failure: ExplainedError?
        var retryTime = MonotonicInstant(nanoseconds: 0)
    }

    /// The longest wait for input, in milliseconds, so that a request to stop is noticed.
    private static let pollMilliseconds: Int32 = 200

    /// Opens nothing yet.
    public init(path: String) { self.path = path }

    deinit { output.withLock { if let open = $0.descriptor { close(open) } } }

    // MARK: Out

    /// Sends a whole message. What the device takes later of it is sent before the next message.
    /// - Throws: ``ExplainedError`` if the port is away or has no room; the message is then left out.
    public func send(_ bytes: [UInt8]) throws(ExplainedError) {
        try output.withLock { (port) throws(ExplainedError) in
            let descriptor = try openedOutput(&port)
            try sendRest(&port, to: descriptor)
            guard port.rest.isEmpty else {
                throw ExplainedError(
                    "The MIDI port \(path) takes less than it is sent, so a message was left out. Send it less, or "
                        + "look at its cable.")
            }
            port.rest = bytes
            try sendRest(&port, to: descriptor)
            // A message that has not begun is left out, so that it does not come too late.
            if port.rest.count == bytes.count, !bytes.isEmpty {
                port.rest = []
                throw ExplainedError("The MIDI port \(path) is full, so a message was left out.")
            }
        }
    }

    /// Looks whether the port can be sent to, and sends what is left of a message.
    /// - Throws: ``ExplainedError`` if it is away.
    public func checkOutput() throws(ExplainedError) {
        try output.withLock { (port) throws(ExplainedError) in
            let descriptor = try openedOutput(&port)
            var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if poll(&state, 1, 0) > 0, state.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 {
                throw closeOutput(&port, errno: ENODEV)
            }
            try sendRest(&port, to: descriptor)
        }
    }

    private func openedOutput(_ port: inout Output) throws(ExplainedError) -> Int32 {
        if let open = port.descriptor { return open }
        let now = MonotonicClock.now
        if let failure = port.failure, now < port.retryTime { throw failure }
        do throws(ExplainedError) {
            let descriptor = try Self.open(path, O_WRONLY)
            (port.descriptor, port.failure) = (descriptor, nil)
            return descriptor
        } catch {
            port.failure = error
            port.retryTime = MonotonicInstant(nanoseconds: now.nanoseconds + 1_000_000_000)
            throw error
        }
    }

    private func sendRest(_ port: inout Output, to descriptor: Int32) throws(ExplainedError) {
        while !port.rest.isEmpty {
            let count = write(descriptor, port.rest, port.rest.count)
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { throw closeOutput(&port, errno: errno) }
            port.rest.removeFirst(count)
        }
    }

    private func closeOutput(_ port: inout Output, errno: Int32) -> ExplainedError {
        if let open = port.descriptor { close(open) }
        let failure = ExplainedError(
            "The MIDI port \(path) does not take what is sent (\(String(cString: strerror(errno)))). Connect it "
                + "again.")
        (port.descriptor, port.rest, port.failure) = (nil, [], failure)
        port.retryTime = MonotonicInstant(nanoseconds: MonotonicClock.now.nanoseconds + 1_000_000_000)
        return failure
    }

    /// - Throws: ``ExplainedError`` if it cannot be opened, or is no device: nothing is written into a file.
    private static func open(_ path: String, _ direction: Int32) throws(ExplainedError) -> Int32 {
        let descriptor = Glibc.open(path, direction | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ExplainedError(
                "The MIDI port \(path) cannot be opened (\(String(cString: strerror(errno)))). Connect it, or name "
                    + "another: ls /dev/snd/midi* lists those of this machine.")
        }
        var kind = stat()
        // A pipe stands for a port where a program reads or writes.
        guard fstat(descriptor, &kind) == 0, [S_IFCHR, S_IFIFO].contains(kind.st_mode & S_IFMT) else {
            close(descriptor)
            throw ExplainedError(
                "\(path) is no MIDI port, so nothing was written to it; ls /dev/snd/midi* lists those of this machine."
            )
        }
        return descriptor
    }

    // MARK: In

    /// Why nothing is heard from the port, while ``listen(until:_:)`` runs; nil if all is well.
    public var inputTrouble: String? { inputFailure.withLock { $0 } }

    /// Hears the port until told to stop; needs its own thread. A port that goes is opened again each second, and the
    /// message that it broke off is dropped.
    /// - Parameter receive: called with each whole message (``MIDIStreamDecoder``).
    public func listen(until stop: StopRequest, _ receive: ([UInt8]) -> Void) {
        while !stop.isMade {
            do throws(ExplainedError) {
                let descriptor = try Self.open(path, O_RDONLY)
                defer { close(descriptor) }
                inputFailure.withLock { $0 = nil }
                let reason = Self.read(descriptor, until: stop, receive)
                guard !stop.isMade else { return }
                throw ExplainedError("The MIDI port \(path) has gone (\(reason)). Connect it again.")
            } catch {
                inputFailure.withLock { $0 = error.sentence }
            }
            for _ in 0..<10 where !stop.isMade { usleep(100_000) }
        }
    }

    /// - Returns: the reason why it ended.
    private static func read(_ descriptor: Int32, until stop: StopRequest, _ receive: ([UInt8]) -> Void)
        -> String
    {
        var decoder = MIDIStreamDecoder()
        var bytes = [UInt8](repeating: 0, count: 512)
        while !stop.isMade {
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&state, 1, pollMilliseconds) > 0 else { continue }
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? "it was closed" : String(cString: strerror(errno)) }
            for byte in bytes[..<count] { if let message = decoder.append(byte) { receive(message) } }
        }
        return ""
    }
}

/// The ports of a server, each once, however many use it.
public final class MIDIPorts: Sendable {
    private let ports = Mutex<[String: MIDIPort]>([:])

    public init() {}

    public func port(at path: String) -> MIDIPort {
        ports.withLock { ports in
            if let known = ports[path] { return known }
            let port = MIDIPort(path: path)
            ports[path] = port
            return port
        }
    }
}
