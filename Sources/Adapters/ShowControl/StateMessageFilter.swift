import Podium

/// Selects the messages of a state that must be sent: the changed ones at once, all of them at intervals.
///
/// Continuously changing numbers are sent at most ten times a second. To be called at least once per heartbeat. Pure;
/// the caller supplies the time.
public struct StateMessageFilter: Sendable {
    public let heartbeat: Duration
    public let steadyInterval: Duration
    private var sent: [String: OSCMessage] = [:]
    private var steadySent: [String: Duration] = [:]
    private var allSent: Duration?

    public init(heartbeat: Duration = .seconds(2), steadyInterval: Duration = .milliseconds(100)) {
        self.heartbeat = heartbeat
        self.steadyInterval = steadyInterval
    }

    public mutating func messages(for state: PublishedShowState, at now: Duration) -> [OSCMessage] {
        let all = ShowControlAddresses.messages(for: state)
        let isDue = allSent.map { now - $0 >= heartbeat } ?? true
        if isDue { allSent = now }
        return all.filter { message in
            guard isDue || isWorthSending(message, at: now) else { return false }
            sent[message.address] = message
            steadySent[message.address] = now
            return true
        }
    }

    private func isWorthSending(_ message: OSCMessage, at now: Duration) -> Bool {
        guard sent[message.address] != message else { return false }
        guard ShowControlAddresses.steadyAddresses.contains(message.address),
            let last = steadySent[message.address]
        else { return true }
        return now - last >= steadyInterval
    }
}
