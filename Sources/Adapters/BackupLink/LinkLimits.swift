import NIOCore

/// Times and sizes of a link; tests shorten them.
package struct LinkLimits: Sendable {
    /// The other server counts as heard while its last heartbeat is no older than this.
    var heard: TimeAmount = .seconds(1)
    /// The time without a heartbeat from a peer after which no more heartbeats are sent to it.
    var forgotten: TimeAmount = .seconds(60)
    /// A connection must prove the key within this time.
    var proof: TimeAmount = .seconds(3)
    /// A connection without any data for this time is closed as dead.
    var silence: TimeAmount = .seconds(4)
    /// A follower that accepts no data for this time is disconnected; it reconnects and continues where it was.
    var stall: TimeAmount = .seconds(3)
    var beat: TimeAmount = .seconds(1)
    var firstRetry: TimeAmount = .milliseconds(100)
    var longestRetry: TimeAmount = .seconds(2)
    var mostStrangers = 8
    var mostConnections = 16
    var mostPeers = 8
    /// Memory for the newest lines, which followers read from.
    var ringBytes = 4 << 20
    /// The time limit for the answer to a question.
    var answer: TimeAmount = .seconds(10)
    /// Number of questions that are answered at the same time on one connection.
    var mostQuestions = 8
    /// Bytes that may wait to be sent in a socket.
    var waitingBytes = 1 << 20
    static let mostQuestionBytes = 16 << 10
    static let mostAnswerBytes = 8 << 20
}
