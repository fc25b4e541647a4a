import Floor
import Testing

@Suite struct ShowingTests {
    @Test func pagesCountFromOneAndEndAtTheLast() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(2)))
        #expect(refusal { try table.presenter(2, .goToPage(number: 0)) } == .noPage)
        #expect(refusal { try table.presenter(2, .previousPage) } == .noPage)
        try table.presenter(2, .nextPage)
        try table.presenter(2, .nextPage)
        #expect(refusal { try table.presenter(2, .nextPage) } == .noPage)
        #expect(table.state.screen.content == .page(document: "b", number: 3))
    }

    @Test func slidesAreSentWhileSomebodyElseSpeaksWithoutChangingTheScreen() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        #expect(try table.send(slides: "b2", of: 2, pages: 300).isEmpty)
        #expect(
            try shownPages(table.presenter(1, .handOver(to: id(2)))) == [.page(document: "b2", number: 1)])
        // The holder's own new slides appear at once.
        #expect(
            try shownPages(table.send(slides: "b3", of: 2, pages: 1)) == [.page(document: "b3", number: 1)])
    }

    @Test func aStrokeIsAnEffectWithItsBytesAndOtherAnnotationsAreOnlyKept() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        #expect(
            try table.presenter(1, .annotate(type: 0x10, base64: "AAE="))
                == [.drawn(document: "a", page: 1, type: 0x10, base64: "AAE=")])
        #expect(refusal { try table.presenter(2, .annotate(type: 0x10, base64: "AAE=")) } == .noFloor)
    }

    @Test func aRequestCanBeWithdrawn() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.presenter(1, .requestFloor)
        try table.presenter(2, .requestFloor)
        try table.presenter(1, .withdrawRequest)
        #expect(table.state.requests.map(\.presenter) == [id(2)])
        try table.presenter(1, .withdrawRequest)
        #expect(table.state.requests.map(\.presenter) == [id(2)])
    }

    @Test func aBlankIsLiftedByTheNextPage() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        try table.presenter(1, .blank(colour: .white))
        #expect(table.state.screen.blank == .white)
        try table.presenter(1, .nextPage)
        #expect(table.state.screen.blank == .none)
    }

    @Test func otherSlidesDoNotLiftTheirSpeakersBlank() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.register("Cleo")
        try table.moderator(.grant(to: id(1)))
        try table.presenter(1, .blank(colour: .black))
        try table.send(slides: "a2", of: 1, pages: 7)
        #expect(table.state.screen.blank == .black)
        #expect(table.state.screen.content == .page(document: "a2", number: 1))
        // Somebody without slides leaves it black, and the first slides of that speaker are shown.
        try table.presenter(1, .handOver(to: id(3)))
        #expect(table.state.screen.blank == .black)
        try table.send(slides: "c", of: 3, pages: 2)
        #expect(table.state.screen.blank == .none)
    }

    @Test func onlyTheModeratorLiftsTheModeratorsBlank() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        try table.moderator(.blank(colour: .black))
        try table.presenter(1, .nextPage)
        try table.presenter(1, .blank(colour: .white))
        #expect(table.state.screen.blank == .black)
        try table.moderator(.blank(colour: .none))
        #expect(table.state.screen.blank == .none)
        #expect(table.state.screen.content == .page(document: "a", number: 2))
    }

    @Test func theModeratorsStopMakesTheScreenBlackAndTakesTheFloor() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        try table.presenter(1, .lend(to: id(2), seconds: 60))
        try table.moderator(.stop)
        #expect(table.holder == nil && table.floor.nextDue == nil)
        #expect(table.state.screen.blank == .black && table.state.screen.content == .nothing)
        try table.moderator(.grant(to: id(1)))
        #expect(table.state.screen.blank == .none)
    }

    @Test func aVideoIsControlledByItsOwnerAndStandsStillWithoutTheFloor() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.send(video: "film.mp4", of: 1)
        try table.moderator(.grant(to: id(1)))
        #expect(refusal { try table.presenter(1, .playVideo(name: "other")) } == .noDocument)
        #expect(refusal { try table.presenter(1, .pauseVideo) } == .notNow)
        try table.presenter(1, .playVideo(name: "film.mp4"))
        table.wait(seconds: 10)
        try table.presenter(1, .pauseVideo)
        #expect(
            table.state.screen.content
                == .video(document: "film.mp4", seconds: 10, since: 10_000, isPlaying: false))
        try table.presenter(1, .playVideo(name: "film.mp4"))
        try table.presenter(1, .seekVideo(seconds: 83.5))
        for seconds in [-1, .nan, .infinity, 1e9] {
            #expect(refusal { try table.presenter(1, .seekVideo(seconds: seconds)) } == .badValue)
        }
        table.wait(seconds: 1)
        try table.moderator(.withdraw)
        #expect(
            table.state.screen.content
                == .video(document: "film.mp4", seconds: 84.5, since: 11_000, isPlaying: false))
        #expect(refusal { try table.presenter(1, .playVideo(name: "film.mp4")) } == .noFloor)
        try table.moderator(.grant(to: id(1)))
        try table.presenter(1, .playVideo(name: "film.mp4"))
        #expect(try shownPages(table.presenter(1, .stopVideo)) == [.page(document: "a", number: 1)])
    }

    @Test func theModeratorPausesAndMovesTheVideoOfASpeaker() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        #expect(refusal { try table.moderator(.playVideo(isOn: false)) } == .notNow)
        try table.send(video: "film.mp4", of: 1)
        try table.moderator(.grant(to: id(1)))
        try table.presenter(1, .playVideo(name: "film.mp4"))
        table.wait(seconds: 10)
        try table.moderator(.moveVideo(seconds: 30))
        #expect(
            table.state.screen.content
                == .video(document: "film.mp4", seconds: 40, since: 10_000, isPlaying: true))
        table.wait(seconds: 1)
        try table.moderator(.playVideo(isOn: false))
        try table.moderator(.moveVideo(seconds: -99))
        #expect(
            table.state.screen.content
                == .video(document: "film.mp4", seconds: 0, since: 11_000, isPlaying: false))
        try table.moderator(.playVideo(isOn: true))
        table.wait(seconds: 2)
        try table.moderator(.playVideo(isOn: true))
        #expect(
            table.state.screen.content
                == .video(document: "film.mp4", seconds: 0, since: 11_000, isPlaying: true))
    }

    @Test func annotationsBelongToThePageThatIsShown() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.moderator(.grant(to: id(1)))
        try table.presenter(1, .goToPage(number: 4))
        #expect(
            try table.presenter(1, .annotate(type: 1, base64: "AAE=")) == [.annotated(document: "a", page: 4)]
        )
        #expect(refusal { try table.presenter(2, .annotate(type: 1, base64: "")) } == .noFloor)
    }

    @Test func filesAreBoundedAndSentOnce() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        #expect(refusal { try table.send(slides: "a", of: 1, pages: 2) } == .badValue)
        #expect(refusal { try table.send(slides: "z", of: 1, pages: 0) } == .badValue)
        for number in 1..<FloorState.mostDocumentsEach { try table.send(video: "v\(number)", of: 1) }
        #expect(refusal { try table.send(video: "more", of: 1) } == .full)
    }

    @Test func aLaterVideoTakesThePlaceOfAnEarlierOneWithItsName() throws {
        var table = try ConferenceTable.withTwoSpeakers()
        try table.send(video: "v1", named: "film", of: 1)
        try table.send(video: "v2", named: "film", of: 1)
        #expect(table.state.documents.filter { $0.kind == .video }.map(\.id) == ["v2"])
        // The content of the screen stays.
        try table.moderator(.grant(to: id(1)))
        try table.presenter(1, .playVideo(name: "film"))
        try table.send(video: "v3", named: "film", of: 1)
        #expect(table.state.documents.filter { $0.kind == .video }.map(\.id) == ["v2", "v3"])
        try table.presenter(1, .stopVideo)
        try table.presenter(1, .playVideo(name: "film"))
        guard case .video("v3", _, _, true) = table.state.screen.content else {
            return #expect(Bool(false), "the newest is played")
        }
    }
}
