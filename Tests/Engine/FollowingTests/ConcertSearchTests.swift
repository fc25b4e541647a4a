import Basics
import Score
import Sound
import Testing

@testable import Following

/// A concert in any order: it begins again, an encore, a jump to another piece.
@Suite struct AnyOrderTests {
    private let pieces: [MadePiece]
    private let room = Silence.samples(seconds: 3)

    init() throws {
        pieces = try [MadePiece("A", seed: 1), MadePiece("B", seed: 77), MadePiece("C", seed: 4242)]
    }

    private func concert(_ advance: PieceAdvanceRule, pieces: [MadePiece]) -> ConcertFollower {
        ConcertFollower(
            programme: ConcertProgramme(title: "Made", pieceModels: pieces.map(\.model)),
            sampleRate: MadePiece.rate,
            transforms: FFTWSpectrumMaker(), advance: advance)
    }

    private func order(_ reports: [ConcertReport]) -> [Int] {
        reports.filter { $0.positionReport.state == .following }.map(\.pieceIndex).reduce(into: []) {
            if $0.last != $1 { $0.append($1) }
        }
    }

    @Test func theConcertInItsOrderIsFollowedAsPrinted() {
        let evening = pieces.reduce(into: Silence.samples(seconds: 0.3)) { $0 += $1.samples + room }
        #expect(order(concert(.any, pieces: pieces).reports(evening)) == [0, 1, 2])
    }

    @Test func aConcertThatBeginsAgainIsFollowedAgain() {
        let evening = (pieces + pieces).reduce(into: Silence.samples(seconds: 0.3)) {
            $0 += $1.samples + room
        }
        for advance in PieceAdvanceRule.allCases {
            let reports = concert(advance, pieces: pieces).reports(evening)
            #expect(order(reports) == [0, 1, 2, 0, 1, 2], "\(advance)")
            #expect(reports.last?.positionReport.position?.played == 11, "\(advance)")
        }
    }

    @Test func afterTheLastPieceAnEncoreIsFoundAndThenTheProgrammeGoesOn() {
        let encore = pieces[1].samples[(5 * Int(MadePiece.rate.hertz))...]
        var evening = pieces.reduce(into: [Float]()) { $0 += $1.samples + room }
        evening += encore
        evening += room
        evening += pieces[2].samples
        let reports = concert(.next, pieces: pieces).reports(evening)
        #expect(order(reports) == [0, 1, 2, 1, 2])
        #expect(reports.last?.positionReport.position?.played == 11)
    }

    @Test func beforeTheEndOnlyTheNextPieceOfTheProgrammeIsBegun() {
        let again = pieces[0].samples + room + pieces[2].samples + room
        let reports = concert(.next, pieces: pieces).reports(again)
        #expect(reports.allSatisfy { $0.pieceIndex != 2 })
    }

    @Test func anotherOrderIsFollowedWithoutTheWrongPieceInBetween() {
        let evening = [2, 0, 1].reduce(into: Silence.samples(seconds: 0.3)) {
            $0 += pieces[$1].samples + room
        }
        #expect(order(concert(.any, pieces: pieces).reports(evening)) == [2, 0, 1])
    }

    @Test func aPieceThatBreaksOffIsLeftAndTakenUpWhereItWas() {
        let half = 6 * Int(MadePiece.rate.hertz)
        let evening =
            Silence.samples(seconds: 0.3) + pieces[0].samples[..<half] + pieces[1].samples
            + pieces[0].samples[half...]
        let reports = concert(.any, pieces: pieces).reports(evening)
        #expect(order(reports).prefix(2) == [0, 1])
    }

    @Test func theMiddleOfAnotherPieceIsFoundWithinSeconds() throws {
        let long = try (1...10).map { try MadePiece("\($0)", seed: UInt64(1_000 * $0), measures: 30) }
        let (half, rate) = (15 * Int(MadePiece.rate.hertz), MadePiece.rate.hertz)
        let evening =
            Silence.samples(seconds: 0.3) + long[0].samples[..<half] + long[9].samples[half...]
        let reports = concert(.any, pieces: long).reports(evening)
        #expect(order(reports) == [0, 9])
        let changed = 0.3 + Double(half) / rate
        let found = try #require(reports.first { $0.pieceIndex == 9 })
        #expect(found.positionReport.liveTime.seconds < changed + 6)
        let last = try #require(reports.last?.positionReport)
        #expect(last.position?.played == 29)
    }

