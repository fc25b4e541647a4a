import ArgumentParser
import Foundation
import Sound

/// `baton devices` lists the sound devices of this machine.
struct SoundDevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Lists the sound devices that can be listened to, and whether each can be opened now.",
        discussion: """
            Devices that another program uses are listed as busy, not waited for.
            Exit status: 0 at least one can be opened now, 1 none can.
            """)

    @Flag(help: "Print a JSON array instead of a table.")
    var json = false

    @Flag(help: "Also list names without a device at present, and the null device.")
    var all = false

    func run() async throws { try await printingErrors(as: "devices", printDevices) }

    private func printDevices() throws {
        let devices = withoutStandardError { listCaptureDevices().map(ListedSoundDevice.init) }
            .filter { all || $0.isThere }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(devices), as: UTF8.self))
        } else if devices.isEmpty {
            print("No capture device was found. Plug in a sound card, or start a sound server.")
        } else {
            print(deviceTable(of: devices))
        }
        guard Self.canRecordFromAny(devices) else { throw ExitCode.failure }
    }

    /// True if sound can be recorded from at least one device; the null device does not count.
    static func canRecordFromAny(_ devices: [ListedSoundDevice]) -> Bool {
        devices.contains { $0.opens && $0.isThere }
    }
}

/// Runs a closure with standard error redirected to `/dev/null`, because ALSA's plugins, above all JACK's, print
/// messages about missing servers there.
private func withoutStandardError<Result>(_ body: () -> Result) -> Result {
    let kept = dup(STDERR_FILENO)
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    if kept >= 0, nowhere >= 0 { dup2(nowhere, STDERR_FILENO) }
    defer {
        if kept >= 0 { dup2(kept, STDERR_FILENO) }
        close(kept)
        close(nowhere)
    }
    return body()
}

/// One line of the list of sound devices.
struct ListedSoundDevice: Encodable {
    var name: String
    var description: String
    var opens: Bool
    /// The reason why the device cannot be opened; nil if it can.
    var problem: String?
    var abilities: CaptureDeviceCapabilities?
    /// True if the device exists; false for configured names without a device, and for the null device.
    var isThere: Bool

    private enum CodingKeys: String, CodingKey {
        case name, description, opens, problem, abilities
    }

    init(_ device: CaptureDeviceDescription) {
        name = device.name
        description = device.description
        do throws(CaptureError) {
            abilities = try probeCaptureDevice(device.name)
            opens = true
            isThere = device.name != "null"
        } catch {
            opens = false
            problem = error.sentence
            isThere = !error.isDeviceMissing
        }
    }
}

/// Formats the list in aligned columns; devices that can be opened come first.
private func deviceTable(of devices: [ListedSoundDevice]) -> String {
    let sorted = devices.filter(\.opens) + devices.filter { !$0.opens }
    let rows =
        [["NAME", "OPENS", "RATES", "CHANNELS", "DESCRIPTION"]]
        + sorted.map {
            [$0.name, $0.opens ? "yes" : "no", $0.sampleRatesText, $0.channelCountsText, $0.description]
        }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var lines = rows.map { row in
        zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
            .joined(separator: "  ").trimmingCharacters(in: .whitespaces)
    }
    let problems = sorted.compactMap(\.problem)
    if !problems.isEmpty { lines += [""] + problems }
    if !devices.contains(where: \.opens) { lines.append("No capture device can be opened now.") }
    return lines.joined(separator: "\n")
}

extension ListedSoundDevice {
    fileprivate var sampleRatesText: String {
        guard let rates = abilities?.rates, let least = rates.first, let most = rates.last else { return "-" }
        return least == most ? "\(least)" : "\(least)-\(most)"
    }

    fileprivate var channelCountsText: String {
        guard let abilities else { return "-" }
        let most = abilities.mostChannels > 64 ? "any" : "\(abilities.mostChannels)"
        return abilities.fewestChannels == abilities.mostChannels
            ? most : "\(abilities.fewestChannels)-\(most)"
    }
}
