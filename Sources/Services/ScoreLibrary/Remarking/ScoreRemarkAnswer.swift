import Catalogue
import Hosting
import Rehearsal
import WebServer

/// Writes the answers about remarks as JSON. Remarks are stored as JSON and go out as they are.
enum ScoreRemarkAnswer {
    private struct Layer: Encodable {
        var id: ScoreLayer.ID
        var kind: ScoreLayer.Kind
        var name: String
        var parts: [Int]
        var mayWrite: Bool
        /// True if this reader may change the layer itself; only then its writers are told.
        var mayChange: Bool
        var writers: [Rehearsal.User.ID]?
        /// The room in which everybody sees the layer.
        var room: RehearsalRoom.ID?

        init(_ layer: ScoreLayer, for reader: RehearsalRoomUser, leading ledParts: Set<Int>) {
            (id, kind, name, parts) = (layer.id, layer.kind, layer.name, layer.parts)
            mayWrite = layer.mayWrite(reader.id)
            mayChange = LayerKeeper(user: reader.id, isLibrarian: reader.isLibrarian, ledParts: ledParts)
                .mayChange(layer)
            writers = mayChange ? layer.writers : nil
            room = layer.room
        }
    }

    static func encode(_ page: ScoreRemarkPage, for reader: RehearsalRoomUser) -> [UInt8] {
        let layers = page.layers.map { Layer($0, for: reader, leading: Set(page.ledParts)) }
        let fields: [(String, [UInt8])] = [
            ("v", Array("1".utf8)), ("revision", JSONBody.encode(page.revision)),
            ("isAll", JSONBody.encode(page.isAll)), ("check", JSONBody.encode(page.check)),
            ("layers", JSONBody.encode(layers)), ("leads", JSONBody.encode(page.ledParts)),
            ("hidden", JSONBody.encode(page.hidden)),
            ("names", JSONBody.encode(page.names)), ("bookmarks", joined(page.bookmarksJSON)),
            ("remarks", joined(page.remarksJSON)), ("revisions", JSONBody.encode(page.revisions)),
            ("erased", JSONBody.encode(page.erased)),
        ]
        var body: [UInt8] = [UInt8(ascii: "{")]
        for (index, (name, value)) in fields.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body += Array("\"\(name)\":".utf8) + value
        }
        return body + [UInt8(ascii: "}")]
    }

    private static func joined(_ values: [String]) -> [UInt8] {
        Array(("[" + values.joined(separator: ",") + "]").utf8)
    }

    private struct Answer: Encodable {
        var v = 1
        var receipt: ScoreEvent.ID?
        var id: ScoreEvent.ID?
        var refused: RoomRefusal?
    }

    /// The answers in the order in which the events came.
    static func encode(_ answers: [ScoreEventAnswer], to arrivals: [ReceivedScoreEvent]) -> [UInt8] {
        var rest = answers[...]
        let all = arrivals.map { arrival -> Answer in
            switch arrival {
            case .malformed(let id, let sentence):
                return Answer(id: id, refused: RoomRefusal(.invalid, sentence))
            case .message(let event):
                switch rest.popFirst() {
                case .accepted(let id): return Answer(receipt: id)
                case .refused(let id, let refusal): return Answer(id: id, refused: refusal)
                case nil: return Answer(id: event.id)
                }
            }
        }
        return JSONBody.encode(all)
    }
}
