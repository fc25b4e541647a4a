import CMosquitto
import Glibc
import Synchronization

/// The thread that talks to the MQTT broker: it connects, sends, receives, and starts again when the connection ends.
/// Only this thread uses libmosquitto. A broker that hangs in a name look-up or a handshake therefore delays no other
/// part of the program.
final class MQTTThread {
    private let settings: MQTTSettings
    private let sharedState: MQTTSharedState
    private let threadEnded: DoneFlag
    private var reconnectPause: ReconnectBackoff
    private var mosquittoClient: OpaquePointer?
    private var connectResult: Int32?
    private var onlineTopic: String { MQTTTopics.makeTopic(settings.nameInTopics, "online") }

    /// Initialises libmosquitto once, because the initialisation must not run twice at the same time.
    private static let libraryStart: Void = { mosquitto_lib_init() }()

    private init(settings: MQTTSettings, desk: MQTTSharedState, ended: DoneFlag) {
        self.settings = settings
        self.sharedState = desk
        self.threadEnded = ended
        reconnectPause = settings.reconnectPause
    }

    static func start(settings: MQTTSettings, desk: MQTTSharedState, ended: DoneFlag) -> Bool {
        _ = libraryStart
        let thread = MQTTThread(settings: settings, desk: desk, ended: ended)
        let box = Unmanaged.passRetained(thread)
        var handle = pthread_t()
        let code = pthread_create(
            &handle, nil,
            { argument in
                Unmanaged<MQTTThread>.fromOpaque(argument!).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            return false
        }
        pthread_detach(handle)
        return true
    }

    private func run() {
        // libmosquitto may write to a socket that is already closed: that must be an error, not the signal SIGPIPE.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        while !sharedState.isClosing {
            let fault = runConnection()
            sharedState.recordDisconnection(fault)
            if !sharedState.isClosing { wait(for: reconnectPause.takePauseAfterFailure()) }
        }
        sharedState.endAllStreams()
        threadEnded.set()
    }

    /// Runs one connection to the broker, from the look-up of its name to the connection's end. Returns why the
    /// connection ended; nil if it was asked to end.
    private func runConnection() -> MQTTFault? {
        connectResult = nil
        guard let client = mosquitto_new(nil, true, Unmanaged.passUnretained(self).toOpaque()) else {
            return .libraryFailed(reason: "no memory for a client.")
        }
        self.mosquittoClient = client
        defer {
            mosquitto_destroy(client)
            self.mosquittoClient = nil
        }
        if let fault = configure(client) { return fault }
        let keepAlive = Int32(clamping: max(5, settings.keepAliveSeconds))
        errno = 0
        let code = mosquitto_connect(client, settings.host, Int32(settings.port), keepAlive)
        guard code == Int32(MOSQ_ERR_SUCCESS.rawValue) else {
            return .wrapping(code, errno: errno, settings: settings)
        }
        let fault = exchangeMessages(client)
        if sharedState.isClosing, connectResult == 0 { disconnectCleanly(client) }
        return fault
    }

