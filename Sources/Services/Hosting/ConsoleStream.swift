import Foundation
import Synchronization
import WebServer

/// The sections of the console's live stream: each is one JSON object, sent whole when it has changed.
/// docs/console-api.md names every field.
enum ConsoleSection: String, CaseIterable {
    case show, position, follower, meters, history, cues, programme, message, help, faults, targets, check,
        backup
}

/// The console's live stream, which every service fills with sections of its own. Any thread.
final class ConsoleStream: Sendable {
    let hub: EventHub
    private let sent = Mutex<[ConsoleSection: [UInt8]]>([:])

    init(_ hub: EventHub) { self.hub = hub }

    /// Sends a section to all consoles, unless its bytes are as before.
    func publish(_ section: ConsoleSection, _ value: some Encodable) {
        let bytes = Self.bytes(of: value)
        sent.withLock { sent in
            guard sent[section] != bytes else { return }
            sent[section] = bytes
            hub.publish(section.rawValue, bytes)
        }
    }

    /// Keeps a section for consoles that connect from now on; those that are connected make it up themselves.
    func keep(_ section: ConsoleSection, _ value: some Encodable) {
        hub.keep(section.rawValue, Self.bytes(of: value))
    }

    /// Sends something that only consoles connected now are told.
    func pass(_ name: String, _ value: some Encodable) { hub.pass(name, Self.bytes(of: value)) }

    private static func bytes(of value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map(Array.init) ?? Array("null".utf8)
    }
}

/// Rounds to three decimals; 0 for what is not a number.
func thousandths(_ value: Double) -> Double {
    value.isFinite ? (value * 1_000).rounded() / 1_000 : 0
}
