/// Whoever gives a command, and with which right.
public struct Person: Hashable, Sendable, Codable {
    /// Account or seat name.
    public var name: String
    public var role: PersonRole

    public init(name: String, role: PersonRole) {
        self.name = name
        self.role = role
    }
}

/// With which right a command is given.
public enum PersonRole: String, Hashable, Sendable, Codable, CaseIterable {
    case technician
    case administrator
    case conductor
    case presenter
    /// A desk that sends show control (OSC, MQTT); acts for the technician.
    case showControl = "show-control"
    /// A script; acts for the technician.
    case automation

    /// Everything but the conductor's stand and a presenter's seat may command everything.
    public var actsForTechnician: Bool { self != .conductor && self != .presenter }
}
