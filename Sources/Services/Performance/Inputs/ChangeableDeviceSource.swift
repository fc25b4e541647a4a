import Basics
import Foundation
import Hosting
import Platform
import Sound
import Synchronization

/// Reads a sound device that can be changed while the server runs. While no device can be opened, it delivers silence
/// and tries the device again once a second.
///
/// Its sample rate never changes. A change of the device costs the capture thread a few allocations, as the return of a
/// lost device does; the samples that are missing meanwhile are replaced by silence.
package final class ChangeableDeviceSource: SoundSource {
    private struct State {
        var request: CaptureRequest
        /// The device that is read, or is about to be; nil while none can be opened.
        var input: AudioInput?
        var problem: String?
    }

    package let rate: SampleRate
    private let state: Mutex<State>
    /// The channel with which the server was started.
    private let usualChannel: AudioChannelChoice
    private let hasNewInput = Atomic<Bool>(false)

    /// The rate if no device can be opened at the start and none was asked for.
    private static let usualRate = SampleRate(hertz: 48_000)
    private static let retryMilliseconds: Int64 = 1_000

    /// Opens the device; if that fails, it is tried again later.
    /// - Parameter channel: the number of the input that was chosen on the console; nil for that of the request.
    package init(_ request: CaptureRequest, channel: Int? = nil) {
        usualChannel = request.channelChoice
        var request = request
        if let channel { request.channelChoice = .singleChannel(channel) }
        do throws(CaptureError) {
            let input = try AudioInput(request)
            rate = input.format.rate
            state = Mutex(State(request: request, input: input))
        } catch {
            rate = request.rate ?? Self.usualRate
            state = Mutex(State(request: request, problem: error.sentence))
        }
    }

    package var name: String { state.withLock { $0.request.device } }

    /// The number of the input that is heard; nil for the mix of all.
    var channel: Int? {
        if case .singleChannel(let number) = state.withLock({ $0.request.channelChoice }) {
            number
        } else {
            nil
        }
    }

    /// The reason why no device could be opened; nil if one is read.
    package var problem: String? { state.withLock { $0.problem } }

    package func deliverSamples(to sound: CapturedSound, until stop: StopRequest) {
        let silence = SilentStretch(rate: rate)
        while !stop.isMade {
            _ = hasNewInput.exchange(false, ordering: .acquiringAndReleasing)
            if let input = state.withLock({ $0.input }) {
                silence.deliver(to: sound)
                input.run(
                    into: CapturedSoundSink(sound),
                    while: { !stop.isMade && !self.hasNewInput.load(ordering: .relaxed) })
                silence.begin()
            } else {
                waitForDevice(sound, silence, stop)
            }
        }
    }

    /// Delivers silence until a device can be opened or was chosen.
    private func waitForDevice(_ sound: CapturedSound, _ silence: SilentStretch, _ stop: StopRequest) {
        var nextTry = MonotonicClock.now.nanoseconds + Self.retryMilliseconds * 1_000_000
        while !stop.isMade, !hasNewInput.load(ordering: .relaxed) {
            usleep(20_000)
            silence.deliver(to: sound)
            guard MonotonicClock.now.nanoseconds >= nextTry else { continue }
            if (try? openAndUse(state.withLock { $0.request })) != nil { return }
            nextTry = MonotonicClock.now.nanoseconds + Self.retryMilliseconds * 1_000_000
        }
    }

    /// Changes to another device or input. The present one goes on if the other cannot be used.
    /// - Parameter channel: nil for the one with which the server was started.
    func change(to device: String, channel: Int?) throws {
        let (isSame, request) = state.withLock { state in
            var request = state.request
            request.device = device
            request.channelChoice = channel.map(AudioChannelChoice.singleChannel) ?? usualChannel
            return (state.input != nil && state.request == request, request)
        }
        guard !isSame else { return }
        try openAndUse(request)
    }

    private func openAndUse(_ request: CaptureRequest) throws {
        let input: AudioInput
        do throws(CaptureError) { input = try AudioInput(request) } catch {
            state.withLock { if $0.input == nil { $0.problem = error.sentence } }
            throw ExplainedError(error.sentence)
        }
        guard input.format.rate == rate else {
            throw ExplainedError(
                "“\(request.device)” gives \(input.format.rate.hertz.decimalText(0)) samples a second, and "
                    + "this server hears \(rate.hertz.decimalText(0)). Choose its entry with “plughw:”, which "
                    + "converts, or start the server with --device.")
        }
        state.withLock { $0 = State(request: request, input: input) }
        hasNewInput.store(true, ordering: .releasing)
    }

    package var status: SoundSourceStatus {
        let now = state.withLock { ($0.input, $0.problem) }
        guard let input = now.0 else {
            return SoundSourceStatus(
                isLost: true, failureReason: now.1,
                remedy:
                    "plug it in, or choose another one on the page /start; it is then opened automatically")
        }
        return input.soundStatus
    }
}

/// Silence for the time in which no device is read, so that the number of samples still tells the time. Belongs to the
/// capture thread.
private final class SilentStretch {
    private let rate: SampleRate
    private var since = MonotonicClock.now

