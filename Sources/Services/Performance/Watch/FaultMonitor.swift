import Foundation
import Hosting
import NetworkLinks
import Platform
import Podium
import ShowControl

/// Watches for technical faults four times a second, and tells the show engine when one begins and when it is over.
struct FaultMonitor {
    let showInbox: ShowInbox
    let followLane: FollowLane
    let input: any SoundSource
    let packetSender: PhonePacketSender?
    let oscOutput: OSCOutput?
    let brokerOutputs: [BrokerOutput]
    let midiConnections: MIDIConnections
    let dataFolderPath: String
    /// Called with the state of all targets.
    let publishTargets: @Sendable ([OutputTargetJSON]) -> Void

    /// The faults that services watch for.
    let serviceFaults: [WatchedFault]

    /// The faults found at startup. They are reported each time this server becomes active, but not looked for again.
    let startupFaults: StartupFaults

    private var openFaultIDs: Set<String> = []
    private var wasActive = false
    private var clockStepDetector = ClockStepDetector()
    private var lastFailedPacketCount: UInt64 = 0
    private var lastPacketFailureTime = -1e9
    private var lastOverrunCount = 0
    private var lastOverrunTime = -1e9
    /// nil until the input was looked at: dropouts from before are no news.
    private var lastDropoutCount: Int?
    private var lastDropoutTime = -1e9
    private var lastOSCRefusalCount: UInt64 = 0
    private var lastOSCRefusalTime = -1e9
    private var clockStepTime = -1e9
    private var clockStepSeconds = 0.0

    init(
        showInbox: ShowInbox, followLane: FollowLane, input: any SoundSource,
        packetSender: PhonePacketSender?,
        oscOutput: OSCOutput?,
        brokerOutputs: [BrokerOutput], midiConnections: MIDIConnections = MIDIConnections(),
        dataFolderPath: String, startupFaults: StartupFaults = StartupFaults(),
        serviceFaults: [WatchedFault] = [],
        publishTargets: @escaping @Sendable ([OutputTargetJSON]) -> Void = { _ in }
    ) {
        self.serviceFaults = serviceFaults
        self.startupFaults = startupFaults
        self.showInbox = showInbox
        self.followLane = followLane
        self.input = input
        self.packetSender = packetSender
        self.oscOutput = oscOutput
        self.brokerOutputs = brokerOutputs
        self.midiConnections = midiConnections
        self.dataFolderPath = dataFolderPath
        self.publishTargets = publishTargets
    }

    mutating func run() async {
        while !Task.isCancelled {
            checkForFaults()
            publishTargets(outputTargets)
            try? await Task.sleep(for: .milliseconds(250))
        }
    }

    /// The state of every target to which packets, cues and state are sent.
    private var outputTargets: [OutputTargetJSON] {
        var fields: [OutputTargetJSON] = []
        if let packetSender {
            let isFailing = openFaultIDs.contains("network")
            fields.append(
                OutputTargetJSON(
                    kind: "multicast", name: "\(packetSender.endpoint.group):\(packetSender.endpoint.port)",
                    ok: !isFailing, answers: false,
                    detail: isFailing
                        ? "Packets cannot be sent." : "Through \(packetSender.endpoint.interface)."))
        }
        for target in oscOutput?.showControlService.stateReceivers.targetStatuses ?? [] {
            fields.append(
                OutputTargetJSON(
                    kind: "osc", name: target.target.name, ok: target.hasNoRecentFailure,
                    answers: target.hasAnswered,
                    detail: target.lastFailure ?? (target.hasAnswered ? "It answers." : "Sent, unconfirmed."),
                    address: target.target.address, isAdded: target.target.isAdded)
            )
        }
        for brokerOutput in brokerOutputs {
            let status = brokerOutput.client?.status
            fields.append(
                OutputTargetJSON(
                    kind: "mqtt", name: brokerOutput.address, ok: status?.isConnected ?? true,
                    answers: status?.isConnected ?? false,
                    detail: status.map { $0.isConnected ? "Connected." : $0.lastFault ?? "No answer yet." }
                        ?? "The other server publishes to it."))
        }
        return fields + midiConnections.targets
    }

    /// Looks for faults. The show engine accepts faults only while this server is active. When this server becomes
    /// active, all present faults are reported. Faults that the other server left open are ended if they do not exist
    /// here.
    mutating func checkForFaults() {
        let snapshot = showInbox.newestSnapshot
        guard snapshot.isActiveServer else {
            openFaultIDs = []
            wasActive = false
            return
        }
        checkAllFaults()
        guard !wasActive else { return }
        wasActive = true
        let standing = startupFaults.all
        for fault in snapshot.openFaults
        where !openFaultIDs.contains(fault.id) && fault.id != ShowEngine.logFaultID
            && !standing.contains(where: { $0.id == fault.id })
        {
            showInbox.post(.faultEnded(fault.id))
        }
        for fault in standing { showInbox.post(.fault(fault)) }
    }

