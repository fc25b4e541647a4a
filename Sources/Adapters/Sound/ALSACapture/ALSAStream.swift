import Basics
import CALSA
import Synchronization

/// Opens real capture devices: those of a sound server by its own library, all others through alsa-lib. Each input has
/// an opener of its own.
final class DeviceOpener: PCMOpener {
    /// The sound server's source that was heard first. It stays the chosen one, although the server would give another
    /// source as the default one after the first was unplugged.
    private let chosenSource = Mutex<String?>(nil)

    func open(_ request: CaptureRequest) throws(CaptureError) -> any PCMStream {
        if let device = PulseDevice(alsaDevice: request.device), let stream = try open(device, request) {
            return stream
        }
        return try openThroughALSA(request)
    }

    /// - Returns: nil if the library of the sound server is not installed.
    private func open(_ device: PulseDevice, _ request: CaptureRequest) throws(CaptureError) -> PulseStream? {
        let connection: PulseConnection
        let source: PulseConnection.Source
        do throws(PulseFailure) {
            guard let opened = try PulseConnection(to: device.server) else { return nil }
            connection = opened
            source = try opened.source(named: chosenSource.withLock { $0 } ?? device.source)
        } catch {
            throw .deviceNotOpened(device: request.device, code: error.errno)
        }
        let stream = try PulseStream(connection, source, request)
        chosenSource.withLock { $0 = source.name }
        return stream
    }

    private func openThroughALSA(_ request: CaptureRequest) throws(CaptureError) -> any PCMStream {
        let pcm = try openPCM(request.device)
        do throws(CaptureError) {
            let format = try negotiateCaptureFormat(pcm, request)
            try setSoftwareParameters(pcm, format, device: request.device)
            return ALSAStream(pcm, format)
        } catch {
            snd_pcm_close(pcm)
            throw error
        }
    }
}

extension CaptureClock {
    static let system = CaptureClock(
        now: {
            var reading = timespec()
            clock_gettime(CLOCK_MONOTONIC, &reading)
            return Int64(reading.tv_sec) * 1_000_000_000 + Int64(reading.tv_nsec)
        },
        sleep: { nanoseconds in
            var length = timespec(
                tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
            nanosleep(&length, nil)
        })
}

private final class ALSAStream: PCMStream {
    let format: CaptureFormat
    private var pcm: OpaquePointer?

    init(_ pcm: OpaquePointer, _ format: CaptureFormat) {
        self.pcm = pcm
        self.format = format
    }

    deinit { close() }

    func start() -> Int32 { snd_pcm_start(pcm) }

    func wait(milliseconds: Int32) -> Int32 { snd_pcm_wait(pcm, milliseconds) }

    func read(into bytes: UnsafeMutableRawPointer, frames: Int) -> Int {
        snd_pcm_readi(pcm, bytes, snd_pcm_uframes_t(frames))
    }

    func waitingFrames() -> Int { snd_pcm_avail_update(pcm) }

    func recover(from code: Int32) -> Int32 { snd_pcm_recover(pcm, code, 1) }

    func close() {
        guard let open = pcm else { return }
        pcm = nil
        // The remaining audio is not needed: drop it, without waiting for the device.
        snd_pcm_drop(open)
        snd_pcm_close(open)
    }
}

/// Opens a capture device. Fails at once with EBUSY if the device is in use, instead of waiting for it.
func openPCM(_ device: String) throws(CaptureError) -> OpaquePointer {
    keepALSAQuiet()
    var pcm: OpaquePointer?
    let code = snd_pcm_open(&pcm, device, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK))
    guard code >= 0, let pcm else { throw .deviceNotOpened(device: device, code: code < 0 ? -code : EIO) }
    return pcm
}

/// Configures the device so that it starts only when told to, and wakes the capture loop once a period.
private func setSoftwareParameters(_ pcm: OpaquePointer, _ format: CaptureFormat, device: String)
    throws(CaptureError)
{
    var settings: OpaquePointer?
    guard snd_pcm_sw_params_malloc(&settings) >= 0, let settings else {
        throw .deviceNotOpened(device: device, code: ENOMEM)
    }
    defer { snd_pcm_sw_params_free(settings) }
    snd_pcm_sw_params_current(pcm, settings)
    snd_pcm_sw_params_set_avail_min(pcm, settings, snd_pcm_uframes_t(format.periodFrames))
    let code = snd_pcm_sw_params(pcm, settings)
    guard code >= 0 else {
        throw .settingRejected(
            device: device, asked: "to wake up every \(format.periodFrames) frames", code: -code)
    }
}

/// Stops alsa-lib from printing every problem to standard error, because this program throws problems as errors.
func keepALSAQuiet() { _ = silentErrorHandlerInstalled }

private let silentErrorHandlerInstalled: Void = {
    typealias Handler =
        @convention(c) (UnsafePointer<CChar>?, Int32, UnsafePointer<CChar>?, Int32, UnsafePointer<CChar>?) ->
        Void
    let silent: Handler = { _, _, _, _, _ in }
    // The library's type ends in `...`, which Swift cannot write. On Linux's calling conventions a function
    // that ignores the variadic arguments is called all the same.
    snd_lib_error_set_handler(unsafeBitCast(silent, to: OpaquePointer.self))
}()
