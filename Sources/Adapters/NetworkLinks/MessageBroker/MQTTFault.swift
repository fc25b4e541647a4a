import Basics
import CMosquitto
import Glibc

/// The reason why the broker cannot be reached, or a message cannot be sent.
public enum MQTTFault: Explained, Hashable, Sendable {
    case hostUnknown(String)
    case portOutOfRange(Int)
    case nameUnusableInTopics(String)
    case invalidTopic(String)
    case payloadTooLong(bytes: Int, most: Int)
    /// The broker refused the connection with this MQTT return code.
    case connectionRefusedByBroker(code: Int32)
    case certificatesUnusable(file: String)
    case encryptionFailed(host: String)
    case noAnswer(host: String, port: Int)
    /// The connection ended; `reason` is libmosquitto's text.
    case connectionLost(reason: String)
    case brokerUnreachable(host: String, port: Int, errno: Int32)
    case libraryFailed(reason: String)

    public var sentence: String {
        switch self {
        case .hostUnknown(let host): "The broker's name '\(host)' was not found on the network; check it."
        case .portOutOfRange(let port): "Port \(port) does not exist; give one from 1 to 65535."
        case .nameUnusableInTopics(let name):
            "'\(name)' cannot be part of a topic; use 1 to 64 characters without '/', '+', '#' and spaces."
        case .invalidTopic(let topic): "'\(topic.prefix(80))' is not a topic that can be used here."
        case .payloadTooLong(let bytes, let most): "A message has \(bytes) bytes; at most \(most) are sent."
        case .connectionRefusedByBroker(let code):
            switch code {
            case 4, 5: "The broker refused the sign-in; check the user name and the password."
            default: "The broker refused the connection: \(String(cString: mosquitto_connack_string(code)))"
            }
        case .certificatesUnusable(let file):
            "The certificates in '\(file)' cannot be used; check the path and that it is a PEM file."
        case .encryptionFailed(let host):
            "No secure connection to '\(host)' could be made; check its certificate, ours, and the port."
        case .noAnswer(let host, let port):
            "No MQTT broker answered at \(host):\(port); check the host and the port."
        case .connectionLost(let reason):
            "The connection to the broker ended: \(reason) Baton reconnects by itself."
        case .brokerUnreachable(let host, let port, let errno) where errno == ECONNREFUSED:
            "No broker listens at \(host):\(port); is it started, and its port right?"
        case .brokerUnreachable(let host, let port, let errno):
            "The broker at \(host):\(port) cannot be reached: \(String(cString: strerror(errno))) (error \(errno))."
        case .libraryFailed(let reason): "The MQTT library failed: \(reason)"
        }
    }

    /// Translates libmosquitto's error code.
    /// - Parameter errno: the value of `errno` directly after the failed call.
    static func wrapping(_ code: Int32, errno: Int32, settings: MQTTSettings) -> MQTTFault {
        switch code {
        case Int32(MOSQ_ERR_EAI.rawValue), Int32(MOSQ_ERR_LOOKUP.rawValue): .hostUnknown(settings.host)
        case Int32(MOSQ_ERR_ERRNO.rawValue):
            .brokerUnreachable(host: settings.host, port: settings.port, errno: errno)
        case Int32(MOSQ_ERR_TLS.rawValue), Int32(MOSQ_ERR_TLS_HANDSHAKE.rawValue):
            .encryptionFailed(host: settings.host)
        case Int32(MOSQ_ERR_CONN_LOST.rawValue), Int32(MOSQ_ERR_KEEPALIVE.rawValue),
            Int32(MOSQ_ERR_NO_CONN.rawValue):
            .connectionLost(reason: String(cString: mosquitto_strerror(code)))
        default: .libraryFailed(reason: String(cString: mosquitto_strerror(code)))
        }
    }
}
