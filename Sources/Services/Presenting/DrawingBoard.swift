import Floor
import Hosting
import Podium
import PresentingProtocol
import Synchronization
import WebServer

/// The drawings on the speakers' slides, and the stream that shows them.
///
/// The stream has the section `drawings`: the page on the screens with all of its strokes. A further stroke is sent
/// alone, with a number; a client that misses a number connects again. The laser pointer passes. The show log has all
/// strokes, so that the board is filled from it after a restart.
final class DrawingBoard: ShowOutput {
    /// The most bytes of strokes on one page.
    static let mostBytesOfPage = 150_000
    /// The most bytes of strokes on all pages together.
    static let mostBytes = 24_000_000
    /// The shortest time between two places of the laser pointer; further ones are left out.
    private static let pointerInterval = Duration.milliseconds(30)

    struct Page: Hashable {
        var document: FloorDocument.ID
        var number: Int
    }

    /// The strokes of a page as base64, and their size before it.
    struct Strokes: Equatable {
        private(set) var encoded: [String] = []
        private(set) var byteCount = 0
        /// The elements of the JSON list of the strokes, so that a further one does not encode the whole page.
        fileprivate private(set) var json: [UInt8] = []

        init(encoded: [String] = []) {
            for stroke in encoded { append(stroke) }
        }

        mutating func append(_ base64: String) {
            if !encoded.isEmpty { json.append(UInt8(ascii: ",")) }
            json += JSONBody.encode([base64]).dropFirst().dropLast()
            encoded.append(base64)
            byteCount += base64.utf8.count / 4 * 3
        }
    }

    private struct Board {
        var pages: [Page: Strokes] = [:]
        var byteCount = 0
        var shown: Page?
        /// The number of the newest change on the shown page.
        var number = 0
        var documents: Set<FloorDocument.ID> = []
        var lastPointer: ContinuousClock.Instant?
    }

    let eventHub: EventHub
    private let board = Mutex(Board())

    init() {
        // A screen or a speaker's browser has one stream each; several may be behind one address.
        eventHub = EventHub(
            ResourceQuota.Limits(total: 64 + 254 + 48, reserve: 32, known: 48, perAddress: 80))
        board.withLock { publish($0) }
    }

    /// True if a stroke of so many bytes may be added to a page.
    func hasRoom(forBytes count: Int, document: FloorDocument.ID, page: Int) -> Bool {
        board.withLock { board in
            let own = board.pages[Page(document: document, number: page)]?.byteCount ?? 0
            return own + count <= Self.mostBytesOfPage && board.byteCount + count <= Self.mostBytes
        }
    }

    func performEffect(_ effect: PodiumEffect, of course: ShowProgramme) {
        guard case .floor(let effect) = effect else { return }
        switch effect {
        case .drawn(let document, let page, let type, let base64):
            draw(type: type, base64, on: Page(document: document, number: page))
        case .screenChanged(let screen): show(screen)
        default: break
        }
    }

    func receiveSnapshot(_ snapshot: ShowEngineSnapshot) {
        let floor = snapshot.state.floor
        if let screen = floor?.screen { show(screen) }
        let documents = Set((floor?.documents ?? []).map(\.id))
        board.withLock { board in
            guard board.documents != documents else { return }
            board.documents = documents
            for (page, strokes) in board.pages where !documents.contains(page.document) {
                board.pages[page] = nil
                board.byteCount -= strokes.byteCount
            }
        }
    }

    /// Puts the strokes of earlier pages on the board, after a restart. Those that were drawn meanwhile follow them.
    /// - Parameter earlier: the strokes in the show log, which may end with some of those drawn meanwhile.
    func restore(_ earlier: [Page: Strokes]) {
        board.withLock { board in
            for (page, logged) in earlier {
                let present = board.pages[page] ?? Strokes()
                var whole = logged.encoded
                let overlap = (0...min(whole.count, present.encoded.count)).last {
                    whole.suffix($0) == present.encoded.prefix($0)
                }
                whole += present.encoded.dropFirst(overlap ?? 0)
                let strokes = Strokes(encoded: whole)
                board.byteCount += strokes.byteCount - present.byteCount
                board.pages[page] = strokes
            }
            board.number += 1
            publish(board)
        }
    }

    /// Shows the laser pointer on all screens; nil puts it out.
    func point(at place: SlidePoint?) {
        let now = ContinuousClock.now
        let isTooSoon = board.withLock { board in
            if place != nil, let last = board.lastPointer, now - last < Self.pointerInterval { return true }
            board.lastPointer = now
            return false
        }
        guard !isTooSoon else { return }
        eventHub.sendTransient("pointer", JSONBody.encode(PointerJSON(x: place?.x, y: place?.y)))
    }

    private func draw(type: UInt16, _ base64: String, on page: Page) {
        board.withLock { board in
            if type == SlideDrawing.clearType {
                board.byteCount -= board.pages.removeValue(forKey: page)?.byteCount ?? 0
                board.number += 1
                if page == board.shown { publish(board) }
                return
            }
            board.pages[page, default: Strokes()].append(base64)
            board.byteCount += base64.utf8.count / 4 * 3
            guard page == board.shown else { return }
            board.number += 1
            eventHub.setStateSectionForNewListeners("drawings", Self.json(of: board))
            eventHub.sendTransient(
                "stroke",
                JSONBody.encode(
                    StrokeJSON(
                        document: page.document, page: page.number, number: board.number, stroke: base64)))
        }
    }

    private func show(_ screen: FloorScreen) {
        var page: Page?
        if case .page(let document, let number) = screen.content {
            page = Page(document: document, number: number)
        }
        board.withLock { board in
            guard board.shown != page else { return }
            board.shown = page
            board.number += 1
            publish(board)
        }
    }

    private func publish(_ board: Board) {
        eventHub.publishStateSection("drawings", Self.json(of: board))
    }

    /// The section `drawings` without its list `strokes`.
    private struct DrawingsJSON: Encodable {
        @OrNull var document: String?
        @OrNull var page: Int?
        var number: Int
    }

    private struct StrokeJSON: Encodable {
        var document: String
        var page: Int
        var number: Int
        var stroke: String
    }

    private struct PointerJSON: Encodable {
        @OrNull var x: UInt16?
        @OrNull var y: UInt16?
    }

    private static func json(of board: Board) -> [UInt8] {
        let head = JSONBody.encode(
            DrawingsJSON(
                document: board.shown?.document, page: board.shown?.number, number: board.number))
        let strokes = board.shown.flatMap { board.pages[$0] }?.json ?? []
        return head.dropLast() + Array(#","strokes":["#.utf8) + strokes + Array("]}".utf8)
    }
}
