/// A person or program that gives a command, with its role.
public struct CommandSender: Hashable, Sendable, Codable {
    /// The account name or seat name.
    public var name: String
    public var role: CommandSenderRole

    public init(name: String, role: CommandSenderRole) {
        self.name = name
        self.role = role
    }
}

/// The role that decides which commands are allowed.
public enum CommandSenderRole: String, Hashable, Sendable, Codable, CaseIterable {
    case technician
    case administrator
    case conductor
    case presenter
    /// A control desk that sends OSC or MQTT; it has the technician's rights.
    case showControl = "show-control"
    /// A script; it has the technician's rights.
    case automation

    /// True for every role except the conductor's stand and a presenter's seat: it may give all commands.
    public var actsForTechnician: Bool { self != .conductor && self != .presenter }
}