    @Test func afterTheLastPieceOtherMusicIsNotFollowed() throws {
        let foreign = try MadePiece("D", seed: 990_017, measures: 40)
        for advance in PieceAdvanceRule.allCases {
            let evening = pieces[..<2].reduce(into: [Float]()) { $0 += $1.samples + room }
            let reports = concert(advance, pieces: Array(pieces[..<2])).reports(evening + foreign.samples)
            let ended = Double(evening.count) / MadePiece.rate.hertz
            let after = reports.filter { $0.positionReport.liveTime.seconds > ended }
            #expect(after.allSatisfy { $0.positionReport.state != .following }, "\(advance)")
            let later = after.filter { $0.positionReport.liveTime.seconds > ended + 10 }
            #expect(!later.isEmpty && later.allSatisfy { $0.positionReport.state == .waiting }, "\(advance)")
            #expect(
                after.allSatisfy { $0.pieceIndex == 1 && $0.positionReport.position?.played == 11 },
                "\(advance)")
        }
    }

    @Test func theLastPieceAgainIsFollowedAgain() {
        let evening = pieces[0].samples + room + pieces[0].samples
        for advance in PieceAdvanceRule.allCases {
            let reports = concert(advance, pieces: [pieces[0]]).reports(evening)
            #expect(reports.last?.positionReport.position?.played == 11, "\(advance)")
            let again = reports.filter {
                $0.positionReport.liveTime.seconds > 22 && $0.positionReport.state == .following
            }
            #expect(!again.isEmpty, "\(advance)")
        }
    }

    @Test func whatIsSaidDoesNotDependOnTheBlocks() {
        let evening = [1, 0].reduce(into: [Float]()) { $0 += pieces[$1].samples + room }
        let again = [0, 1, 0].reduce(into: [Float]()) { $0 += pieces[$1].samples + room }
        for (advance, sound) in [(PieceAdvanceRule.any, evening), (.next, again)] {
            let two = Array(pieces[..<2])
            let expected = concert(advance, pieces: two).reports(sound, block: sound.count)
            for block in [1, 64, 441] {
                #expect(concert(advance, pieces: two).reports(sound, block: block) == expected, "\(block)")
            }
        }
    }

    @Test func inARehearsalAnyPieceMayComeNextAndAfterItOnlyTheNextOneOfTheProgramme() {
        let concert = concert(.next, pieces: pieces)
        concert.setRehearsal(true)
        let rehearsed = concert.reports(pieces[2].samples + room + pieces[0].samples + room)
        #expect(order(rehearsed) == [2, 0])
        concert.setRehearsal(false)
        #expect(concert.currentPiece == 0)
        let played = concert.reports(pieces[2].samples + room + pieces[1].samples)
        #expect(order(played) == [1], "the last piece is not the next one")
        #expect(played.last?.positionReport.position?.played == 11)
    }

    @Test(arguments: [true, false]) func aRehearsalMayBeginOrEndWithinAPieceAndItsPlaceStays(isOn: Bool) {
        let half = 11 * Int(MadePiece.rate.hertz) / 2
        let concert = concert(.next, pieces: pieces)
        concert.setRehearsal(!isOn)
        _ = concert.reports(Silence.samples(seconds: 0.3) + pieces[0].samples[..<half])
        concert.setRehearsal(isOn)
        let rest = concert.reports(Array(pieces[0].samples[half...]))
        #expect(rest.first?.positionReport.position?.played == 5)
        #expect(rest.allSatisfy { $0.pieceIndex == 0 && $0.positionReport.state != .lost })
        #expect(rest.last?.positionReport.position?.played == 11)
    }

    @Test(arguments: [true, false]) func aRehearsalMayBeginOrEndBetweenTwoPieces(isOn: Bool) {
        let concert = concert(.next, pieces: pieces)
        concert.setRehearsal(!isOn)
        _ = concert.reports(pieces[0].samples + room)
        concert.setRehearsal(isOn)
        let between = concert.reports(room)
        #expect(between.allSatisfy { $0.pieceIndex == 0 && $0.positionReport.state != .following })
        let next = concert.reports(pieces[1].samples + room)
        #expect(order(next) == [1])
        #expect(next.last?.positionReport.position?.played == 11)
    }

    @Test(arguments: [true, false]) func aRehearsalMayBeginOrEndAfterTheLastPiece(isOn: Bool) {
        let two = Array(pieces[..<2])
        let concert = concert(.next, pieces: two)
        concert.setRehearsal(!isOn)
        _ = concert.reports(two.reduce(into: []) { $0 += $1.samples + room })
        concert.setRehearsal(isOn)
        let again = concert.reports(room + pieces[0].samples + room)
        #expect(order(again) == [0])
    }

    @Test func aSilentRoomIsSaidToBeSilent() {
        let reports = concert(.next, pieces: pieces).reports(
            pieces[0].samples + Silence.samples(seconds: 6))
        #expect(reports.last?.isSilent == true)
        #expect(reports.filter { $0.positionReport.liveTime.seconds < 12 }.allSatisfy { !$0.isSilent })
    }
}

