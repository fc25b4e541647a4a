import ArgumentParser
import Basics
import Composition
import Foundation
import NetworkLinks
import ShowControl
import Testing
import WebServer

@testable import Composition
@testable import Console
@testable import Hosting
@testable import Performance
@testable import baton

@Suite struct ServeOptionsTests {
    private func web(_ words: String...) throws -> WebSettings {
        try ServeOptions.parse(words).makeWebSettings()
    }

    private func brokers(_ words: String...) throws -> [MQTTSettings] {
        try ShowControlOptions.parse(words).brokerSettings()
    }

    @Test func aTargetThatIsThisVeryServerIsRefusedAtTheStart() throws {
        for words in [
            ["--osc-target", "me=127.0.0.1:9120"], ["--osc-cue-target", "me=localhost:9120"],
            ["--osc", "0.0.0.0:9500", "--osc-target", "127.0.0.1:9500"],
        ] {
            let error = #expect(throws: ExplainedError.self) {
                try ShowControlOptions.parse(words).oscSettings()
            }
            #expect(error?.sentence.contains("this server itself") == true, "\(words)")
        }
        let settings = try ShowControlOptions.parse([
            "--osc-target", "lights=127.0.0.1:8000", "--osc-cue-target", "qlab=192.0.2.8:53000",
        ]).oscSettings()
        #expect(settings.targets.map(\.name) == ["lights", "qlab"])
        #expect(settings.targets.map(\.receivesState) == [true, false])
    }

    @Test func furtherOriginsAreTaken() throws {
        let settings = try web(
            "--origin", "https://Baton.example.org/", "--origin", "http://192.168.1.9:8000")
        #expect(
            settings.furtherOrigins.map(\.description) == [
                "https://baton.example.org", "http://192.168.1.9:8000",
            ])
        #expect(try web().furtherOrigins.isEmpty)
    }

    @Test func proxiesAreTakenByTheirAddresses() throws {
        let settings = try web("--trusted-proxy", "127.0.0.1", "--trusted-proxy", "2001:DB8::5")
        #expect(Set(settings.trustedProxies.map(\.description)) == ["127.0.0.1", "2001:db8::5"])
        #expect(try web().trustedProxies.isEmpty)
        for nonsense in ["proxy", "10.0.0.0/8", "127.0.0.1:80", "", "0.0.0.0"] {
            #expect(
                throws: ExplainedError(
                    "“\(nonsense.prefix(80))” is not a proxy's address; give the one address from which "
                        + "it reaches this server, in numbers and without a port, such as 127.0.0.1 or "
                        + "10.0.0.5, and repeat the option for more.")
            ) { try web("--trusted-proxy", nonsense) }
        }
    }

    @Test func whatWouldLetStrangersInIsRefusedBeforeAnythingIsMade() {
        #expect(
            throws: ExplainedError(
                "Visitors through the proxy at 127.0.0.1 all have its address, so without sign-in anybody "
                    + "could run the concert; leave out --no-sign-in or --trusted-proxy.")
        ) {
            try web("--no-sign-in", "--trusted-proxy", "127.0.0.1")
        }
        #expect(throws: WebError.badOrigin("baton.example.org")) { try web("--origin", "baton.example.org") }
        #expect(
            throws: ExplainedError(
                "Visitors through https://a.example seem to come from this machine, so without sign-in "
                    + "anybody could run the concert; leave out --no-sign-in or --origin.")
        ) {
            try web("--no-sign-in", "--origin", "https://a.example")
        }
        #expect(
            throws: ExplainedError(
                "Without sign-in anybody who reaches 0.0.0.0 could run the concert; listen on 127.0.0.1, "
                    + "or leave out --no-sign-in.")
        ) {
            try web("--no-sign-in", "--http", "0.0.0.0:8080")
        }
        #expect(throws: ExplainedError("Port \(70_000) does not exist; give one from 0 to 65535.")) {
            try web("--http", "127.0.0.1:70000")
        }
        #expect(throws: ExplainedError.self) { try web("--http", "8080") }
    }

    @Test func addressesOfIPv6StandInBrackets() throws {
        #expect(
            try HostAndPort("[::1]:8080", of: "--http", example: "")
                == HostAndPort("::1:8080", of: "", example: "")
        )
        #expect(try web("--http", "[::1]:8080").address == "::1")
    }

    @Test func theBrokerIsToldWhoWeAre() throws {
        let settings = try #require(
            try brokers(
                "--mqtt", "broker.example:8883", "--mqtt-user", "hall", "--mqtt-certificates", "ca.pem",
                "--mqtt-client-certificate", "ours.pem", "--mqtt-client-key", "ours.key", "--mqtt-commands"
            ).first)
        #expect(settings.host == "broker.example" && settings.port == 8_883 && settings.user == "hall")
        #expect(settings.certificatesFile == "ca.pem" && settings.acceptsCommands)
        #expect(
            settings.ownCertificate
                == MQTTSettings.OwnCertificate(certificateFile: "ours.pem", keyFile: "ours.key"))
        #expect(try brokers().isEmpty)
    }

    private func osc(_ words: String...) throws -> ShowControlService.Settings {
        try ShowControlOptions.parse(words).oscSettings()
    }

    @Test func sendersAreNamedByAddressOrNetwork() throws {
        let settings = try osc(
            "--osc", "0.0.0.0:9120", "--osc-allow", "192.168.1.20", "--osc-allow", "fd00::/8")
        #expect(settings.serverSettings.allowedSenders.map(\.description) == ["192.168.1.20", "fd00::/8"])
        for nonsense in ["desk", "192.168.1.0/33", "192.168.1.20:9120", ""] {
            #expect(throws: ExplainedError.self) { try osc("--osc-allow", nonsense) }
        }
    }

    @Test func whatWouldLetStrangersCommandIsRefused() throws {
        let open = #expect(throws: ExplainedError.self) { try osc("--osc", "192.168.1.10:9120") }
        #expect(
            open?.sentence.contains("--osc-allow") == true
                && open?.sentence.contains("--osc-passphrase") == true)
        #expect(throws: ExplainedError.self) { try osc("--osc", "0.0.0.0:9120", "--osc-allow", "0.0.0.0/0") }
        #expect(throws: ExplainedError.self) { try osc("--osc", "0.0.0.0:9120", "--osc-passphrase", "") }
        #expect(try osc("--osc", "0.0.0.0:9120", "--osc-passphrase", "opus 67").passphrase == "opus 67")
        #expect(try osc().serverSettings.allowedSenders.isEmpty)
    }

    @Test func commandsComeOnlyFromABrokerWithSignInOrTLS() throws {
        for open in [
            ["--mqtt", "192.168.1.5:1883", "--mqtt-commands"],
            ["--mqtt", "127.0.0.1:1883", "--mqtt-commands"],
            ["--mqtt-commands"],
        ] {
            #expect(throws: ExplainedError.self) { try ShowControlOptions.parse(open).brokerSettings() }
        }
        #expect(try brokers("--mqtt", "192.168.1.5:1883").map(\.acceptsCommands) == [false])
        var settings = MQTTSettings(host: "a", name: "hall")
        settings.user = "hall"
        #expect(!settings.authenticatesBroker)
        settings.password = "secret"
        #expect(settings.authenticatesBroker)
    }

    @Test func thePasswordComesFromTheEnvironmentAndOnlyForAUser() throws {
        let named = try MQTTBrokerOptions.parse(["--mqtt-user", "hall"])
        #expect(try named.makeBrokerSettings("a:1", name: "hall", password: "secret").password == "secret")
        let nobody = try MQTTBrokerOptions.parse([])
        #expect(try nobody.makeBrokerSettings("a:1", name: "hall", password: "secret").password == nil)
    }

    @Test(arguments: [
        ["--mqtt-user", "hall"], ["--mqtt", "broker"],
        ["--mqtt", "a:1", "--mqtt-certificates", "ca.pem", "--mqtt-client-certificate", "ours.pem"],
        ["--mqtt", "a:1", "--mqtt-certificates", "ca.pem", "--mqtt-client-key", "ours.key"],
        ["--mqtt", "a:1", "--mqtt-client-certificate", "ours.pem", "--mqtt-client-key", "ours.key"],
    ])
    func whatDoesNotFitTogetherIsASentence(_ words: [String]) throws {
        let error = #expect(throws: ExplainedError.self) {
            try ShowControlOptions.parse(words).brokerSettings()
        }
        #expect(error?.sentence.contains("--mqtt") == true && error?.sentence.hasSuffix(".") == true)
    }

    @Test func commandsComeByTheFirstOfSeveralBrokers() throws {
        let words = ["--mqtt", "a:1", "--mqtt", "b:2", "--mqtt-certificates", "ca.pem", "--mqtt-commands"]
        let brokers = try ShowControlOptions.parse(words).brokerSettings()
        #expect(brokers.map(\.host) == ["a", "b"] && brokers.map(\.acceptsCommands) == [true, false])
        #expect(brokers.allSatisfy { $0.certificatesFile == "ca.pem" })
    }

    @Test func theRelayHasTheSameOptions() throws {
        let relay = try RelayCommand.parse([
            "--mqtt", "a:1", "--mqtt", "b:1", "--mqtt-user", "far", "--mqtt-certificates", "ca.pem",
        ])
        #expect(relay.mqtt == ["a:1", "b:1"])
        #expect(relay.broker.mqttUser == "far" && relay.broker.mqttCertificates == "ca.pem")
    }
}
