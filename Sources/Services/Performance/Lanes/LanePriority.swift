/// Real-time priorities of the threads (`SCHED_FIFO`, 1 to 99). A thread never waits for one with a lower priority.
enum LanePriority {
    static let capture: Int32 = 70
    static let follow: Int32 = 60
    /// For the show engine's thread and for the thread that exchanges heartbeats with the other server.
    static let desk: Int32 = 50
}
