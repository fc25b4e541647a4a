import Podium

/// Selects the messages of a state that must be sent: the changed ones at once, all of them at intervals.
///
/// Continuously changing numbers are sent at most ten times a second. `messages(for:at:)` must be called at least once
/// per heartbeat. The filter reads no clock; the caller supplies the time.
public struct StateMessageFilter: Sendable {
    public let heartbeat: Duration
    public let continuousInterval: Duration
    private var sent: [String: OSCMessage] = [:]
    private var lastSentTimes: [String: Duration] = [:]
    private var lastFullSend: Duration?

    public init(heartbeat: Duration = .seconds(2), continuousInterval: Duration = .milliseconds(100)) {
        self.heartbeat = heartbeat
        self.continuousInterval = continuousInterval
    }

    public mutating func messages(for state: PublishedShowState, at now: Duration) -> [OSCMessage] {
        let all = ShowControlMessages.messages(for: state)
        let isDue = lastFullSend.map { now - $0 >= heartbeat } ?? true
        if isDue { lastFullSend = now }
        return all.filter { message in
            guard isDue || isWorthSending(message, at: now) else { return false }
            sent[message.address] = message
            lastSentTimes[message.address] = now
            return true
        }
    }

    private func isWorthSending(_ message: OSCMessage, at now: Duration) -> Bool {
        guard sent[message.address] != message else { return false }
        guard ShowControlMessages.continuousAddresses.contains(message.address),
            let last = lastSentTimes[message.address]
        else { return true }
        return now - last >= continuousInterval
    }
}
