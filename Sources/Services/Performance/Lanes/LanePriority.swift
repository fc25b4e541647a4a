/// The real-time priorities of the lanes' threads (`SCHED_FIFO`, 1 to 99): the lower lane never waits for the higher.
package enum LanePriority {
    package static let capture: Int32 = 70
    package static let follow: Int32 = 60
    /// The show engine, and the thread that speaks with the other server.
    package static let desk: Int32 = 50
}
