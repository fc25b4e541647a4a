import Basics
import CALSA

/// A source of a sound server, as ALSA's configuration names it.
struct PulseDevice: Equatable {
    /// The address of the server; nil for the usual one.
    var server: String?
    /// The name of the source; nil for the default one.
    var source: String?

    /// Finds out whether an ALSA device is a sound server's; nil if not.
    init?(alsaDevice: String) {
        keepALSAQuiet()
        var configuration: OpaquePointer?
        guard snd_config_update_ref(&configuration) >= 0, let configuration else { return nil }
        defer { snd_config_unref(configuration) }
        guard
            let found = Self.find(
                Self.definition(of: alsaDevice, in: configuration), in: configuration, depth: 0)
        else { return nil }
        self = found
    }

    private init(server: String?, source: String?) { (self.server, self.source) = (server, source) }

    /// Looks for the sound server's device behind a PCM.
    /// - Parameter definition: the definition of the PCM. It is deleted.
    private static func find(
        _ definition: OpaquePointer?, in configuration: OpaquePointer, depth: Int
    ) -> PulseDevice? {
        guard let definition else { return nil }
        defer { snd_config_delete(definition) }
        let slave: String
        switch text("type", of: definition) {
        case "pulse":
            return PulseDevice(
                server: text("server", of: definition).flatMap { $0.isEmpty ? nil : $0 },
                source: text("device", of: definition).flatMap { $0.isEmpty ? nil : $0 })
        // Conversions that a sound server's device does not need.
        case "plug", "empty": slave = "slave.pcm"
        case "asym": slave = "capture.pcm"
        default: return nil
        }
        guard depth < 5 else { return nil }
        var inner: OpaquePointer?
        guard snd_config_search(definition, slave, &inner) >= 0, let inner else { return nil }
        var name: UnsafePointer<CChar>?
        let next: OpaquePointer?
        if snd_config_get_string(inner, &name) >= 0, let name {
            next = Self.definition(of: String(cString: name), in: configuration)
        } else {
            var copy: OpaquePointer?
            next = snd_config_copy(&copy, inner) >= 0 ? copy : nil
        }
        return find(next, in: configuration, depth: depth + 1)
    }

    private static func definition(of name: String, in configuration: OpaquePointer) -> OpaquePointer? {
        var found: OpaquePointer?
        return snd_config_search_definition(configuration, "pcm", name, &found) >= 0 ? found : nil
    }

    private static func text(_ key: String, of definition: OpaquePointer) -> String? {
        var node: OpaquePointer?
        var text: UnsafePointer<CChar>?
        guard snd_config_search(definition, key, &node) >= 0, snd_config_get_string(node, &text) >= 0 else {
            return nil
        }
        return text.map { String(cString: $0) }
    }
}

/// A connection to a sound server. One thread uses it at a time.
final class PulseConnection {
    /// A source with its own rate and channels.
    struct Source {
        var name: String
        var spec: pulse_sample_spec
        var map: pulse_channel_map
    }

    let library: PulseLibrary
    fileprivate let context: OpaquePointer
    private let mainloop: OpaquePointer

    private static let answerMilliseconds = 3_000

    /// - Returns: nil if libpulse is not installed.
    init?(to server: String?) throws(PulseFailure) {
        guard let library = PulseLibrary.installed else { return nil }
        guard let mainloop = library.mainloopNew() else { throw PulseFailure(errno: ENOMEM) }
        guard let api = library.mainloopAPI(mainloop), let context = library.contextNew(api, "Baton") else {
            library.mainloopFree(mainloop)
            throw PulseFailure(errno: ENOMEM)
        }
        (self.library, self.mainloop, self.context) = (library, mainloop, context)
        guard library.contextConnect(context, server, 0, nil) >= 0 else { throw failure }
        try wait { library.contextState(context) == PULSE_CONTEXT_READY }
    }

    deinit {
        library.contextDisconnect(context)
        library.contextUnref(context)
        library.mainloopFree(mainloop)
    }

    var failure: PulseFailure { PulseFailure(errno: PulseLibrary.errno(of: library.contextError(context))) }

    var isConnected: Bool {
        ![PULSE_CONTEXT_FAILED, PULSE_CONTEXT_TERMINATED].contains(Int(library.contextState(context)))
    }

    /// Carries out what the server has sent, and waits for it if there is nothing. libpulse allocates memory here.
    /// - Returns: false if the connection is over.
    func processMessages(waitingMilliseconds: Int32) -> Bool {
        guard library.mainloopPrepare(mainloop, waitingMilliseconds * 1_000) >= 0,
            library.mainloopPoll(mainloop) >= 0, library.mainloopDispatch(mainloop) >= 0
        else { return false }
        return isConnected
    }

    /// Waits until something has happened, for at most three seconds.
    func wait(until hasHappened: () -> Bool) throws(PulseFailure) {
        let end = CaptureClock.system.now() + Int64(Self.answerMilliseconds) * 1_000_000
        while !hasHappened() {
            guard processMessages(waitingMilliseconds: 100) else { throw failure }
            guard CaptureClock.system.now() < end else { throw PulseFailure(errno: ETIMEDOUT) }
        }
    }

    /// Finds a source by its name.
    /// - Parameter name: nil for the default source.
    func source(named name: String?) throws(PulseFailure) -> Source {
        var found: Source?
        try withUnsafeMutablePointer(to: &found) { found throws(PulseFailure) in
            let operation = library.sourceByName(
                context, name ?? "@DEFAULT_SOURCE@",
                { _, source, _, user in
                    guard let source = source?.pointee, let name = source.name else { return }
                    user?.assumingMemoryBound(to: Source?.self).pointee = Source(
                        name: String(cString: name), spec: source.sample_spec, map: source.channel_map)
                }, found)
            guard let operation else { throw failure }
            defer { library.operationUnref(operation) }
            try wait { library.operationState(operation) != PULSE_OPERATION_RUNNING }
        }
        guard let found, (1...32).contains(found.spec.channels) else { throw PulseFailure(errno: ENODEV) }
        return found
    }
}

