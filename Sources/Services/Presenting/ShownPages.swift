import Floor
import Foundation
import Podium
import PresentingProtocol
import ShowLog

/// One showing of a page on the screens: when, by whom, with which drawings, and the music meanwhile.
struct ShownPage: Equatable {
    var page: DrawingBoard.Page
    /// Milliseconds of the show.
    var beganAt: Int64
    var endedAt: Int64
    var speaker: String
    /// The strokes at the end of the showing.
    var strokes: [SlideStroke] = []
    /// The music that was played during the showing; nil for none.
    var music: Music?

    struct Music: Equatable {
        var piece: String
        /// Printed numbers of the measures.
        var firstMeasure: Int
        var lastMeasure: Int
    }
}

/// Finds the pages that were on the screens in the log of a show, in the order in which they were shown.
struct ShownPagesReader {
    /// The most showings; further ones are left out.
    static let mostPages = 2_000

    private(set) var pages: [ShownPage] = []
    private var strokes: [DrawingBoard.Page: [SlideStroke]] = [:]
    private var current: ShownPage?

    /// - Parameter show: the path of the show's folder.
    /// - Throws: ``ShowLogFault`` if the folder cannot be read; damaged lines are skipped.
    /// - Complexity: some 0.1 ms a line of the log.
    static func pages(ofShow show: String) throws -> [ShownPage] {
        var replay = try ShowReplay(show: show, whenDamaged: .skipAndRecord)
        var reader = ShownPagesReader()
        while let line = try replay.replayNextLine() {
            if let podium = replay.podium {
                reader.take(line.replayedEffects, podium, at: line.time.milliseconds)
            }
        }
        reader.finish(at: replay.time.milliseconds)
        return reader.pages
    }

    /// Takes the effects of one event and the state after it.
    mutating func take(_ effects: [PodiumEffect], _ podium: Podium, at now: Int64) {
        for case .floor(let effect) in effects { draw(effect) }
        let floor = podium.state.floor
        var shown: DrawingBoard.Page?
        // A blank screen shows no page; a page that comes back after it is shown again.
        if let screen = floor?.screen, screen.blank == .none,
            case .page(let document, let number) = screen.content
        {
            shown = DrawingBoard.Page(document: document, number: number)
        }
        if current?.page != shown {
            finish(at: now)
            current = shown.map { page in
                ShownPage(page: page, beganAt: now, endedAt: now, speaker: Self.speaker(of: floor))
            }
        }
        noteMusic(podium)
    }

    private static func speaker(of floor: FloorState?) -> String {
        floor?.screen.presenter.flatMap { floor?.presenter($0) }?.name ?? ""
    }

    private mutating func noteMusic(_ podium: Podium) {
        guard current != nil, let position = podium.state.shown,
            podium.course.pieces.indices.contains(position.piece)
        else { return }
        let piece = podium.course.pieces[position.piece].name.text
        if current?.music?.piece == piece {
            current?.music?.lastMeasure = position.printed
        } else if current?.music == nil {
            current?.music = ShownPage.Music(
                piece: piece, firstMeasure: position.printed, lastMeasure: position.printed)
        }
    }

    private mutating func draw(_ effect: FloorEffect) {
        guard case .drawn(let document, let number, let type, let base64) = effect else { return }
        let page = DrawingBoard.Page(document: document, number: number)
        switch Data(base64Encoded: base64).flatMap({ SlideDrawing(type: type, bytes: Array($0)) }) {
        case .stroke(let stroke): strokes[page, default: []].append(stroke)
        case .clear: strokes[page] = nil
        case .pointer, nil: break
        }
    }

    /// Ends the showing of the page that is on the screens.
    mutating func finish(at now: Int64) {
        guard var page = current else { return }
        current = nil
        page.endedAt = now
        page.strokes = strokes[page.page] ?? []
        // The same page after a blank is one showing.
        if let last = pages.last, last.page == page.page, last.speaker == page.speaker {
            page.beganAt = last.beganAt
            if let music = last.music {
                let end = page.music?.piece == music.piece ? page.music?.lastMeasure : nil
                page.music = ShownPage.Music(
                    piece: music.piece, firstMeasure: music.firstMeasure,
                    lastMeasure: end ?? music.lastMeasure)
            }
            pages[pages.count - 1] = page
        } else if pages.count < Self.mostPages {
            pages.append(page)
        }
    }
}
