import Glibc
import Synchronization

/// Asks a thread's body to return. The body checks ``isMade`` at each turn of its loop.
public final class StopRequest: Sendable {
    private let made = Atomic<Bool>(false)
    private let whole: StopRequest?

    /// True once the thread has been asked to stop. May be read on any thread; costs one or two atomic loads.
    public var isMade: Bool { made.load(ordering: .acquiring) || whole?.isMade == true }

    /// - Parameter whole: the request to stop the work of which this is a part; it stops the part too.
    public init(partOf whole: StopRequest? = nil) { self.whole = whole }

    public func make() { made.store(true, ordering: .releasing) }
}

/// A thread that captures or follows audio, with real-time scheduling (`SCHED_FIFO`) if the system permits it.
///
/// The body runs once and returns soon after its ``StopRequest`` is made; it must wait only with a timeout. The body
/// must not grow arrays, print, create objects or use `await`; it must allocate before it starts.
public final class RealTimeThread: Sendable {
    /// The scheduling that the operating system uses for the thread.
    public enum Policy: Equatable, Sendable {
        /// The thread has real-time scheduling (`SCHED_FIFO`) at this priority.
        case firstInFirstOut(priority: Int32)
        /// The thread has ordinary scheduling, either as requested (nil) or because `SCHED_FIFO` was refused with this
        /// errno.
        case ordinary(refusal: Int32?)
    }

    public let name: String
    public let policy: Policy
    private let stopRequest: StopRequest
    private let unjoinedThread: Mutex<pthread_t?>

    /// Starts the thread.
    /// - Parameters:
    ///   - name: shown by `top -H`; the kernel cuts it to 15 bytes.
    ///   - priority: 1…99 for `SCHED_FIFO` (kept in that range), or nil for an ordinary thread.
    ///   - body: the work of the thread.
    public init(
        name: String, priority: Int32?, body: @escaping @Sendable (StopRequest) -> Void
    ) throws(RealTimeError) {
        let request = StopRequest()
        let work = Unmanaged.passRetained(
            ThreadWork(name: name) {
                if priority != nil { lockStackOfThisThread() }
                body(request)
            })
        var thread = pthread_t()
        var policy = Policy.ordinary(refusal: nil)
        var failure: Int32 = 0
        if let wished = priority {
            let priority = min(max(wished, 1), 99)
            failure = startThread(&thread, work, priority: priority)
            policy = failure == 0 ? .firstInFirstOut(priority: priority) : .ordinary(refusal: failure)
        }
        if priority == nil || failure != 0 { failure = startThread(&thread, work, priority: nil) }
        guard failure == 0 else {
            work.release()
            throw .threadNotStarted(name: name, errno: failure)
        }
        self.name = name
        self.policy = policy
        self.stopRequest = request
        unjoinedThread = Mutex(thread)
    }

    deinit { stop() }

    /// Asks the body to return, without waiting for it.
    public func requestStop() { stopRequest.make() }

    /// Asks the body to return and waits until it has returned. Repeated calls are harmless. A call from the thread
    /// itself does not wait.
    public func stop() {
        stopRequest.make()
        unjoinedThread.withLock { thread in
            guard let running = thread else { return }
            thread = nil
            if pthread_equal(running, pthread_self()) != 0 {
                pthread_detach(running)
            } else {
                pthread_join(running, nil)
            }
        }
    }
}

/// The data that a new thread needs, passed to the thread as one retained pointer.
private final class ThreadWork: Sendable {
    let name: String
    let performWork: @Sendable () -> Void

    init(name: String, performWork: @escaping @Sendable () -> Void) {
        self.name = String(decoding: name.utf8.prefix(15), as: UTF8.self)
        self.performWork = performWork
    }
}

/// Starts a thread that runs the work.
/// - Returns: 0, or the errno of `pthread_create`, in which case the caller still owns the work.
private func startThread(_ thread: inout pthread_t, _ work: Unmanaged<ThreadWork>, priority: Int32?) -> Int32
{
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let priority {
        var parameters = sched_param()
        parameters.sched_priority = priority
        pthread_attr_setinheritsched(&attributes, Int32(PTHREAD_EXPLICIT_SCHED))
        pthread_attr_setschedpolicy(&attributes, SCHED_FIFO)
        pthread_attr_setschedparam(&attributes, &parameters)
    }
    return pthread_create(
        &thread, &attributes,
        { opaque in
            guard let opaque else { return nil }
            let work = Unmanaged<ThreadWork>.fromOpaque(opaque).takeRetainedValue()
            nameThisThread(work.name)
            work.performWork()
            return nil
        }, work.toOpaque())
}

/// Names the calling thread by writing to /proc, because Swift does not see `pthread_setname_np`, a GNU extension.
private func nameThisThread(_ name: String) {
    let descriptor = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = write(descriptor, name, name.utf8.count)
    close(descriptor)
}
