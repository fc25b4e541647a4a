import Basics
import Features
import Score
import Sound
import Testing

@testable import Alignment
@testable import Following

/// Two pieces with copies in rooms, of which the first is played in the third room.
@Suite struct RoomOfTheEveningTests {
    private static let pieces = Result {
        try [
            MadePiece("A", seed: 1, measures: 45, rooms: RoomShape.ofReferences),
            MadePiece("B", seed: 77, rooms: RoomShape.ofReferences), MadePiece("C", seed: 4242),
        ]
    }

    /// The follower of a concert whose first piece was played in a room; nil for as it was recorded.
    private func concert(after room: RoomShape?, advance: PieceAdvanceRule = .next) throws -> ConcertFollower
    {
        let pieces = try Self.pieces.get()
        let concert = ConcertFollower(
            programme: ConcertProgramme(title: "Made", pieceModels: pieces.map(\.model)),
            sampleRate: MadePiece.rate, transforms: FFTWSpectrumMaker(), advance: advance)
        let sound = room.map { pieces[0].samples(in: $0) } ?? pieces[0].samples
        _ = concert.reports(Silence.samples(seconds: 0.5) + sound + Silence.samples(seconds: 3))
        return concert
    }

    @Test func theNextPieceIsExpectedInTheRoomOfTheFirst() throws {
        let concert = try concert(after: RoomShape.ofReferences[2])
        let known = try #require(concert.pieceFollowers[0].room)
        #expect(known[0] < 0.2 && known[2] + known[3] > 0.6)
        #expect(concert.pieceFollowers[1].room == known)
        // A piece without copies has no room of its own, and hands the known one on.
        concert.begin(at: ProgrammePosition(pieceIndex: 2, position: nil))
        #expect(concert.pieceFollowers[2].room == known)
    }

    @Test func aDryHallIsExpectedToBeDry() throws {
        let concert = try concert(after: nil)
        let known = try #require(concert.pieceFollowers[1].room)
        #expect(known[0] > 0.9)
    }

    @Test func aPieceThatIsTakenUpInTheMiddleStartsInTheKnownRoom() throws {
        let concert = try concert(after: RoomShape.ofReferences[2])
        let second = try #require(concert.pieceFollowers[1].forwardFilter)
        second.begin(at: nil)
        #expect(second.roomShares[0] == 1)
        concert.takeOperatorPosition(piece: 1, at: ReferenceTime(seconds: 4))
        #expect(second.roomShares[0] < 0.4 && second.roomShares[2] + second.roomShares[3] > 0.4)
        // The piece that is playing keeps what it has heard itself.
        let heard = try #require(concert.pieceFollowers[1].forwardFilter?.roomShares)
        concert.takeOperatorPosition(at: ReferenceTime(seconds: 2))
        #expect(concert.pieceFollowers[1].forwardFilter?.roomShares == heard)
    }

    @Test func aPieceThatBeginsAgainExpectsItsOwnRoom() throws {
        let concert = try concert(after: RoomShape.ofReferences[2])
        concert.begin(at: .beginning)
        let expected = try #require(concert.pieceFollowers[0].forwardFilter?.expectedRoom)
        #expect(expected == concert.pieceFollowers[0].room)
    }

    @Test func whatWasHardlyHeardTellsNoRoom() throws {
        let pieces = try Self.pieces.get()
        let concert = ConcertFollower(
            programme: ConcertProgramme(title: "Made", pieceModels: pieces.map(\.model)),
            sampleRate: MadePiece.rate, transforms: FFTWSpectrumMaker())
        _ = concert.reports(Array(pieces[0].samples.prefix(Int(20 * MadePiece.rate.hertz))))
        #expect(concert.pieceFollowers[0].room == nil)
    }
}