    private mutating func checkAllFaults() {
        let now = Double(MonotonicClock.now.nanoseconds) / 1e9
        checkInput(now: now)
        checkNetwork(now: now)
        checkHopDurations(now: now)
        checkClock(now: now)
        checkBrokers()
        checkDiskSpace()
        let snapshot = showInbox.newestSnapshot
        for fault in serviceFaults { setFault(fault.id, fault.findFault(snapshot)) }
        checkOSCTargets()
        checkOSCRefusals(now: now)
    }

    private mutating func checkInput(now: Double) {
        let status = input.status
        // The reason may be sentences; it stands within brackets.
        var reason = status.failureReason ?? "no reason given"
        if reason.hasSuffix(".") { reason.removeLast() }
        setFault(
            "input",
            status.isLost
                ? "The audio input “\(input.name)” is gone (\(reason)); "
                    + "\(status.remedy). The place goes on by tempo for a few seconds, then it stands; take over if it lasts."
                : nil)
        if let lastDropoutCount, status.overruns > lastDropoutCount { lastDropoutTime = now }
        lastDropoutCount = status.overruns
        setFault(
            "dropouts",
            now - lastDropoutTime < 10
                ? "Sound was lost because this machine fetched it too late (dropout \(status.overruns)); "
                    + "silence took its place. Close other programs on this machine."
                : nil)
    }

    private mutating func checkNetwork(now: Double) {
        guard let packetSender else { return }
        let failed = packetSender.transmitterCounters.failed
        if failed > lastFailedPacketCount { lastPacketFailureTime = now }
        lastFailedPacketCount = failed
        let isFailing = now - lastPacketFailureTime < 3
        setFault(
            "network",
            isFailing
                ? "Packets to the phones fail "
                    + "(\(packetSender.transmitterCounters.lastFailure ?? "no reason given")); "
                    + "check cable and interface \(packetSender.endpoint.interface). "
                    + "Sending goes on automatically."
                : nil)
    }

    private mutating func checkHopDurations(now: Double) {
        let hops = followLane.hopDurationMeter.readStatistics()
        if hops.hopsOverLimit > lastOverrunCount { lastOverrunTime = now }
        lastOverrunCount = hops.hopsOverLimit
        setFault(
            "overrun",
            now - lastOverrunTime < 10
                ? "Following takes too long (\(hops.hopsOverLimit) late hops so far); "
                    + "close other programs on this machine."
                : nil)
    }

    private mutating func checkClock(now: Double) {
        if let stepped = clockStepDetector.detectStep(wall: Date().timeIntervalSince1970, passed: now) {
            (clockStepSeconds, clockStepTime) = (stepped, now)
        }
        setFault(
            "clock",
            now - clockStepTime < 30
                ? "The machine's clock was set by \(signedTenthsText(clockStepSeconds)) s; this affects nothing but "
                    + "times of day in the log."
                : nil)
    }

    private mutating func checkBrokers() {
        for (index, output) in brokerOutputs.enumerated() {
            guard let status = output.client?.status else { continue }
            setFault(
                index == 0 ? "broker" : "broker-\(index + 1)",
                status.isConnected
                    ? nil
                    : "The MQTT broker cannot be reached: \(status.lastFault ?? "no answer yet.") "
                        + "The server keeps trying.")
        }
    }

    private mutating func checkDiskSpace() {
        guard let free = DiskReserve.diskSpace(dataFolderPath)?.free else { return }
        setFault(
            "disk-space",
            free < 200_000_000
                ? "Only \(free / 1_000_000) MB are left on the disk of \(dataFolderPath); delete files there."
                : nil)
    }

    private mutating func checkOSCTargets() {
        for target in oscOutput?.showControlService.stateReceivers.targetStatuses ?? [] {
            setFault(
                "osc-\(target.target.name)",
                target.lastFailure.map { "The OSC target “\(target.target.name)” cannot be reached: \($0)" })
        }
    }

    /// What is no OSC, and commands without a right, are a fault for half a minute, so that somebody sees why a desk
    /// does nothing.
    private mutating func checkOSCRefusals(now: Double) {
        guard let counters = oscOutput?.showControlService.counters else { return }
        if counters.refusals > lastOSCRefusalCount { lastOSCRefusalTime = now }
        lastOSCRefusalCount = counters.refusals
        setFault(
            "osc-refused",
            now - lastOSCRefusalTime < 30 ? "OSC was refused. \(counters.lastRefusal ?? "")" : nil)
    }

    private func signedTenthsText(_ value: Double) -> String {
        (value >= 0 ? "+" : "") + value.decimalText(1)
    }

    /// Reports a fault once when it begins, and once when it is over.
    /// - Parameter sentence: describes the fault; nil if all is well.
    private mutating func setFault(_ id: String, _ sentence: String?) {
        if let sentence {
            guard openFaultIDs.insert(id).inserted else { return }
            showInbox.post(.fault(TechnicalFault(id: id, sentence: sentence)))
        } else if openFaultIDs.remove(id) != nil {
            showInbox.post(.faultEnded(id))
        }
    }
}
