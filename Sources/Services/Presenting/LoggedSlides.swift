import Floor
import Foundation
import Podium
import PresentingProtocol
import ShowLog

/// Reads speakers' slides from the log of a show when the server starts: the documents that were on the screens, and
/// the drawings on their pages.
struct LoggedSlides {
    private(set) var shownDocuments: Set<FloorDocument.ID> = []
    private(set) var drawings: [DrawingBoard.Page: DrawingBoard.Strokes] = [:]

    /// Reads the log of a show.
    /// - Parameter show: the path of the show's folder.
    /// - Throws: ``ShowLogFault`` if the folder cannot be read; damaged lines are skipped.
    /// - Complexity: decodes only the lines about the floor.
    init(show: String) throws {
        var reader = try ShowLogReader(show: show, whenDamaged: .skipAndRecord)
        while let line = try reader.next() {
            guard line.kind == .effects, Self.mentionsFloor(line.payload),
                let effects = try? LogJSON.decode([PodiumEffect].self, from: line.payload)
            else { continue }
            for case .floor(let effect) in effects { take(effect) }
        }
    }

    private static func mentionsFloor(_ payload: [UInt8]) -> Bool {
        Data(payload).range(of: Data(#""floor""#.utf8)) != nil
    }

    private mutating func take(_ effect: FloorEffect) {
        switch effect {
        case .screenChanged(let screen):
            if let document = screen.document { shownDocuments.insert(document) }
        case .drawn(let document, let number, SlideDrawing.clearType, _):
            drawings[DrawingBoard.Page(document: document, number: number)] = nil
        case .drawn(let document, let number, SlideDrawing.strokeType, let base64):
            let page = DrawingBoard.Page(document: document, number: number)
            drawings[page, default: .init()].append(base64)
        default: break
        }
    }
}