/// The rules of the search, without sound.
@Suite struct ConcertSearchTests {
    private let measures: MeasureMap

    init() throws {
        measures = try MeasureMap(
            marks: (0..<10).map {
                PlayedMeasure(printed: $0 + 1, onset: ReferenceTime(seconds: 2 * Double($0)))
            }, end: ReferenceTime(seconds: 20))
    }

    private func report(_ reference: Double, live: Double, _ confidence: Double, _ state: FollowerState)
        -> PositionReport
    {
        PositionReport(
            liveTime: LiveTime(seconds: live), referenceTime: ReferenceTime(seconds: reference),
            position: measures.position(at: ReferenceTime(seconds: reference)), printedMeasure: 1,
            tempo: TempoRatio(1), confidence: confidence, state: state)
    }

    /// Fifty hops a second: the current piece stands where it ended, the slots as they are told.
    private func moves(
        _ search: inout AnyPieceDetector, seconds: Double, at start: Double, piece: Int,
        slot: (Int, Double) -> PositionReport
    ) -> [AnyPieceDetector.SlotAction] {
        (0..<Int(seconds * 50)).map { hop in
            let now = start + Double(hop) / 50
            return search.decideAfterHop(
                current: report(20, live: now, 0.9, .finished), piece: piece,
                beside: (0..<search.listeningSlotCount).map { slot($0, now) }, isQuiet: false,
                measures: measures)
        }.filter { $0 != .stay }
    }

