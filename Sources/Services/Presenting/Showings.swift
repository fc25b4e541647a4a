import Floor
import Foundation
import Podium
import PresentingProtocol
import ShowLog

/// One showing of a page or video on the screens: when, by whom, with which drawings, and the music meanwhile.
struct Showing: Equatable {
    enum Content: Equatable {
        case page(DrawingBoard.Page)
        /// A video, whether it played or stood still; the name is that of its file.
        case video(document: FloorDocument.ID, name: String)
    }

    var content: Content
    /// Milliseconds of the show.
    var beganAt: Int64
    var endedAt: Int64
    var speaker: String
    /// The strokes on a page at the end of the showing.
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

/// Finds the pages and videos that were on the screens in the log of a show, in the order in which they were shown.
struct ShowingsReader {
    /// The most showings; further ones are left out.
    static let mostShowings = 2_000

    private(set) var showings: [Showing] = []
    private var strokes: [DrawingBoard.Page: [SlideStroke]] = [:]
    private var current: Showing?

    /// - Parameter show: the path of the show's folder.
    /// - Throws: ``ShowLogFault`` if the folder cannot be read; damaged lines are skipped.
    /// - Complexity: some 0.1 ms a line of the log.
    static func showings(ofShow show: String) throws -> [Showing] {
        var replay = try ShowReplay(show: show, whenDamaged: .skipAndRecord)
        var reader = ShowingsReader()
        while let line = try replay.replayNextLine() {
            if let podium = replay.podium {
                reader.take(line.replayedEffects, podium, at: line.time.milliseconds)
            }
        }
        reader.finish(at: replay.time.milliseconds)
        return reader.showings
    }

    /// Takes the effects of one event and the state after it.
    mutating func take(_ effects: [PodiumEffect], _ podium: Podium, at now: Int64) {
        for case .floor(let effect) in effects { draw(effect) }
        let floor = podium.state.floor
        let shown = floor.flatMap(Self.content)
        if current?.content != shown {
            finish(at: now)
            current = shown.map { content in
                Showing(content: content, beganAt: now, endedAt: now, speaker: Self.speaker(of: floor))
            }
        }
        noteMusic(podium)
    }

    /// The content in sight; nil on a blank screen. The content that returns after a blank counts as shown again.
    private static func content(of floor: FloorState) -> Showing.Content? {
        guard floor.screen.blank == .none else { return nil }
        return switch floor.screen.content {
        case .nothing: nil
        case .page(let document, let number): .page(DrawingBoard.Page(document: document, number: number))
        case .video(let document, _, _, _):
            .video(document: document, name: floor.document(document)?.name ?? "")
        }
    }

    private static func speaker(of floor: FloorState?) -> String {
        floor?.screen.presenter.flatMap { floor?.presenter($0) }?.shownName ?? ""
    }

    private mutating func noteMusic(_ podium: Podium) {
        guard current != nil, let position = podium.state.shown,
            podium.course.pieces.indices.contains(position.piece)
        else { return }
        let piece = podium.course.pieces[position.piece].name.text
        if current?.music?.piece == piece {
            current?.music?.lastMeasure = position.printed
        } else if current?.music == nil {
            current?.music = Showing.Music(
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

    /// Ends the showing of what is on the screens.
    mutating func finish(at now: Int64) {
        guard var showing = current else { return }
        current = nil
        showing.endedAt = now
        if case .page(let page) = showing.content { showing.strokes = strokes[page] ?? [] }
        // The same content after a blank is one showing.
        if let last = showings.last, last.content == showing.content, last.speaker == showing.speaker {
            showing.beganAt = last.beganAt
            if let music = last.music {
                let end = showing.music?.piece == music.piece ? showing.music?.lastMeasure : nil
                showing.music = Showing.Music(
                    piece: music.piece, firstMeasure: music.firstMeasure,
                    lastMeasure: end ?? music.lastMeasure)
            }
            showings[showings.count - 1] = showing
        } else if showings.count < Self.mostShowings {
            showings.append(showing)
        }
    }
}
