/// The real-time priorities of the threads (`SCHED_FIFO`, 1 to 99). A thread never waits for one with a lower priority.
enum ThreadPriority {
    static let capture: Int32 = 70
    static let follow: Int32 = 60
    /// The priority of the show engine's thread and of the thread that exchanges heartbeats with the other server.
    static let showEngine: Int32 = 50
}
