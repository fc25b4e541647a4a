import Following
import MusicalTime

/// Takes live audio hop by hop on the follow lane, and reports a position after each hop. Belongs to that lane.
package protocol LaneFollower: AnyObject {
    var programme: Programme { get }
    /// Of the live audio.
    var rate: SampleRate { get }
    /// Samples heard since the first one.
    var heardSamples: SampleTime { get }
    /// Samples until the current hop is complete; at least one.
    var samplesToHopEnd: Int { get }
    /// Forgets the performance so far and waits for the music at a place.
    func begin(at place: ProgrammePosition)
    /// Takes over the position in a piece that an operator gives for the playing music.
    /// - Parameters:
    ///   - piece: index into the programme's models.
    ///   - place: on that piece's timeline.
    func anchor(piece: Int, at place: ReferenceTime)
    /// Takes samples, full scale ±1, and reports after each hop they complete.
    func hear(_ block: UnsafeBufferPointer<Float>, report: (ConcertReport) -> Void)
}

extension ConcertFollower: LaneFollower {}
