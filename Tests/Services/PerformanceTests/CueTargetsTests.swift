import NetworkLinks
import Podium
import ShowControl
import Testing

@testable import Console
@testable import Hosting
@testable import Performance
@testable import ShowStages

@Suite struct CueTargetsTests {
    private let targets = CueTargets(
        oscTargets: [
            OSCTarget(name: "desk", endpoint: OSCEndpoint(host: "192.0.2.7", port: 8000)),
            OSCTarget(
                name: "qlab", endpoint: OSCEndpoint(host: "192.0.2.8", port: 53000), receivesState: false),
        ], brokerName: "hall")

    private func trouble(_ kind: CueKind, _ target: String, _ payload: String = "/go") -> String? {
        var cue = madeCue("Lights", at: 1, kind: kind)
        (cue.target, cue.payload) = (target, payload)
        return targets.unsendableReason(of: cue)
    }

    @Test func aCueNamesAConfiguredTarget() {
        #expect(trouble(.osc, "desk") == nil && trouble(.osc, "qlab", "/cue/7/start 1 \"a b\"") == nil)
        #expect(trouble(.note, "", "") == nil && trouble(.slide, "anything", "") == nil)
        #expect(trouble(.message, "", "Title|Body") == nil)
        #expect(trouble(.mqtt, "lights/main", "on") == nil)
    }

    @Test func anAddressThatIsNoTargetsIsUnknown() throws {
        for target in ["127.0.0.1:9120", "192.0.2.7:8001", "192.0.2.9:8000", "nobody", "", "Desk"] {
            let sentence = try #require(trouble(.osc, target), "\(target) was taken")
            #expect(
                sentence.contains("“Lights”") && sentence.contains("“desk”")
                    && sentence.contains("“Outputs”"))
        }
    }

    @Test func anOldListsAddressIsUnderstoodWhereATargetHasIt() {
        #expect(trouble(.osc, "192.0.2.7:8000") == nil)
    }

    @Test func aPayloadThatIsNoMessageIsFound() {
        for payload in ["", "go", "\"/go", "/note \"open", "no/slash 1"] {
            #expect(trouble(.osc, "desk", payload)?.contains("“Lights”") == true, "\(payload)")
        }
        #expect(trouble(.message, "", "alone") != nil)
    }

    @Test func noCueCommandsTheServerThatFiresIt() {
        for topic in ["baton/hall/command", "baton/hall", "baton/hall/online"] {
            #expect(trouble(.mqtt, topic, "go")?.contains("own") == true, "\(topic)")
        }
        for topic in ["", "a/+", "a/#", String(repeating: "x", count: 2_000)] {
            #expect(trouble(.mqtt, topic) != nil, "\(topic)")
        }
        #expect(trouble(.mqtt, "baton/hall2/command") == nil)
    }

    @Test func withoutOSCOrBrokerTheirCuesCannotBeSent() {
        for kind in [CueKind.osc, .mqtt] {
            var cue = madeCue("Lights", at: 1, kind: kind)
            (cue.target, cue.payload) = ("desk", "/go")
            #expect(CueTargets().unsendableReason(of: cue) != nil)
        }
    }
}
