import Podium

/// Selects the messages of a state that must be sent: the changed messages at once, all messages at intervals.
///
/// Continuously changing numbers are sent at most ten times a second. `selectDueMessages(for:at:)` must be called at
/// least once per heartbeat. The filter reads no clock; the caller supplies the time.
public struct StateMessageFilter: Sendable {
    public let fullSendInterval: Duration
    public let continuousSendInterval: Duration
    private var lastSentMessages: [String: OSCMessage] = [:]
    private var lastSentTimes: [String: Duration] = [:]
    private var lastFullSendTime: Duration?

    public init(
        fullSendInterval: Duration = .seconds(2), continuousSendInterval: Duration = .milliseconds(100)
    ) {
        self.fullSendInterval = fullSendInterval
        self.continuousSendInterval = continuousSendInterval
    }

    public mutating func selectDueMessages(for state: PublishedShowState, at now: Duration) -> [OSCMessage] {
        let all = ShowControlMessages.stateMessages(for: state)
        let isDue = lastFullSendTime.map { now - $0 >= fullSendInterval } ?? true
        if isDue { lastFullSendTime = now }
        return all.filter { message in
            guard isDue || isWorthSending(message, at: now) else { return false }
            lastSentMessages[message.address] = message
            lastSentTimes[message.address] = now
            return true
        }
    }

    private func isWorthSending(_ message: OSCMessage, at now: Duration) -> Bool {
        guard lastSentMessages[message.address] != message else { return false }
        guard ShowControlMessages.continuouslyChangingAddresses.contains(message.address),
            let last = lastSentTimes[message.address]
        else { return true }
        return now - last >= continuousSendInterval
    }
}
