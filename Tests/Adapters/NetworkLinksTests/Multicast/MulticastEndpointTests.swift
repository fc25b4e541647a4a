import Basics
import Glibc
import NIOCore
import Testing

@testable import NetworkLinks

@Suite struct MulticastEndpointTests {
    @Test func thePhonesDefaultsAreTheDefaults() throws {
        let endpoint = try MulticastEndpoint()
        #expect("\(endpoint.group):\(endpoint.port)" == "239.255.255.251:12345")
        #expect(endpoint.interface == "127.0.0.1")
    }

    @Test(arguments: [
        "127.0.0.1", "240.0.0.1", "223.255.255.255", "", "239.255.255", "239.255.255.256", "eth0",
    ])
    func whatIsNoGroupIsRefused(group: String) {
        #expect(
            throws: ExplainedError(
                "'\(group)' is not a multicast address; give one from 224.0.0.0 to 239.255.255.255.")
        ) { try MulticastEndpoint(group: group) }
    }

    @Test(arguments: [0, -1, 65_536]) func portsThatDoNotExistAreRefused(port: Int) {
        #expect(throws: ExplainedError("Port \(port) does not exist; give one from 1 to 65535.")) {
            try MulticastEndpoint(port: port)
        }
    }

    @Test(arguments: [
        "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.+4", "1.2.3. 4", "1.2.3.", "1.2.3.999", "１.2.3.4",
    ])
    func addressesAreWrittenPlainly(text: String) {
        #expect(IPv4Address(text) == nil)
    }

    @Test(arguments: ["0.0.0.0", "127.0.0.1", "239.255.255.251", "255.255.255.255"])
    func addressesComeBackAsWritten(text: String) {
        #expect(IPv4Address(text)?.description == text)
    }

    @Test func anInterfaceIsFoundByNameAndByAddress() throws {
        let hall = NetworkInterface(name: "eth1", address: IPv4Address(bits: 0x0A00_0001))
        let office = NetworkInterface(name: "eth0", address: IPv4Address(bits: 0xC0A8_0001))
        let second = NetworkInterface(name: "eth1", address: IPv4Address(bits: 0x0A00_0002))
        let known = [office, hall, second]
        #expect(try NetworkInterface.named("eth1", among: known) == hall)
        #expect(try NetworkInterface.named("10.0.0.2", among: known) == second)
        let names = ["eth0 (192.168.0.1)", "eth1 (10.0.0.1)", "eth1 (10.0.0.2)"]
        for stranger in ["eth2", "10.0.0.3", ""] {
            #expect(throws: MulticastError.interfaceUnknown(stranger, known: names)) {
                try NetworkInterface.named(stranger, among: known)
            }
        }
    }

    @Test func thisMachineHasLoopback() throws {
        #expect(try NetworkInterface.named("lo", among: NetworkInterface.all()).address == .loopback)
    }

    @Test(arguments: [
        MulticastError.interfaceUnknown("a", known: []),
        MulticastError.wrapping(IOError(errnoCode: EADDRINUSE, reason: "bind"), action: "send", port: 1),
        MulticastError.wrapping(IOError(errnoCode: EPERM, reason: "send"), action: "send", port: 1),
        MulticastError.wrapping(IOError(errnoCode: ENETUNREACH, reason: "send"), action: "send", port: 1),
        MulticastError.wrapping(ChannelError.ioOnClosedChannel, action: "send", port: 1),
    ])
    func everyErrorIsASentence(error: ExplainedError) {
        #expect(error.sentence.first?.isUppercase == true)
        #expect(error.sentence.hasSuffix("."))
    }
}
