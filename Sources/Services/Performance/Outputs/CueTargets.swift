import Basics
import MIDILinks
import NetworkLinks
import Podium
import ShowControl

/// The targets to which cues may be sent: the configured OSC targets, topics of the MQTT broker, and MIDI ports.
///
/// A cue names a target instead of an address, so that somebody who may edit cues cannot reach other machines or this
/// server's own commands. In old cue lists a target is `host:port`; it is accepted if a configured target has that
/// address.
package struct CueTargets: Sendable {
    /// Returns the OSC targets as they are now; nil if OSC is off.
    private let readOSCTargets: @Sendable () -> [OSCTarget]?
    /// This server's name in the broker's topics; nil without a broker.
    package var brokerName: String?
    /// The names of the MIDI ports.
    package var midiPorts: [String]

    package init(
        oscTargets: @autoclosure @escaping @Sendable () -> [OSCTarget]? = nil, brokerName: String? = nil,
        midiPorts: [String] = []
    ) {
        readOSCTargets = oscTargets
        self.brokerName = brokerName
        self.midiPorts = midiPorts
    }

    /// Returns why a cue cannot be sent, and what to do; nil if it can.
    package func unsendableReason(of cue: Cue) -> String? {
        switch cue.kind {
        case .note, .slide: return nil
        case .message:
            do throws(CueFault) {
                _ = try cue.decodePushMessage()
                return nil
            } catch {
                return error.sentence
            }
        case .osc: return oscProblem(of: cue)
        case .mqtt: return brokerProblem(of: cue)
        case .midi: return midiProblem(of: cue)
        }
    }

    /// Returns the reasons for all cues in the programme that cannot be sent, in the order of the pieces.
    package func unsendableReasons(of course: ShowProgramme) -> [String] {
        course.pieces.flatMap { piece in piece.cues.cues.compactMap { unsendableReason(of: $0) } }
    }

    private func oscProblem(of cue: Cue) -> String? {
        guard let oscTargets = readOSCTargets() else {
            return
                "The OSC cue “\(cue.name)” cannot be sent, because OSC is off (--no-listen-osc); switch it on."
        }
        guard oscTargets.contains(where: { $0.isIdentified(by: cue.target) }) else {
            let known =
                oscTargets.isEmpty
                ? "none is" : oscTargets.map { "“\($0.name)”" }.joined(separator: ", ") + " are"
            return cue.target.isEmpty
                ? "The OSC cue “\(cue.name)” names no target; \(known) set up; the console adds targets under “Outputs”."
                : "The OSC cue “\(cue.name)” has the unknown target “\(cue.target.prefix(60))”; "
                    + "\(known) set up; the console adds targets under “Outputs”."
        }
        do throws(ExplainedError) {
            let message = try OSCMessage(text: cue.payload)
            do throws(ExplainedError) { _ = try message.encodedBytes() } catch {
                return "The OSC cue “\(cue.name)”: \(error.sentence)"
            }
        } catch {
            return "The OSC cue “\(cue.name)”: \(error.sentence)"
        }
        return nil
    }

    private func midiProblem(of cue: Cue) -> String? {
        guard midiPorts.contains(cue.target) else {
            let known = midiPorts.isEmpty ? "none" : midiPorts.map { "“\($0)”" }.joined(separator: ", ")
            return
                "The MIDI cue “\(cue.name)” has the port “\(cue.target.prefix(60))”; set up with --midi-out: \(known)."
        }
        do throws(ExplainedError) {
            _ = try MIDIText(cue.payload)
            return nil
        } catch {
            return "The MIDI cue “\(cue.name)”: \(error.sentence)"
        }
    }

    private func brokerProblem(of cue: Cue) -> String? {
        guard let brokerName else {
            return "The MQTT cue “\(cue.name)” cannot be sent, because no broker is configured (--mqtt)."
        }
        let own = "baton/\(brokerName)"
        guard cue.target != own, !cue.target.hasPrefix(own + "/") else {
            return "The MQTT cue “\(cue.name)” has a topic of Baton's own, “\(cue.target.prefix(60))”; "
                + "a cue cannot send commands to the server that fires it."
        }
        do throws(MQTTFault) {
            try MQTTClient.checkPayload(Array(cue.payload.utf8), for: cue.target)
            return nil
        } catch {
            return "The MQTT cue “\(cue.name)”: \(error.sentence)"
        }
    }
}
