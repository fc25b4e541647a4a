import CALSA
import Glibc

/// The functions of libpulse, the client library of the sound servers PulseAudio and PipeWire.
///
/// ALSA's own `pulse` plugin uses the same library. It lets the server mix the channels of a source, and move the
/// stream to another source when the chosen one is unplugged; a stream of our own forbids both.
struct PulseLibrary: @unchecked Sendable {
    // @unchecked: the pointers to functions are constant.

    /// The library of this machine; nil if it is not installed.
    static let installed = PulseLibrary()

    let mainloopNew: @convention(c) () -> OpaquePointer?
    let mainloopAPI: @convention(c) (OpaquePointer) -> OpaquePointer?
    /// The timeout is in microseconds.
    let mainloopPrepare: @convention(c) (OpaquePointer, Int32) -> Int32
    let mainloopPoll: @convention(c) (OpaquePointer) -> Int32
    let mainloopDispatch: @convention(c) (OpaquePointer) -> Int32
    let mainloopFree: @convention(c) (OpaquePointer) -> Void
    let contextNew: @convention(c) (OpaquePointer, UnsafePointer<CChar>) -> OpaquePointer?
    let contextConnect: @convention(c) (OpaquePointer, UnsafePointer<CChar>?, Int32, OpaquePointer?) -> Int32
    let contextState: @convention(c) (OpaquePointer) -> Int32
    let contextError: @convention(c) (OpaquePointer) -> Int32
    let contextDisconnect: @convention(c) (OpaquePointer) -> Void
    let contextUnref: @convention(c) (OpaquePointer) -> Void
    let sourceByName:
        @convention(c) (
            OpaquePointer, UnsafePointer<CChar>, pulse_source_callback, UnsafeMutableRawPointer?
        ) -> OpaquePointer?
    let operationState: @convention(c) (OpaquePointer) -> Int32
    let operationUnref: @convention(c) (OpaquePointer) -> Void
    let streamNew:
        @convention(c) (
            OpaquePointer, UnsafePointer<CChar>, UnsafePointer<pulse_sample_spec>,
            UnsafePointer<pulse_channel_map>
        ) -> OpaquePointer?
    let streamConnect:
        @convention(c) (
            OpaquePointer, UnsafePointer<CChar>, UnsafePointer<pulse_buffer_attr>, UInt32
        ) -> Int32
    let streamCork: @convention(c) (OpaquePointer, Int32, OpaquePointer?, OpaquePointer?) -> OpaquePointer?
    let streamState: @convention(c) (OpaquePointer) -> Int32
    let streamReadableBytes: @convention(c) (OpaquePointer) -> Int
    let streamPeek:
        @convention(c) (
            OpaquePointer, UnsafeMutablePointer<UnsafeRawPointer?>, UnsafeMutablePointer<Int>
        ) -> Int32
    let streamDrop: @convention(c) (OpaquePointer) -> Int32
    let streamDisconnect: @convention(c) (OpaquePointer) -> Int32
    let streamUnref: @convention(c) (OpaquePointer) -> Void

    private init?() {
        guard let library = dlopen("libpulse.so.0", RTLD_NOW | RTLD_LOCAL) else { return nil }
        func function<Function>(_ name: String, _ type: Function.Type = Function.self) -> Function? {
            dlsym(library, "pa_" + name).map { unsafeBitCast($0, to: type) }
        }
        guard let mainloopNew: @convention(c) () -> OpaquePointer? = function("mainloop_new") else {
            return nil
        }
        self.mainloopNew = mainloopNew
        // All versions of libpulse.so.0 have the functions that follow.
        mainloopAPI = function("mainloop_get_api")!
        mainloopPrepare = function("mainloop_prepare")!
        mainloopPoll = function("mainloop_poll")!
        mainloopDispatch = function("mainloop_dispatch")!
        mainloopFree = function("mainloop_free")!
        contextNew = function("context_new")!
        contextConnect = function("context_connect")!
        contextState = function("context_get_state")!
        contextError = function("context_errno")!
        contextDisconnect = function("context_disconnect")!
        contextUnref = function("context_unref")!
        sourceByName = function("context_get_source_info_by_name")!
        operationState = function("operation_get_state")!
        operationUnref = function("operation_unref")!
        streamNew = function("stream_new")!
        streamConnect = function("stream_connect_record")!
        streamCork = function("stream_cork")!
        streamState = function("stream_get_state")!
        streamReadableBytes = function("stream_readable_size")!
        streamPeek = function("stream_peek")!
        streamDrop = function("stream_drop")!
        streamDisconnect = function("stream_disconnect")!
        streamUnref = function("stream_unref")!
    }

    /// The system's error number for an error of libpulse.
    static func errno(of code: Int32) -> Int32 {
        switch Int(code) {
        case PULSE_ERR_ACCESS: EACCES
        case PULSE_ERR_NOENTITY, PULSE_ERR_KILLED: ENODEV
        case PULSE_ERR_CONNECTIONREFUSED, PULSE_ERR_CONNECTIONTERMINATED: ECONNREFUSED
        case PULSE_ERR_TIMEOUT: ETIMEDOUT
        case PULSE_ERR_INVALID: EINVAL
        default: EIO
        }
    }
}
