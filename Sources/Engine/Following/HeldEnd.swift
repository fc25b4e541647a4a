import MusicalTime

/// Keeps the end of a piece until the music has certainly come back to it, and says whether anything else sounds.
///
/// A follower that has come to the end of its piece would look for other music in it for ever, and believe in places
/// of it for seconds.
struct HeldEnd {
    private(set) var isHeld = false
    private var own = Sureness()
    private var soundSince: Double?
    private var quietSince: Double?
    private var newest = 0.0

    /// Seconds for which the piece's own music must be heard again: a repeat from its beginning, an encore of it.
    static let returning = 4.0
    /// Seconds of sound after which what is heard is other music, or applause.
    private static let otherSound = 5.0
    /// Seconds of silence that are no mere rest in it.
    private static let breath = 1.0

    /// Takes what is known after a hop.
    mutating func step(_ report: PositionReport, isQuiet: Bool) {
        newest = report.live.seconds
        quietSince = isQuiet ? quietSince ?? newest : nil
        let isSilent = quietSince.map { newest - $0 >= Self.breath } ?? false
        soundSince = isSilent || !isHeld ? nil : soundSince ?? newest
        if report.state == .finished { hold() }
        guard isHeld else { return }
        own.see(report, at: newest)
        if own.seconds >= Self.returning { isHeld = false }
    }

    mutating func hold() {
        guard !isHeld else { return }
        isHeld = true
        own.startAnew()
        soundSince = nil
    }

    mutating func release() { self = HeldEnd() }

    /// Of the position that is held: over, and waiting once something else sounds.
    var state: FollowerState {
        soundSince.map { newest - $0 >= Self.otherSound } ?? false ? .waiting : .finished
    }
}