    @Test func allOthersAreListenedForOneAHopTheNextOneFirst() {
        var search = AnyPieceDetector(pieceCount: 4)
        let moves = moves(&search, seconds: 0.1, at: 1, piece: 2) { report(0, live: $1, 0.1, .waiting) }
        #expect(
            moves == [
                .listenForPiece(slot: 0, piece: 3), .listenForPiece(slot: 1, piece: 0),
                .listenForPiece(slot: 2, piece: 1),
            ])
        #expect(search.isBetweenPieces)
    }

    @Test func inALongProgrammeOthersTakeTurnsAndTheNextStays() {
        var search = AnyPieceDetector(pieceCount: 30)
        #expect(search.listeningSlotCount == AnyPieceDetector.maximumListeningSlots)
        let moves = moves(&search, seconds: 100, at: 1, piece: 4) { report(0, live: $1, 0.1, .waiting) }
        var heard: Set<Int> = []
        for case .listenForPiece(_, let piece) in moves { heard.insert(piece) }
        #expect(heard.count == 29 && !heard.contains(4))
        #expect(moves.filter { $0 == .listenForPiece(slot: 0, piece: 5) }.count == 1)
    }

    @Test func onlyAPieceThatStaysSureIsTakenUp() {
        var search = AnyPieceDetector(pieceCount: 3)
        let first = moves(&search, seconds: 6, at: 1, piece: 0) { slot, now in
            // One is sure for a second at a time, the other never moves.
            slot == 1
                ? report(
                    now, live: now, now.truncatingRemainder(dividingBy: 1.5) < 1 ? 0.95 : 0.2, .following)
                : report(3, live: now, 1, .following)
        }
        #expect(first.allSatisfy { if case .makePieceCurrent = $0 { false } else { true } })
        let second = moves(&search, seconds: 6, at: 7, piece: 0) { slot, now in
            slot == 1 ? report(now, live: now, 0.95, .following) : report(0, live: now, 0.5, .waiting)
        }
        #expect(second.contains(.makePieceCurrent(slot: 1)))
    }

    /// Hops in which the current piece is followed with some confidence while the search of the programme finds piece
    /// 2.
    private func movesWhenFound(
        _ search: inout AnyPieceDetector, currentConfidence: Double, slotConfidence: Double,
        sureAfter: Double = 0,
        seconds: Double
    ) -> [AnyPieceDetector.SlotAction] {
        var slot: Int?
        return (0..<Int(seconds * 50)).map { hop in
            let now = 1 + Double(hop) / 50
            let action = search.decideAfterHop(
                current: report(5 + now, live: now, currentConfidence, .following), piece: 0,
                beside: (0..<search.listeningSlotCount).map {
                    $0 == slot
                        ? report(8 + now, live: now, now - 1 < sureAfter ? 0.5 : slotConfidence, .following)
                        : report(0, live: now, 0.1, .waiting)
                }, isQuiet: false, foundPiece: hop % 5 == 0 ? 2 : nil, measures: measures)
            if case .takeUpFoundPiece(let taken) = action { slot = taken }
            return action
        }.filter { $0 != .stay }
    }

    @Test func aPieceThatIsFoundIsTakenUpAtOnceAndProvenBySureness() {
        var search = AnyPieceDetector(pieceCount: 4)
        let moves = movesWhenFound(&search, currentConfidence: 0.3, slotConfidence: 0.96, seconds: 2.3)
        #expect(moves.first == .takeUpFoundPiece(slot: 0))
        #expect(moves.contains(.makePieceCurrent(slot: 0)))
        var early = AnyPieceDetector(pieceCount: 4)
        let before = movesWhenFound(&early, currentConfidence: 0.3, slotConfidence: 0.96, seconds: 1.9)
        #expect(!before.contains(.makePieceCurrent(slot: 0)))
    }

    @Test func afterTenSecondsOfOtherMusicAFoundPieceNeedsALongerProof() {
        for (sureSeconds, isProven) in [(3.3, false), (3.8, true)] {
            var search = AnyPieceDetector(pieceCount: 4)
            let moves = movesWhenFound(
                &search, currentConfidence: 0.3, slotConfidence: 0.96, sureAfter: 11,
                seconds: 11 + sureSeconds)
            #expect(moves.contains(.makePieceCurrent(slot: 0)) == isProven)
        }
    }

    @Test func aPieceThatIsFoundIsIgnoredWhileTheCurrentOneIsSure() {
        var search = AnyPieceDetector(pieceCount: 4)
        #expect(
            movesWhenFound(&search, currentConfidence: 0.97, slotConfidence: 0.96, seconds: 10).isEmpty)
    }

    @Test func aPieceThatIsFoundButNotProvenIsTakenUpAgainAndNeverBecomesCurrent() {
        var search = AnyPieceDetector(pieceCount: 4)
        let moves = movesWhenFound(&search, currentConfidence: 0.3, slotConfidence: 0.5, seconds: 9)
        #expect(moves.filter { $0 == .takeUpFoundPiece(slot: 0) }.count >= 3)
        #expect(!moves.contains(.makePieceCurrent(slot: 0)))
    }
}
