/// A person or program that gives a command, with its role.
public struct CommandSender: Hashable, Sendable, Codable {
    /// The sender's account name or seat name.
    public var name: String
    public var role: CommandSenderRole
    /// Tells apart the devices on which people use one account; nil if the device is not known, and in logs from before
    /// version 9 of the rules.
    public var device: String?

    public init(name: String, role: CommandSenderRole, device: String? = nil) {
        self.name = name
        self.role = role
        self.device = device
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

    /// True if the role may give every command, as a technician may; false for a conductor's stand and a presenter's
    /// seat.
    public var hasTechnicianRights: Bool { self != .conductor && self != .presenter }
}
