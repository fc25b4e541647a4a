import Basics
import Foundation
import Hosting
import NetworkLinks
import Podium
import ShowControl
import WebServer

/// The OSC targets that people add on the console, and tests of targets and cues.
///
/// Added targets are kept in `DATA/osc-targets.json`. Those of the command line are changed there.
package actor OutputTargetsService: HostedService {
    private let receivers: OSCStateReceivers?
    private let settings: ShowControlService.Settings?
    private let broker: BrokerOutput?
    private let midi: MIDIConnections
    private let cueTargets: CueTargets
    private let inbox: ShowInbox
    private let path: String

    package init(_ components: PerformanceComponents) {
        self.init(
            receivers: components.oscOutput?.showControlService.stateReceivers,
            settings: components.settings.oscSettings, broker: components.brokerOutputs.first,
            midi: components.midiConnections, cueTargets: components.cueTargets, inbox: components.inbox,
            dataFolder: components.settings.dataFolder)
    }

    /// - Parameter receivers: the targets; nil if OSC is off.
    init(
        receivers: OSCStateReceivers?, settings: ShowControlService.Settings?, broker: BrokerOutput? = nil,
        midi: MIDIConnections = MIDIConnections(), cueTargets: CueTargets, inbox: ShowInbox,
        dataFolder: String
    ) {
        (self.receivers, self.settings, self.broker, self.midi) = (receivers, settings, broker, midi)
        (self.cueTargets, self.inbox) = (cueTargets, inbox)
        path = OSCTargetFile.path(in: dataFolder)
    }

    /// A server's targets are its own, also while another server is active.
    package nonisolated var refusesChangesWhileInactive: Bool { true }

    package nonisolated var routes: [WebRoute] {
        [
            WebRoute(.post, "/api/targets", .roles(WebRole.operators), bodyLimitBytes: 4_096) { request in
                try await self.add(try JSONBody.decode(OSCTargetFile.Entry.self, from: request.body))
                return .succeeded
            },
            WebRoute(.delete, "/api/targets", .roles(WebRole.operators)) { request in
                try await self.remove(request.queryParameters["name"] ?? "")
                return .succeeded
            },
            WebRoute(.post, "/api/targets/ping", .roles(WebRole.operators), bodyLimitBytes: 4_096) {
                request in
                struct Wish: Decodable { var name: String }
                let wish = try JSONBody.decode(Wish.self, from: request.body)
                return .json(TestAnswer(try await self.ping(wish.name)))
            },
            WebRoute(.post, "/api/cue-test", .roles(WebRole.operators), bodyLimitBytes: 16_384) { request in
                try await self.test(try JSONBody.decode(TestedCue.self, from: request.body))
            },
        ]
    }

    /// The result of a test: `failed` if nothing listens there, and a sentence for whoever tested.
    struct TestAnswer: Encodable {
        var failed: Bool
        var sentence: String

        init(_ outcome: OSCPingOutcome) {
            if case .failed = outcome { failed = true } else { failed = false }
            sentence = outcome.sentence
        }
    }

    struct TestedCue: Decodable {
        var name: String
        var kind: CueKind
        var target: String
        var payload: String
    }

    func add(_ entry: OSCTargetFile.Entry) async throws {
        guard let receivers, var settings else { throw Self.oscIsOff }
        let target: OSCTarget
        do throws(ExplainedError) { target = try entry.makeTarget() } catch {
            throw Refusal(422, "bad-target", error.sentence)
        }
        settings.targets = [target]
        if let error = await Self.findTargetAtThisServer(settings) {
            throw Refusal(422, "bad-target", error.sentence)
        }
        if let same = receivers.targets.first(where: {
            $0.isIdentified(by: target.name) || $0.hasPlace(of: target)
        }) {
            throw Refusal(
                409, "target-is-there",
                "“\(same.name)” at \(same.address) is a target already; use it, or remove it first.")
        }
        guard receivers.targets.count < OSCStateReceivers.maximumTargets else {
            throw Refusal(409, "too-many", ShowControlError.tooManyTargets.sentence)
        }
        try keep(receivers.targets + [target])
        try receivers.addTarget(target)
    }

    /// Looks up the targets' hosts, which may take seconds, on a thread that may wait.
    private static func findTargetAtThisServer(_ settings: ShowControlService.Settings) async
        -> ExplainedError?
    {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                do throws(ExplainedError) {
                    try settings.refuseTargetsAtThisServer()
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error)
                }
            }
        }
    }

    private func keep(_ targets: [OSCTarget]) throws(Refusal) {
        do { try OSCTargetFile.write(targets, to: path) } catch {
            throw Refusal(
                507, "not-written",
                "\(path) cannot be written, so nothing was changed; look at the disk and its rights.")
        }
    }

    func remove(_ name: String) async throws {
        guard let target = receivers?.targets.first(where: { $0.name == name }) else {
            throw Refusal(404, "no-target", ShowControlError.unknownTarget(name).sentence)
        }
        guard target.isAdded else {
            throw Refusal(
                409, "fixed", "“\(name)” is set by --osc-target or in the settings file; remove it there.")
        }
        try keep(receivers?.targets.filter { $0.name != name } ?? [])
        await receivers?.removeTarget(named: name)
    }

    func ping(_ name: String) async throws -> OSCPingOutcome {
        guard let receivers else { throw Self.oscIsOff }
        return await receivers.pingTarget(name)
    }

    /// Sends a cue's message once, as GO does; the cue does not count as fired.
    func test(_ tested: TestedCue) async throws -> WebResponse {
        let snapshot = inbox.newestSnapshot
        guard snapshot.isActiveServer else {
            throw Refusal(409, "not-reigning", CommandOutcome.notActiveServer.sentence ?? "")
        }
        guard !snapshot.state.isLocked else {
            throw Refusal(409, "locked", "The show is locked; unlock it, then test the cue.")
        }
        guard snapshot.state.panic == .none else {
            throw Refusal(409, "panic", "Nothing is sent in a panic; end the panic first.")
        }
        let cue = Cue(
            place: .playedMeasure(0), played: 0, name: tested.name.isEmpty ? "Test" : tested.name,
            kind: tested.kind, target: tested.target, payload: tested.payload)
        do throws(CueFault) { _ = try CueList([cue], measureCount: 1) } catch {
            throw Refusal(422, "bad-cues", error.sentence)
        }
        if let reason = cueTargets.unsendableReason(of: cue) { throw Refusal(422, "bad-cues", reason) }
        return try await send(cue)
    }

    private func send(_ cue: Cue) async throws -> WebResponse {
        switch cue.kind {
        case .osc:
            guard let receivers else { throw Self.oscIsOff }
            let message = try OSCMessage(text: cue.payload)
            do throws(ExplainedError) { try receivers.sendToTarget(message, to: cue.target) } catch {
                throw Refusal(422, "bad-cues", error.sentence)
            }
            return .json(TestAnswer(await receivers.pingTarget(cue.target)))
        case .mqtt:
            guard let client = broker?.client, client.status.isConnected else {
                throw Refusal(503, "no-broker", "The broker does not answer; start it, then test the cue.")
            }
            try client.publish(Array(cue.payload.utf8), to: cue.target)
            return .json(TestAnswer(.unconfirmed))
        case .midi:
            do throws(ExplainedError) { try midi.send(cue.payload, to: cue.target) } catch {
                throw Refusal(422, "bad-cues", error.sentence)
            }
            return .json(TestAnswer(.unconfirmed))
        case .note, .slide, .message:
            throw Refusal(
                422, "bad-cues",
                "Only cues that other programs get can be tested; the page shows what others do.")
        }
    }

    private static let oscIsOff = Refusal(
        409, "osc-off", "OSC is off (--no-listen-osc); whoever runs the server can switch it on.")
}
