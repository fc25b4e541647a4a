import Foundation
import Synchronization
import WebServer

/// The name of a section of the console's live stream. A section is one JSON value, sent whole whenever it changes.
/// Each service declares its own sections in an extension; docs/console-api.md describes every field.
package struct ConsoleSection: Hashable, Sendable {
    /// The event's name in the stream.
    package let name: String

    package init(_ name: String) { self.name = name }
}

/// The console's live event stream, to which every service publishes its sections. May be called from any thread.
package final class ConsoleStream: Sendable {
    package let eventHub: EventHub
    private let lastSentBytes = Mutex<[ConsoleSection: [UInt8]]>([:])

    package init(_ hub: EventHub) { self.eventHub = hub }

    /// Sends a section to all connected consoles, unless its encoded bytes are unchanged.
    package func publish(_ section: ConsoleSection, _ value: some Encodable) {
        let bytes = Self.bytes(of: value)
        lastSentBytes.withLock { sent in
            guard sent[section] != bytes else { return }
            sent[section] = bytes
            eventHub.publishStateSection(section.name, bytes)
        }
    }

    /// Stores a section for consoles that connect later; connected consoles compute its new value themselves.
    package func storeForNewClients(_ section: ConsoleSection, _ value: some Encodable) {
        eventHub.setStateSectionForNewListeners(section.name, Self.bytes(of: value))
    }

    /// Sends an event to the consoles that are connected now, without storing it for later ones.
    package func sendOnce(_ name: String, _ value: some Encodable) {
        eventHub.sendTransient(name, Self.bytes(of: value))
    }

    private static func bytes(of value: some Encodable) -> [UInt8] { JSONBody.encode(value) }
}

/// Rounds to three decimals; returns 0 for infinity and NaN.
package func roundedToThousandths(_ value: Double) -> Double {
    value.isFinite ? (value * 1_000).rounded() / 1_000 : 0
}
