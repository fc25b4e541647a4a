import Floor

/// A floor with a clock that is set by hand, and short ways to say what happens.
struct ConferenceTable {
    var floor = Floor(term: 1)
    var now: Int64 = 0

    var state: FloorState { floor.state }
    var holder: UInt8? { state.holder?.rawValue }

    @discardableResult
    mutating func take(_ event: FloorEvent) throws(FloorRefusal) -> [FloorEffect] {
        try floor.process(event, atMilliseconds: now)
    }

    /// Registers somebody at a machine of their own.
    @discardableResult
    mutating func register(_ name: String, connection: String? = nil) throws(FloorRefusal) -> UInt8 {
        let connection = connection ?? "c-\(name)"
        try take(.register(name: name, address: "m-\(name)", connection: connection))
        return state.presenter(connectedBy: connection)!.id.rawValue
    }

    @discardableResult
    mutating func presenter(_ number: UInt8, _ action: PresenterAction) throws(FloorRefusal) -> [FloorEffect]
    {
        try take(.presenter(id: id(number), action: action))
    }

    @discardableResult
    mutating func moderator(_ action: ModeratorAction) throws(FloorRefusal) -> [FloorEffect] {
        try take(.moderator(action: action))
    }

    @discardableResult
    mutating func send(slides: String, of number: UInt8, pages: Int) throws(FloorRefusal) -> [FloorEffect] {
        try take(
            .documentReady(
                document: FloorDocument(id: slides, owner: id(number), name: "", kind: .slides, pages: pages))
        )
    }

    /// - Parameter name: the name of the file; its id unless given.
    mutating func send(video: String, named name: String? = nil, of number: UInt8) throws(FloorRefusal) {
        try take(
            .documentReady(
                document: FloorDocument(
                    id: video, owner: id(number), name: name ?? video, kind: .video, pages: 0)))
    }

    /// Lets time pass, and carries out what is due.
    @discardableResult
    mutating func wait(seconds: Int64) -> [FloorEffect] {
        now += seconds * 1_000
        return floor.advance(toMilliseconds: now)
    }

    /// Two speakers with slides: 1 is Anna with 7 pages, 2 is Bert with 3.
    static func withTwoSpeakers() throws -> ConferenceTable {
        var table = ConferenceTable()
        try table.register("Anna")
        try table.register("Bert")
        try table.send(slides: "a", of: 1, pages: 7)
        try table.send(slides: "b", of: 2, pages: 3)
        return table
    }
}

func id(_ number: UInt8) -> FloorPresenter.ID { FloorPresenter.ID(rawValue: number) }

func shownPages(_ effects: [FloorEffect]) -> [FloorScreen.Content] {
    effects.compactMap { if case .screenChanged(let screen) = $0 { screen.content } else { nil } }
}

/// The code of the refusal that an action must meet.
func refusal(_ body: () throws -> Void) -> FloorRefusal.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? FloorRefusal)?.code
    }
}