    init(rate: SampleRate) { self.rate = rate }

    /// Begins to measure the time without a device.
    func begin() { since = MonotonicClock.now }

    /// Delivers silence for the time that has passed.
    func deliver(to sound: CapturedSound) {
        let now = MonotonicClock.now
        let count = Int(Double(now.nanoseconds - since.nanoseconds) / 1e9 * rate.hertz)
        guard count > 0 else { return }
        since = now
        sound.writeSilence(count: count, capturedAt: now)
    }
}

/// Lets the console choose the device, and keeps the choice in `DATA/sound.json`.
package struct SoundDeviceChooser: SoundChoosing {
    /// A device, and the number of an input if one was chosen.
    package struct Choice: Codable, Equatable {
        package var device: String
        package var channel: Int?
    }

    private static let channelNumbers = 1...1_024

    private let input: any SoundSource
    private let silenceMeter: SilenceMeter
    private let dataFolder: String
    private let fixedBecause: String?
    private let listNames: @Sendable () -> [String]

    /// - Parameters:
    ///   - fixedBecause: the reason why the device is not chosen on the console, as a sentence; nil if it is.
    ///   - listNames: lists the names of the machine's devices. Only these and the usual device can be chosen.
    package init(
        _ input: any SoundSource, silenceMeter: SilenceMeter, dataFolder: String, fixedBecause: String?,
        listNames: @escaping @Sendable () -> [String] = { listCaptureDevices().map(\.name) }
    ) {
        self.input = input
        self.silenceMeter = silenceMeter
        self.dataFolder = dataFolder
        self.listNames = listNames
        self.fixedBecause =
            fixedBecause ?? (input is ChangeableDeviceSource ? nil : "The sound comes from a file.")
    }

    /// The device that was chosen on the console; nil if none was, or if the file names something else than a device.
    ///
    /// A sound card's own device is accepted although it is not there now, as it may be plugged in later.
    /// - Parameter say: called with a sentence if the file names something else than a device.
    package static func chosenDevice(
        in dataFolder: String, listNames: () -> [String] = { listCaptureDevices().map(\.name) },
        say: (String) -> Void
    ) -> Choice? {
        let path = filePath(dataFolder)
        guard var choice = JSONFile.read(Choice.self, at: path) else { return nil }
        if let channel = choice.channel, !channelNumbers.contains(channel) { choice.channel = nil }
        if isCardDevice(choice.device) || isDevice(choice.device, listNames) { return choice }
        say(
            "“\(choice.device)” in \(path) is not a capture device of this machine, so the usual device is used; "
                + "choose the device on the page /start.")
        return nil
    }

    /// True for the usual device and for those of the machine. ALSA would take any other name as an instruction, which
    /// may write files and run programs.
    private static func isDevice(_ name: String, _ listNames: () -> [String]) -> Bool {
        name == CaptureRequest().device || listNames().contains(name)
    }

    /// True for a name such as `hw:1,0` or `plughw:CARD=USB,DEV=0`, which can only be a sound card's own device.
    private static func isCardDevice(_ name: String) -> Bool {
        let card = #/(plug)?hw:(CARD=)?[A-Za-z0-9_]{1,40}(,(DEV=)?[0-9]{1,3})?/#
        return name.wholeMatch(of: card) != nil
    }

    private static func filePath(_ dataFolder: String) -> String { dataFolder + "/sound.json" }

    package func describeSound() async -> SoundDescription {
        let status = input.status
        let devices = await Task.detached { fixedBecause == nil ? Self.listDevices() : [] }.value
        return SoundDescription(
            source: input.name, channel: (input as? ChangeableDeviceSource)?.channel, rate: input.rate.hertz,
            problem: status.isLost ? status.failureReason ?? "The device is not there." : nil,
            fixedBecause: fixedBecause, devices: devices)
    }

    private static func listDevices() -> [SoundDescription.Device] {
        listCaptureDevices().filter { $0.name != "null" }.compactMap { device in
            do throws(CaptureError) {
                _ = try probeCaptureDevice(device.name)
                return SoundDescription.Device(
                    name: device.name, description: device.description, problem: nil)
            } catch {
                guard !error.isDeviceMissing else { return nil }
                return SoundDescription.Device(
                    name: device.name, description: device.description, problem: error.sentence)
            }
        }
    }

    package func measureSilence() async -> SilenceAnswer { await silenceMeter.measureSilence() }

    package func chooseDevice(_ name: String, channel: Int?) async -> String? {
        guard fixedBecause == nil, let changeable = input as? ChangeableDeviceSource else {
            return fixedBecause
        }
        guard Self.isDevice(name, listNames) else {
            return "There is no capture device “\(name)” on this machine now; choose one of the list."
        }
        if let channel, !Self.channelNumbers.contains(channel) { return "An input has a number from 1." }
        do { try changeable.change(to: name, channel: channel) } catch {
            return error.explanation
        }
        do {
            try JSONFile.write(Choice(device: name, channel: channel), to: Self.filePath(dataFolder))
        } catch {
            return
                "“\(name)” is used now, but the choice could not be saved for the next start; free disk space."
        }
        return nil
    }
}