    private func configure(_ client: OpaquePointer) -> MQTTFault? {
        mosquitto_will_set(client, onlineTopic, 1, "0", 1, true)
        if let user = settings.user {
            mosquitto_username_pw_set(client, user, settings.password)
        }
        if let file = settings.certificatesFile {
            let own = settings.ownCertificate
            // A key with a passphrase must fail: libmosquitto would otherwise ask for the passphrase on the terminal.
            let code = mosquitto_tls_set(client, file, nil, own?.certificateFile, own?.keyFile) {
                _, _, _, _ in 0
            }
            guard code == Int32(MOSQ_ERR_SUCCESS.rawValue) else { return .certificatesUnusable(file: file) }
        }
        mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1)
        mosquitto_connect_callback_set(client) { _, object, code in
            Unmanaged<MQTTThread>.fromOpaque(object!).takeUnretainedValue().connectResult = code
        }
        mosquitto_message_callback_set(client) { _, object, message in
            guard let message = message?.pointee, let topic = message.topic else { return }
            let count = Int(message.payloadlen)
            guard count <= MQTTSharedState.longestPayload else { return }
            let payload = count > 0 ? Array(UnsafeRawBufferPointer(start: message.payload, count: count)) : []
            let heard = MQTTMessage(
                topic: String(cString: topic), payload: payload, isRetained: message.retain)
            Unmanaged<MQTTThread>.fromOpaque(object!).takeUnretainedValue().receive(heard)
        }
        return nil
    }

    private func exchangeMessages(_ client: OpaquePointer) -> MQTTFault? {
        let patience = ContinuousClock.now + .seconds(10)
        var isUp = false
        while !sharedState.isClosing {
            if let connectResult, !isUp {
                guard connectResult == 0 else { return .connectionRefusedByBroker(code: connectResult) }
                isUp = true
                reconnectPause.resetAfterSuccess()
                mosquitto_publish(client, nil, onlineTopic, 1, "1", 1, true)
                sharedState.recordConnection()
            }
            if !isUp, .now > patience { return .noAnswer(host: settings.host, port: settings.port) }
            if isUp, let fault = sendPending(client) { return fault }
            if let fault = pollOnce(client) {
                // The program at that port closed the connection without sending any MQTT.
                if connectResult == nil, case .connectionLost = fault {
                    return .noAnswer(host: settings.host, port: settings.port)
                }
                if let connectResult, connectResult != 0 {
                    return .connectionRefusedByBroker(code: connectResult)
                }
                return fault
            }
        }
        return nil
    }

    /// Passes messages to libmosquitto only while it sends each one at once. Other messages wait in the outbox, where a
    /// newer state replaces an older one.
    private func sendPending(_ client: OpaquePointer) -> MQTTFault? {
        while let order = sharedState.nextSubscriptionChange() {
            switch order {
            case .subscribe(let filter): mosquitto_subscribe(client, nil, filter, 1)
            case .unsubscribe(let filter): mosquitto_unsubscribe(client, nil, filter)
            }
        }
        while !mosquitto_want_write(client), let letter = sharedState.nextMessage() {
            errno = 0
            let code = mosquitto_publish(
                client, nil, letter.topic, Int32(letter.payload.count), letter.payload, 0, letter.isRetained)
            switch code {
            case Int32(MOSQ_ERR_SUCCESS.rawValue): continue
            case Int32(MOSQ_ERR_PAYLOAD_SIZE.rawValue), Int32(MOSQ_ERR_OVERSIZE_PACKET.rawValue),
                Int32(MOSQ_ERR_INVAL.rawValue), Int32(MOSQ_ERR_MALFORMED_UTF8.rawValue):
                sharedState.recordFault(.invalidTopic(letter.topic))
            default: return .wrapping(code, errno: errno, settings: settings)
            }
        }
        return nil
    }

    /// Waits for the socket or for a wake-up, at most 200 ms, then lets libmosquitto work.
    private func pollOnce(_ client: OpaquePointer) -> MQTTFault? {
        let socket = mosquitto_socket(client)
        guard socket >= 0 else { return .connectionLost(reason: "the socket is closed.") }
        let events = Int16(POLLIN) | (mosquitto_want_write(client) ? Int16(POLLOUT) : 0)
        var waits = [
            pollfd(fd: socket, events: events, revents: 0),
            pollfd(fd: sharedState.wakePipe.readEnd, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&waits, 2, 200)
        sharedState.wakePipe.drain()
        errno = 0
        var code = Int32(MOSQ_ERR_SUCCESS.rawValue)
        if waits[0].revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
            code = mosquitto_loop_read(client, 16)
        }
        if code == 0, waits[0].revents & Int16(POLLOUT) != 0 { code = mosquitto_loop_write(client, 1) }
        if code == 0 { code = mosquitto_loop_misc(client) }
        return code == 0 ? nil : .wrapping(code, errno: errno, settings: settings)
    }

    private func receive(_ message: MQTTMessage) {
        sharedState.deliver(message) { filter in
            var result = false
            return mosquitto_topic_matches_sub(filter, message.topic, &result) == 0 && result
        }
    }

    /// Disconnects from the broker cleanly. A clean disconnect suppresses the last will, so this function publishes the
    /// same message itself and gives it half a second to leave.
    private func disconnectCleanly(_ client: OpaquePointer) {
        while let letter = sharedState.nextMessage() {
            mosquitto_publish(
                client, nil, letter.topic, Int32(letter.payload.count), letter.payload, 0, letter.isRetained)
        }
        mosquitto_publish(client, nil, onlineTopic, 1, "0", 0, true)
        let end = ContinuousClock.now + .milliseconds(500)
        while mosquitto_want_write(client), .now < end { if pollOnce(client) != nil { return } }
        mosquitto_disconnect(client)
        while mosquitto_want_write(client), .now < end { if pollOnce(client) != nil { return } }
    }

    private func wait(for pause: Duration) {
        let end = ContinuousClock.now + pause
        while !sharedState.isClosing, .now < end {
            var wait = pollfd(fd: sharedState.wakePipe.readEnd, events: Int16(POLLIN), revents: 0)
            let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            _ = poll(&wait, 1, Int32(max(1, left)))
            sharedState.wakePipe.drain()
        }
    }
}

/// A flag that the broker's thread sets once, as its last action.
final class DoneFlag: Sendable {
    private let flag = Atomic(false)

    func set() { flag.store(true, ordering: .releasing) }

    var isSet: Bool { flag.load(ordering: .acquiring) }
}

extension MQTTThread {
    static func isTopicFilter(_ filter: String) -> Bool {
        !filter.utf8.contains(0) && (1...1_024).contains(filter.utf8.count)
            && mosquitto_sub_topic_check(filter) == Int32(MOSQ_ERR_SUCCESS.rawValue)
    }
}
