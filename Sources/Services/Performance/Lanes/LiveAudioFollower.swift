import Basics
import Following

/// Follows live audio hop by hop and reports a position after each hop. Only the follow thread may use it.
package protocol LiveAudioFollower: AnyObject {
    var programme: ConcertProgramme { get }
    /// The sample rate of the live audio.
    var sampleRate: SampleRate { get }
    /// The number of samples heard so far.
    var heardSamples: SampleTime { get }
    /// The number of samples until the current hop is complete; at least one.
    var samplesToHopEnd: Int { get }
    /// Forgets the performance so far and waits for the music to begin at a position.
    func begin(at place: ProgrammePosition)
    /// Continues from a position that an operator gives while the music is playing.
    /// - Parameters:
    ///   - piece: the index of the piece in the programme.
    ///   - place: the time in that piece's reference.
    func takeOperatorPosition(piece: Int, at place: ReferenceTime)
    /// Follows a rehearsal from now on, in which any piece may come next, or the concert; called between two hops.
    func setRehearsal(_ isOn: Bool)
    /// Takes samples, full scale ±1, and reports a position after each hop that they complete.
    func hearSamples(_ block: UnsafeBufferPointer<Float>, report: (ConcertReport) -> Void)
    /// Takes over the performance from the follower that it was made to replace; called once, between two hops.
    func continuePerformance()
    /// Drops the follower that it replaced. Any thread may call this after ``continuePerformance()``.
    func releasePredecessor()
}

extension LiveAudioFollower {
    package func continuePerformance() {}
    package func setRehearsal(_ isOn: Bool) {}
    package func releasePredecessor() {}
}

extension ConcertFollower: LiveAudioFollower {}
