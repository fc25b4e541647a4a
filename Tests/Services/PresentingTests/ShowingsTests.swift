import Floor
import Foundation
import Hosting
import Podium
import PresentingProtocol
import Testing

@testable import Presenting
@testable import ShowStages

@Suite struct ShowingsTests {
    /// A show with two speakers, and what is found of it for the event's PDF.
    private struct Event {
        var podium: Podium
        var reader = ShowingsReader()
        var now: Int64 = 0

        init() throws {
            podium = Podium(course: try madeCourse())
            for (number, name) in [(UInt8(1), "Anna"), (2, "Bert")] {
                take(.register(name: name, address: name, connection: name))
                let id = FloorPresenter.ID(rawValue: number)
                take(.documentReady(document: .init(id: name, owner: id, name: "", kind: .slides, pages: 3)))
            }
        }

        mutating func take(_ event: FloorEvent) {
            now += 1_000
            let technician = CommandSender(name: "mia", role: .technician)
            let time = ShowTime(milliseconds: now)
            reader.take(podium.process(.floor(event, by: technician), at: time), podium, at: now)
        }

        mutating func act(_ number: UInt8, _ action: PresenterAction) {
            take(.presenter(id: .init(rawValue: number), action: action))
        }

        mutating func draw(_ number: UInt8, _ drawing: SlideDrawing) {
            act(number, .annotate(type: drawing.type, base64: Data(drawing.bytes).base64EncodedString()))
        }

        mutating func finished() -> [Showing] {
            reader.finish(at: now + 1_000)
            return reader.showings
        }
    }

    private static func stroke(_ x: UInt16) -> SlideStroke {
        SlideStroke(red: 9, green: 8, blue: 7, width: 300, points: [SlidePoint(x: x, y: 1)])
    }

    private static func summary(_ pages: [Showing]) -> [String] {
        pages.map { showing in
            switch showing.content {
            case .page(let page):
                "\(page.document) \(page.number) \(showing.speaker) \(showing.strokes.count)"
            case .video(_, let name): "\(name) \(showing.speaker)"
            }
        }
    }

    @Test func pagesComeInTheOrderShownWithTheInkOfTheirShowing() throws {
        var event = try Event()
        event.take(.moderator(action: .grant(to: .init(rawValue: 1))))
        event.act(1, .nextPage)
        event.draw(1, .stroke(Self.stroke(1)))
        event.act(1, .handOver(to: .init(rawValue: 2)))
        event.act(2, .lend(to: .init(rawValue: 1), seconds: nil))
        event.draw(1, .stroke(Self.stroke(2)))
        event.act(1, .previousPage)
        #expect(
            Self.summary(event.finished()) == [
                "Anna 1 Anna 0", "Anna 2 Anna 1", "Bert 1 Bert 0", "Anna 2 Anna 2", "Anna 1 Anna 0",
            ])
    }

    @Test func aBlankDoesNotShowThePageTwiceAndClearedInkIsGone() throws {
        var event = try Event()
        event.take(.moderator(action: .grant(to: .init(rawValue: 1))))
        event.draw(1, .stroke(Self.stroke(1)))
        event.act(1, .blank(colour: .black))
        event.act(1, .blank(colour: .none))
        event.draw(1, .clear)
        event.draw(1, .stroke(Self.stroke(2)))
        let pages = event.finished()
        #expect(Self.summary(pages) == ["Anna 1 Anna 1"])
        #expect(pages[0].strokes == [Self.stroke(2)])
        #expect(pages[0].endedAt - pages[0].beganAt == 6_000)
    }

    @Test func theCaptionSaysWhenWhoAndWhere() {
        let clock = TimeOfDayConverter(now: .zero, date: Date(timeIntervalSince1970: 0))
        var page = Showing(
            content: .page(.init(document: "a", number: 3)), beganAt: 0, endedAt: 61_000, speaker: "Anna")
        let (begin, end) = (clock.timeOfDayText(.zero), clock.timeOfDayText(ShowTime(milliseconds: 61_000)))
        #expect(page.caption(clock) == "\(begin)–\(end) · Anna · slide 3")
        page.music = .init(piece: "Minuet", firstMeasure: 12, lastMeasure: 20)
        #expect(page.caption(clock).hasSuffix("· slide 3 · Minuet, bars 12–20"))
        page.music = .init(piece: "Minuet", firstMeasure: 12, lastMeasure: 12)
        page.endedAt = 0
        #expect(page.caption(clock) == "\(begin) · Anna · slide 3 · Minuet, bar 12")
    }

    @Test func videosComeBetweenThePagesEachOnceHoweverItIsPausedAndMoved() throws {
        var event = try Event()
        let anna = FloorPresenter.ID(rawValue: 1)
        event.take(
            .documentReady(document: .init(id: "v", owner: anna, name: "Storm.webm", kind: .video, pages: 0)))
        event.take(.moderator(action: .grant(to: anna)))
        event.act(1, .playVideo(name: "Storm.webm"))
        event.act(1, .pauseVideo)
        event.act(1, .seekVideo(seconds: 3))
        event.act(1, .blank(colour: .black))
        event.act(1, .playVideo(name: "Storm.webm"))
        event.act(1, .stopVideo)
        let showings = event.finished()
        #expect(Self.summary(showings) == ["Anna 1 Anna 0", "Storm.webm Anna", "Anna 1 Anna 0"])
        #expect(showings[1].endedAt - showings[1].beganAt == 5_000)
        let clock = TimeOfDayConverter(now: .zero, date: Date(timeIntervalSince1970: 0))
        #expect(showings[1].caption(clock).hasSuffix(" · Anna · video “Storm.webm”"))
    }

    @Test func aVideoWithoutAFrameHasAPageWithItsName() {
        let page = EventPDF.page(ofVideo: "Storm.webm", frame: nil)
        guard case .text("Storm.webm", _, let height, _)? = page.annotations.first else {
            Issue.record("the name is missing")
            return
        }
        #expect(page.image == nil && height == 0.08)
        #expect(page.paperSize.width > page.paperSize.height)
    }
}
