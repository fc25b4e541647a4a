import Foundation
import Hosting
import MessageBroker
import Podium
import RealTime
import ShowControl

/// Watches for technical faults four times a second, and reports to the show engine when one begins and when it is
/// over.
struct ServeWatch {
    let show: ShowInbox
    let lane: FollowLane
    let input: any LiveInput
    let air: LiveAir?
    let osc: OSCOutput?
    let broker: BrokerOutput?
    let folder: String
    /// Called with the state of all targets.
    let tell: @Sendable ([TargetField]) -> Void

    /// Faults that services watch for.
    let further: [WatchedFault]

    /// Faults found at startup. They are reported again, but not looked for again.
    let found: StartFaults

    private var open: Set<String> = []
    private var reigned = false
    private var clock = ClockWatch()
    private var failedPackets: UInt64 = 0
    private var failedAt = -1e9
    private var overruns = 0
    private var overrunAt = -1e9
    private var stepAt = -1e9
    private var step = 0.0

    init(
        show: ShowInbox, lane: FollowLane, input: any LiveInput, air: LiveAir?, osc: OSCOutput?,
        broker: BrokerOutput?, folder: String, found: StartFaults = StartFaults(),
        further: [WatchedFault] = [],
        tell: @escaping @Sendable ([TargetField]) -> Void = { _ in }
    ) {
        self.further = further
        self.found = found
        self.show = show
        self.lane = lane
        self.input = input
        self.air = air
        self.osc = osc
        self.broker = broker
        self.folder = folder
        self.tell = tell
    }

    mutating func run() async {
        while !Task.isCancelled {
            lookAround()
            tell(targets)
            try? await Task.sleep(for: .milliseconds(250))
        }
    }

    /// The state of every target to which packets, cues and state are sent.
    private var targets: [TargetField] {
        var fields: [TargetField] = []
        if let air {
            let isFailing = open.contains("network")
            fields.append(
                TargetField(
                    kind: "multicast", name: "\(air.endpoint.group):\(air.endpoint.port)", ok: !isFailing,
                    detail: isFailing ? "Packets cannot be sent." : "Through \(air.endpoint.interface)."))
        }
        for target in osc?.desk.subscribers.targets ?? [] {
            fields.append(
                TargetField(
                    kind: "osc", name: target.target.name, ok: target.isOK,
                    detail: target.fault ?? (target.hasAnswered ? "It answers." : "Sent, unconfirmed.")))
        }
        if let broker {
            let status = broker.client?.status
            fields.append(
                TargetField(
                    kind: "mqtt", name: broker.name, ok: status?.isConnected ?? true,
                    detail: status.map { $0.isConnected ? "Connected." : $0.lastFault ?? "No answer yet." }
                        ?? "The other server publishes to it."))
        }
        return fields
    }

    /// Looks for faults. The show engine accepts them only while this server is active. When it becomes active, all
    /// present faults are reported, and those that the other server left open are ended if they do not exist here.
    mutating func lookAround() {
        let picture = show.newestPicture
        guard picture.isOurs else {
            open = []
            reigned = false
            return
        }
        look()
        guard !reigned else { return }
        reigned = true
        let standing = found.all
        for fault in picture.openFaults
        where !open.contains(fault.id) && fault.id != ShowDesk.logFault
            && !standing.contains(where: { $0.id == fault.id })
        {
            show.tell(.faultEnded(fault.id))
        }
        for fault in standing { show.tell(.fault(fault)) }
    }

    private mutating func look() {
        let now = Double(MonotonicClock.now.nanoseconds) / 1e9
        let status = input.status
        set(
            "input",
            status.isLost
                ? "The audio input “\(input.name)” is gone (\(status.problem ?? "no reason given")); plug it in "
                    + "again; it is then opened automatically. Meanwhile the position goes on by tempo; "
                    + "take over if it lasts."
                : nil)
        if let air {
            let failed = air.counters.failed
            if failed > failedPackets { failedAt = now }
            failedPackets = failed
            let isFailing = now - failedAt < 3
            set(
                "network",
                isFailing
                    ? "Packets to the phones fail (\(air.counters.lastFailure ?? "no reason given")); check cable and "
                        + "interface \(air.endpoint.interface). Sending goes on automatically."
                    : nil)
        }
        let hops = lane.hopTime.reading()
        if hops.overruns > overruns { overrunAt = now }
        overruns = hops.overruns
        set(
            "overrun",
            now - overrunAt < 10
                ? "Following takes too long (\(hops.overruns) late hops so far); close other programs on this machine."
                : nil)
        if let stepped = clock.look(wall: Date().timeIntervalSince1970, passed: now) {
            (step, stepAt) = (stepped, now)
        }
        set(
            "clock",
            now - stepAt < 30
                ? "The machine's clock was set by \(tenths(step)) s; this affects nothing but times of day in "
                    + "the log." : nil)
        if let status = broker?.client?.status {
            set(
                "broker",
                status.isConnected
                    ? nil
                    : "The MQTT broker cannot be reached: \(status.lastFault ?? "no answer yet.") "
                        + "The server keeps trying."
            )
        }
        if let free = DiskReserve.room(folder)?.free {
            set(
                "disk-space",
                free < 200_000_000
                    ? "Only \(free / 1_000_000) MB are left on the disk of \(folder); delete files there."
                    : nil)
        }
        let picture = show.newestPicture
        for fault in further { set(fault.id, fault.look(picture)) }
        if let osc {
            for target in osc.desk.subscribers.targets {
                set(
                    "osc-\(target.target.name)",
                    target.fault.map { "The OSC target “\(target.target.name)” cannot be reached: \($0)" })
            }
        }
    }

    private func tenths(_ value: Double) -> String { (value >= 0 ? "+" : "") + value.digits(1) }

    /// Reports a fault once when it begins, and once when it is over.
    /// - Parameter sentence: describes the fault; nil if all is well.
    private mutating func set(_ id: String, _ sentence: String?) {
        if let sentence {
            guard open.insert(id).inserted else { return }
            show.tell(.fault(TechnicalFault(id: id, sentence: sentence)))
        } else if open.remove(id) != nil {
            show.tell(.faultEnded(id))
        }
    }
}
