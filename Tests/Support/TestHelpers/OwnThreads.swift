import Dispatch
import Synchronization
import Testing

extension Trait where Self == OwnThreads {
    /// For tests that block a thread or wait for sockets, processes or the clock.
    static var ownThreads: Self { OwnThreads() }
}

/// Runs each test on threads of its own instead of Swift's pool.
///
/// The pool has one thread per core. A test that blocks one takes it from the server that shall answer it, and
/// computations of other suites delay whatever waits there. The tasks that a test starts in task groups run on these
/// threads too. At most `width` such tests run at once, so that none waits for long behind the others.
struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
    static let width = 8

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.entrance.enter()
        defer { Self.entrance.leave() }
        try await withTaskExecutorPreference(ThreadPerJob.shared) { try await function() }
    }

    private static let entrance = Entrance(width: width)
}

/// Lets so many in; the others wait without a thread, in the order in which they came.
private final class Entrance: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(width: Int) { state = Mutex(State(free: width)) }

    func enter() async {
        await withCheckedContinuation { continuation in
            let mayEnter = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if mayEnter { continuation.resume() }
        }
    }

    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}

/// Each job gets a thread that nothing blocks: Dispatch keeps as many (up to 255) as serial queues are busy.
private final class ThreadPerJob: TaskExecutor {
    static let shared = ThreadPerJob()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        DispatchQueue(label: "test").async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
