import Testing

@testable import Rehearsal

/// The rights of a reader to the remarks of a score, and the place of a remark's copy in another part.
@Suite struct ScoreRemarkTests {
    private let anna: User.ID = id(1)
    private let bert: User.ID = id(2)
    private var counts: ScoreWriter.Counts { ScoreWriter.Counts(ofLayer: 0, ofAuthor: 0) }

    private func writer(_ user: User.ID, isLibrarian: Bool = false) -> ScoreWriter {
        ScoreWriter(user: user, isLibrarian: isLibrarian, pageCounts: [2, 2, 2])
    }

    private func remark(
        by author: User.ID, on layer: ScoreLayer.ID, part: Int = 0, page: Int = 0, x: Int = 2_000,
        y: Int = 2_500,
        _ shape: RemarkShape = .stamp(.downBow)
    ) throws -> Remark {
        Remark(
            id: id(70), layer: layer, author: author, part: part, page: page,
            anchor: try PagePoint(x: x, y: y),
            shape: shape)
    }

    private func section(parts: [Int] = [0]) throws -> ScoreLayer {
        try ScoreLayer(
            id: id(90), kind: .section, owner: id(3), name: "Bowings", parts: parts, writers: [anna])
    }

    @Test func aUsersOwnLayerHasTheUsersIDInEveryScore() {
        let own = ScoreLayer.own(of: anna)
        #expect(own.id.description == anna.description)
        #expect(own.isVisible(to: anna) && own.mayWrite(anna))
        #expect(!own.isVisible(to: bert) && !own.mayWrite(bert))
    }

