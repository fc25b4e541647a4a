import NIOCore

/// Times and sizes of a link; tests shorten them.
struct LinkLimits: Sendable {
    /// The other is heard while the last heartbeat is not older.
    var heard: TimeAmount = .seconds(1)
    /// A server not heard for so long gets no more heartbeats.
    var forgotten: TimeAmount = .seconds(60)
    /// A connection must prove the key within this time.
    var proof: TimeAmount = .seconds(3)
    /// A connection on which nothing comes for so long is dead.
    var silence: TimeAmount = .seconds(4)
    /// A follower that takes nothing for so long is cut off; it comes back and goes on where it was.
    var stall: TimeAmount = .seconds(3)
    var beat: TimeAmount = .seconds(1)
    var firstRetry: TimeAmount = .milliseconds(100)
    var longestRetry: TimeAmount = .seconds(2)
    var mostStrangers = 8
    var mostConnections = 16
    var mostPeers = 8
    /// Newest lines kept in memory for followers.
    var ringBytes = 4 << 20
    /// How long a question waits for its answer.
    var answer: TimeAmount = .seconds(10)
    /// Questions of one connection that are being answered.
    var mostQuestions = 8
    /// What may wait in a socket.
    var waitingBytes = 1 << 20
    static let mostQuestionBytes = 16 << 10
    static let mostAnswerBytes = 8 << 20
}
