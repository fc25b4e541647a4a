import Foundation
import Sound
import Testing

@testable import Performance
@testable import TestHelpers

/// Only a device of the machine can be chosen, because ALSA takes other names as instructions.
@Suite struct SoundDeviceChooserTests {
    private static let hostileNames = [
        "tee:null,'|touch SPOT',raw", "tee:\"null\",\"SPOT\",raw", "file:'SPOT',raw",
        "file:SLAVE=null,FILE=SPOT", "null ", " null", "null\n", "null\0", "",
        "{ type file file 'SPOT' slave.pcm null }", "hw:0,0",
        "plug:'tee:null,SPOT,raw'", "plughw:0,'SPOT'", "hw:0\n", "default:SPOT", "NULL", "shm:SPOT,a",
        String(repeating: "a", count: 3_000),
    ]

    @Test(arguments: hostileNames)
    func aNameThatIsNotADeviceIsRefused(_ name: String) async throws {
        let folder = try ServeFolder()
        let name = name.replacingOccurrences(of: "SPOT", with: folder.path + "/spot")
        let source = ChangeableDeviceSource(CaptureRequest(device: "null"))
        let chooser = SoundDeviceChooser(
            source, silenceMeter: SilenceMeter(source, channel: "mix", dataFolder: folder.path),
            dataFolder: folder.path, fixedBecause: nil, listNames: { ["null", "silence"] })
        let refusal = try #require(await chooser.chooseDevice(name, channel: nil))
        #expect(refusal.hasPrefix("There is no capture device “"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test(arguments: hostileNames.filter { $0 != "hw:0,0" })
    func aNameInTheFileThatIsNotADeviceIsNotUsed(_ name: String) throws {
        let folder = try ServeFolder()
        let file = String(decoding: try JSONEncoder().encode(["device": name]), as: UTF8.self)
        try folder.write(file, to: "sound.json")
        var said: [String] = []
        let chosen = SoundDeviceChooser.chosenDevice(in: folder.path, listNames: { ["null"] }) {
            said.append($0)
        }
        #expect(chosen == nil)
        #expect(said.count == 1)
        #expect(said.first?.contains("sound.json") == true)
    }

    @Test(arguments: ["null", "default", "hw:2,0", "plughw:CARD=USB,DEV=0", "plughw:CARD=Generic_1"])
    func aDeviceOfTheMachineOrACardThatMayComeIsUsed(_ name: String) throws {
        let folder = try ServeFolder()
        try folder.write("{\"device\": \"\(name)\"}", to: "sound.json")
        let chosen = SoundDeviceChooser.chosenDevice(in: folder.path, listNames: { ["null"] }) {
            Issue.record("\($0)")
        }
        #expect(chosen?.device == name)
    }

    @Test func theInputIsChosenWithTheDeviceAndKept() async throws {
        let folder = try ServeFolder()
        let source = ChangeableDeviceSource(CaptureRequest(device: "null"))
        let chooser = SoundDeviceChooser(
            source, silenceMeter: SilenceMeter(source, channel: "mix", dataFolder: folder.path),
            dataFolder: folder.path, fixedBecause: nil, listNames: { ["null"] })
        #expect(await chooser.chooseDevice("null", channel: 3) == nil)
        #expect(source.channel == 3)
        #expect(await chooser.describeSound().channel == 3)
        let kept = SoundDeviceChooser.chosenDevice(in: folder.path, listNames: { ["null"] }) { _ in }
        #expect(kept == .init(device: "null", channel: 3))
        #expect(await chooser.chooseDevice("null", channel: 0) != nil)
        #expect(source.channel == 3)
        #expect(await chooser.chooseDevice("null", channel: nil) == nil)
        #expect(source.channel == nil)
    }

    @Test func withoutAFileNothingIsChosenAndNothingIsSaid() throws {
        let folder = try ServeFolder()
        #expect(SoundDeviceChooser.chosenDevice(in: folder.path) { Issue.record("\($0)") } == nil)
    }
}