struct PulseFailure: Error {
    /// The system's number of the error.
    var errno: Int32
}

/// A source of a sound server, with its own channels in its own order.
///
/// The server may not move the stream to another source: if the source is unplugged, the stream ends and the device is
/// lost, as a sound card's own device is.
final class PulseStream: PCMStream {
    let format: CaptureFormat
    /// The name of the source that is heard.
    let sourceName: String

    private let connection: PulseConnection
    private var stream: OpaquePointer?
    private let frameBytes: Int
    /// The bytes of the oldest block that were read already.
    private var readBytesOfBlock = 0

    private static let periodsOfBuffer = 8

    init(_ connection: PulseConnection, _ source: PulseConnection.Source, _ request: CaptureRequest)
        throws(CaptureError)
    {
        let channels = Int(source.spec.channels)
        if case .singleChannel(let number) = request.channelChoice, !(1...channels).contains(number) {
            throw .noSuchChannel(device: request.device, wanted: number, channels: channels)
        }
        let hertz = (request.rate?.hertz ?? 48_000).rounded()
        guard (1_000...384_000).contains(hertz) else {
            throw .settingRejected(device: request.device, asked: "a rate of \(hertz) Hz", code: EINVAL)
        }
        let period = Int(hertz * min(max(request.period.value, 0.001), 1))
        frameBytes = channels * MemoryLayout<Float>.size
        format = CaptureFormat(
            rate: SampleRate(hertz: hertz), channelCount: channels, sampleFormat: .float32,
            periodFrames: period,
            bufferFrames: period * Self.periodsOfBuffer)
        sourceName = source.name
        self.connection = connection
        do throws(PulseFailure) { try open(source, hertz: UInt32(hertz)) } catch {
            throw .deviceNotOpened(device: request.device, code: error.errno)
        }
    }

    private func open(_ source: PulseConnection.Source, hertz: UInt32) throws(PulseFailure) {
        let library = connection.library
        var spec = pulse_sample_spec(
            format: Int32(PULSE_SAMPLE_FLOAT32LE), rate: hertz, channels: source.spec.channels)
        var map = source.map
        guard let stream = library.streamNew(connection.context, "Follower", &spec, &map) else {
            throw connection.failure
        }
        self.stream = stream
        var buffer = pulse_buffer_attr(
            maxlength: .max, tlength: .max, prebuf: .max, minreq: .max,
            fragsize: UInt32(format.periodFrames * frameBytes))
        let flags =
            PULSE_STREAM_START_CORKED | PULSE_STREAM_NO_REMAP_CHANNELS | PULSE_STREAM_NO_REMIX_CHANNELS
            | PULSE_STREAM_DONT_MOVE | PULSE_STREAM_ADJUST_LATENCY
        guard library.streamConnect(stream, source.name, &buffer, UInt32(flags)) >= 0 else {
            throw connection.failure
        }
        try connection.wait { library.streamState(stream) != PULSE_STREAM_CREATING }
        guard isStreamReady else { throw connection.failure }
    }

    deinit { close() }

    private var isStreamReady: Bool {
        stream.map { connection.library.streamState($0) == PULSE_STREAM_READY } ?? false
    }

    func start() -> Int32 {
        guard let stream, isStreamReady else { return -ENODEV }
        if let operation = connection.library.streamCork(stream, 0, nil, nil) {
            connection.library.operationUnref(operation)
        }
        return 0
    }

    func wait(milliseconds: Int32) -> Int32 {
        let end = CaptureClock.system.now() + Int64(milliseconds) * 1_000_000
        while true {
            if waitingFrames() >= format.periodFrames { return 1 }
            let rest = (end - CaptureClock.system.now()) / 1_000_000
            guard rest > 0 else { return waitingFrames() > 0 ? 1 : 0 }
            guard connection.processMessages(waitingMilliseconds: Int32(clamping: rest)) else {
                return -ECONNREFUSED
            }
            guard isStreamReady else { return -ENODEV }
        }
    }

    func read(into bytes: UnsafeMutableRawPointer, frames: Int) -> Int {
        guard let stream else { return -Int(ENODEV) }
        let wanted = frames * frameBytes
        var count = 0
        while count < wanted {
            var block: UnsafeRawPointer?
            var blockBytes = 0
            guard connection.library.streamPeek(stream, &block, &blockBytes) >= 0 else { return -Int(EIO) }
            guard blockBytes > 0 else { break }
            let taken = min(blockBytes - readBytesOfBlock, wanted - count)
            if let block {
                (bytes + count).copyMemory(from: block + readBytesOfBlock, byteCount: taken)
            } else {
                // A hole in the server's buffer.
                memset(bytes + count, 0, taken)
            }
            count += taken
            readBytesOfBlock += taken
            guard readBytesOfBlock == blockBytes else { break }
            readBytesOfBlock = 0
            _ = connection.library.streamDrop(stream)
        }
        return count / frameBytes
    }

    func waitingFrames() -> Int {
        guard let stream else { return 0 }
        let bytes = connection.library.streamReadableBytes(stream)
        // The library's value for an error is -1 as an unsigned number.
        return bytes > 0 ? (bytes - readBytesOfBlock) / frameBytes : 0
    }

    func recover(from code: Int32) -> Int32 { code }

    func close() {
        guard let open = stream else { return }
        stream = nil
        _ = connection.library.streamDisconnect(open)
        connection.library.streamUnref(open)
    }
}