    @Test func onlyItsWritersAddToALayerOfASectionAndOnlyToItsParts() throws {
        let layer = try section()
        let mine = try remark(by: anna, on: layer.id)
        #expect(try writer(anna).places(mine, on: layer, known: nil, counts))
        let other = try remark(by: anna, on: layer.id, part: 1)
        #expect(throws: RoomRefusal.notThisPart) {
            try writer(anna).places(other, on: layer, known: nil, counts)
        }
        let his = try remark(by: bert, on: layer.id)
        #expect(throws: RoomRefusal.notAWriter) {
            try writer(bert).places(his, on: layer, known: nil, counts)
        }
        // A librarian names the writers, and is none by that.
        #expect(throws: RoomRefusal.notYourRemark) {
            try writer(bert, isLibrarian: true).places(mine, on: layer, known: nil, counts)
        }
    }

    @Test func anotherUsersLayerIsRefusedAsOneThatIsNotThere() throws {
        let hers = ScoreLayer.own(of: anna)
        let his = try remark(by: bert, on: hers.id)
        #expect(throws: RoomRefusal.noScoreLayer) {
            try writer(bert).places(his, on: hers, known: nil, counts)
        }
        #expect(throws: RoomRefusal.noScoreLayer) {
            try writer(bert).places(his, on: nil, known: nil, counts)
        }
        let secret = ScoreWriter.KnownRemark(try remark(by: anna, on: hers.id))
        #expect(throws: RoomRefusal.noRemark) { try writer(bert).checkErasing(secret, on: hers) }
        #expect(throws: RoomRefusal.noRemark) { try writer(bert).checkErasing(nil, on: nil) }
    }

    @Test func aLateCopyOfARemarkChangesNothingAndErasedOnesComeBackOnlyByWish() throws {
        let layer = ScoreLayer.own(of: anna)
        let mine = try remark(by: anna, on: layer.id)
        let erased = ScoreWriter.KnownRemark(mine, isErased: true)
        #expect(try !writer(anna).places(mine, on: layer, known: erased, counts))
        #expect(try writer(anna).restores(mine, on: layer, known: erased, counts))
        #expect(try !writer(anna).restores(mine, on: layer, known: .init(mine), counts))
    }

    @Test func librariansEditAndEraseOnLayersOfSectionsOthersOnlyTheirOwn() throws {
        let layer = try section()
        let known = ScoreWriter.KnownRemark(try remark(by: anna, on: layer.id))
        let edit = RemarkEdit(id(70), page: 1)
        #expect(try writer(anna).edited(known, on: layer, by: edit).page == 1)
        #expect(try writer(bert, isLibrarian: true).edited(known, on: layer, by: edit).page == 1)
        #expect(throws: RoomRefusal.notYourRemark) { try writer(bert).edited(known, on: layer, by: edit) }
        #expect(throws: RoomRefusal.noPage(9, ofPart: 0)) {
            try writer(anna).edited(known, on: layer, by: RemarkEdit(id(70), page: 9))
        }
    }

    @Test func aFullLayerTakesNoMore() throws {
        let layer = ScoreLayer.own(of: anna)
        let mine = try remark(by: anna, on: layer.id)
        let full = ScoreWriter.Counts(ofLayer: ScoreRemarkLimits.mostRemarksOnLayer, ofAuthor: 0)
        #expect(throws: RoomRefusal.self) { try writer(anna).places(mine, on: layer, known: nil, full) }
        let busy = ScoreWriter.Counts(ofLayer: 0, ofAuthor: ScoreRemarkLimits.mostRemarksOfAuthor)
        #expect(throws: RoomRefusal.self) { try writer(anna).places(mine, on: layer, known: nil, busy) }
    }

    // MARK: Copies in other parts

    private func score() throws -> Score {
        func bars(_ numbers: ClosedRange<Int>, top: Double, height: Double) throws -> [MeasureBox] {
            try numbers.map { bar in
                let left = 0.1 + 0.2 * Double((bar - 1) % 4)
                return MeasureBox(
                    page: bar <= 4 ? 0 : 1, first: bar, last: bar,
                    box: try PageRectangle(left: left, top: top, right: left + 0.2, bottom: top + height))
            }
        }
        let pages = [PageSize(width: 600, height: 800), PageSize(width: 600, height: 800)]
        let rest = MeasureBox(
            page: 1, first: 5, last: 7, box: try PageRectangle(left: 0.1, top: 0.3, right: 0.5, bottom: 0.4))
        return try Score(
            id: id(50), title: "Sinfonie", movements: [try Movement(name: "Allegro")],
            parts: [
                try Part(name: "Violin I", pages: pages, places: bars(1...8, top: 0.2, height: 0.1)),
                try Part(name: "Violin II", pages: pages, places: bars(1...8, top: 0.5, height: 0.2)),
                try Part(name: "Viola", pages: pages, places: bars(1...4, top: 0.3, height: 0.1) + [rest]),
            ])
    }

    @Test func aBowingOverABarLandsOverTheSameBarOfAnotherPart() throws {
        let transfer = RemarkTransfer(try score())
        // Bar 6 is the second of page 1: 0.3 to 0.5 across. The bowing stands in its middle, half a staff over it.
        let bowing = try remark(by: anna, on: id(90), page: 1, x: 4_000, y: 1_500)
        #expect(try transfer.place(of: bowing).measure == 6)
        let copy = try transfer.copy(bowing, toPart: 1, id: id(71))
        #expect((copy.part, copy.page) == (1, 1))
        #expect((copy.anchor.x, copy.anchor.y) == (4_000, 4_000))
        // The staff is twice as high there.
        #expect(copy.ink.width == 2 * bowing.ink.width)
        #expect(copy.paper == (try RemarkPageSize(width: 600, height: 800)))
    }

    @Test func aStrokeIsStretchedWithItsBarAndFoundByItsMiddle() throws {
        let transfer = RemarkTransfer(try score())
        // It begins before bar 2 and ends in it.
        let stroke = try Stroke(coordinates: [0, 0, 1_500, 100])
        let line = try remark(by: anna, on: id(90), x: 2_800, y: 2_500, .line(stroke))
        #expect(try transfer.place(of: line).measure == 2)
        let copy = try transfer.copy(line, toPart: 1, id: id(71))
        #expect(copy.shape == .line(try Stroke(coordinates: [0, 0, 1_500, 200])))
    }

    @Test func whatHasNoPlaceIsSaidWithItsReason() throws {
        let transfer = RemarkTransfer(try score())
        func obstacle(_ remark: Remark, to part: Int) -> RemarkTransfer.Obstacle? {
            do throws(RemarkTransfer.Obstacle) {
                _ = try transfer.copy(remark, toPart: part, id: id(71))
                return nil
            } catch { return error }
        }
        let six = try remark(by: anna, on: id(90), page: 1, x: 4_000, y: 2_500)
        #expect(obstacle(six, to: 2) == .restThere(6, part: "Viola", first: 5, last: 7))
        let eight = try remark(by: anna, on: id(90), page: 1, x: 8_000, y: 2_500)
        #expect(obstacle(eight, to: 2) == .measureUnknown(8, part: "Viola"))
        let foot = try remark(by: anna, on: id(90), x: 4_000, y: 9_000)
        #expect(obstacle(foot, to: 1) == .noMeasureHere(part: "Violin I", page: 0))
        let rest = try remark(by: anna, on: id(90), part: 2, page: 1, x: 2_000, y: 3_500)
        #expect(obstacle(rest, to: 0) == .severalMeasuresHere(part: "Viola", first: 5, last: 7))
        for one in [
            obstacle(six, to: 2), obstacle(eight, to: 2), obstacle(foot, to: 1), obstacle(rest, to: 0),
        ] {
            #expect(one?.sentence.isEmpty == false)
        }
    }

    @Test func copiesHaveTheSameIDsEachTimeAndDifferentOnesInDifferentParts() {
        let ids = (0..<50).flatMap { part in
            (0..<50).map { RemarkTransfer.copyID(of: id(UInt64($0)), inPart: part) }
        }
        #expect(Set(ids).count == 2_500)
        #expect(
            ids
                == (0..<50).flatMap { part in
                    (0..<50).map { RemarkTransfer.copyID(of: id(UInt64($0)), inPart: part) }
                })
        #expect(Remark.ID(ids[7].description) == ids[7])
    }

    // MARK: In all parts

    /// Bars 1 to 8 of a full score, two systems of twenty staves, and of a part with a rest in 5 to 7.
    private func orchestra() throws -> Score {
        func bars(_ numbers: ClosedRange<Int>, _ top: Double, _ height: Double, _ width: Double) throws
            -> [MeasureBox]
        {
            try numbers.map {
                let left = 0.1 + width * Double(($0 - 1) % 4)
                return MeasureBox(
                    page: 0, first: $0, last: $0,
                    box: try PageRectangle(left: left, top: top, right: left + width, bottom: top + height))
            }
        }
        let page = PageSize(width: 1_000, height: 2_000)
        return try Score(
            id: id(50), title: "A", composer: "B", movements: [Movement(name: "C")],
            parts: [
                Part(
                    name: "Score", pages: [page],
                    places: bars(1...4, 0.05, 0.4, 0.2) + bars(5...8, 0.55, 0.4, 0.2)),
                Part(
                    name: "Flute", pages: [page, PageSize(width: 1_000, height: 1_000)],
                    places: bars(1...4, 0.2, 0.02, 0.1) + [
                        MeasureBox(
                            page: 1, first: 5, last: 7,
                            box: try PageRectangle(left: 0.1, top: 0.5, right: 0.4, bottom: 0.54))
                    ]),
            ])
    }

    private func forAll(_ number: UInt64, x: Int, y: Int, _ shape: RemarkShape, width: Int = 100) throws
        -> Remark
    {
        Remark(
            id: id(number), layer: id(90), author: anna, part: 0, page: 0, anchor: try PagePoint(x: x, y: y),
            shape: shape, ink: try Ink(colour: "#c8191e", width: width), parts: .all)
    }

    /// `stand_modules_claims.py` holds the stand's own code against the same figures.
    @Test func aRemarkForAllPartsStandsAtItsBarAboveTheStaffAndIsLargeEnoughToRead() throws {
        let transfer = RemarkTransfer(try orchestra())
        // In the middle of bar 2, in the middle of the system.
        let text = try forAll(1, x: 4_000, y: 2_500, .text(RemarkText("dim.")))
        let one = try #require(transfer.shown([text], inPart: 1).first)
        #expect(one.page == 0 && one.anchor.x == 2_500 && one.part == 1 && one.ink.width == 230)
        #expect(
            one.anchor.y == 1_865, "its foot is a tenth of the staff above the staff")
        // A stroke of two pieces stays together, and keeps its form.
        let strokes = [
            try forAll(2, x: 4_000, y: 2_500, .line(Stroke(coordinates: [0, 0, 100, 50])), width: 20),
            try forAll(3, x: 4_200, y: 2_400, .line(Stroke(coordinates: [0, 0, 0, 100])), width: 20),
        ]
        let both = transfer.shown(strokes, inPart: 1)
        #expect(both.map(\.anchor.x) == [2_500, 2_600])
        #expect(both[0].anchor.y - both[1].anchor.y == 70, "0.7 of the distance")
        #expect(both[0].shape == .line(try Stroke(coordinates: [0, 0, 70, 35])))
        // Above and below the system they stay above and below.
        let above = try #require(
            transfer.shown([try forAll(4, x: 4_000, y: 300, .stamp(.fermata))], inPart: 1).first)
        let below = try #require(
            transfer.shown([try forAll(5, x: 4_000, y: 4_700, .stamp(.fermata))], inPart: 1).first)
        #expect(above.anchor.y == 1_820 && below.anchor.y == 2_340)
        // Bar 6 is in a rest of three bars on the second page; its middle.
        let rest = try #require(
            transfer.shown([try forAll(6, x: 4_000, y: 7_000, .stamp(.glasses))], inPart: 1).first)
        #expect(rest.page == 1 && rest.anchor.x == 2_500 && rest.anchor.y < 5_000)
    }

    @Test func whatIsForItsOwnPartOrAtNoBarIsInNoOther() throws {
        let transfer = RemarkTransfer(try orchestra())
        var own = try forAll(1, x: 4_000, y: 2_500, .stamp(.forte))
        own.parts = nil
        let nowhere = try forAll(2, x: 9_900, y: 9_990, .stamp(.forte))
        // Bar 8, which the flute does not mark.
        let missing = try forAll(3, x: 8_000, y: 7_000, .stamp(.forte))
        #expect(transfer.shown([own, nowhere, missing], inPart: 1).isEmpty)
        #expect(
            transfer.shown([try forAll(4, x: 4_000, y: 2_500, .stamp(.forte))], inPart: 0).isEmpty,
            "it is there")
    }

    @Test func everybodyWritesOnARoomsLayerFromItsFirstSessionOnAndNobodyRemovesIt() throws {
        let room = try RehearsalRoom(
            id: id(10), score: id(50), name: "Tuesday", passkeyHash: nil, owner: bert)
        let before = ScoreLayer.everybody(in: room, id: id(91), session: nil)
        let layer = ScoreLayer.everybody(in: room, id: id(91), session: id(30))
        let mine = try remark(by: anna, on: layer.id)
        #expect(try writer(anna).places(mine, on: layer, known: nil, counts))
        #expect(throws: RoomRefusal.self) { try writer(anna).places(mine, on: before, known: nil, counts) }
        #expect(throws: RoomRefusal.notYourRemark) {
            try writer(bert, isLibrarian: true).checkErasing(ScoreWriter.KnownRemark(mine), on: layer)
        }
        for keeper in [
            LayerKeeper(user: bert, isLibrarian: true), LayerKeeper(user: anna, isLibrarian: false),
        ] {
            #expect(!keeper.mayChange(layer))
            #expect(throws: RoomRefusal.self) { try keeper.checkRemoving(layer) }
            #expect(throws: RoomRefusal.self) { try keeper.checkSpreading(layer, toParts: [1]) }
        }
    }
}
