import Foundation
import Testing

@testable import Rehearsal

/// The messages of stands and other programs about the remarks of scores.
@Suite struct ScoreWireTests {
    private let events = [
        ##"{"v":1,"id":"00000000-0000-4000-8000-000000000001","place":{"id":"00000000-0000-4000-8000-000000000002","layer":"00000000-0000-4000-8000-000000000003","author":"00000000-0000-4000-8000-000000000003","part":0,"page":1,"anchor":[10,20],"shape":{"line":[0,0,5,6]},"ink":{"colour":"#1a4fd6","width":36},"paper":[595,842]}}"##,
        ##"{"v":1,"id":"00000000-0000-4000-8000-000000000001","edit":{"remark":"00000000-0000-4000-8000-000000000002","anchor":[1,2],"shape":{"text":"più f"}}}"##,
        ##"{"v":1,"id":"00000000-0000-4000-8000-000000000001","erase":"00000000-0000-4000-8000-000000000002"}"##,
        ##"{"v":1,"id":"00000000-0000-4000-8000-000000000001","hide":{"layer":"00000000-0000-4000-8000-000000000009","isHidden":true}}"##,
        ##"{"v":1,"id":"00000000-0000-4000-8000-000000000001","bookmark":{"id":"00000000-0000-4000-8000-000000000004","name":"Solo","part":0,"page":1,"movement":0,"measure":17}}"##,
        ##"{"v":1,"id":"00000000-0000-4000-8000-000000000001","unbookmark":"00000000-0000-4000-8000-000000000004"}"##,
    ]
    private let set =
        ##"{"format":"baton-remarks","version":1,"name":"Bowings","by":"anna","score":{"title":"Sinfonie","composer":"N. N.","parts":["Violin I"]},"remarks":[{"part":0,"page":0,"measure":{"movement":0,"number":17},"anchor":[2000,2500],"shape":{"stamp":"down-bow"},"ink":{"colour":"#1a4fd6","width":300},"paper":[595,842]},{"part":0,"page":0,"anchor":[1,1],"shape":{"highlight":[0,0,9,9]},"ink":{"colour":"#ffd21f","width":240}}]}"##

    private func decode<Value: Decodable>(_ type: Value.Type, _ text: some StringProtocol) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    @Test func eachEventComesBackAsItWentOut() throws {
        for text in events {
            let event = try decode(ScoreEvent.self, text)
            let again = try JSONDecoder().decode(ScoreEvent.self, from: JSONEncoder().encode(event))
            #expect(again == event)
        }
    }

    @Test func cutAtEachByteAnEventOrASetIsRefused() {
        for text in events + [set] {
            for cut in 0..<text.utf8.count {
                let part = String(decoding: Array(text.utf8.prefix(cut)), as: UTF8.self)
                #expect(throws: (any Error).self) { try decode(ScoreEvent.self, part) }
                #expect(throws: (any Error).self) { try decode(RemarkSet.self, part) }
            }
        }
    }

    @Test func anEventHasThisVersionAndExactlyOneAct() {
        let id = #""id":"00000000-0000-4000-8000-000000000001""#
        let wrong = [
            "{\(id),\"erase\":\"00000000-0000-4000-8000-000000000002\"}",
            "{\"v\":2,\(id),\"erase\":\"00000000-0000-4000-8000-000000000002\"}",
            "{\"v\":1,\(id)}",
            "{\"v\":1,\(id),\"erase\":\"00000000-0000-4000-8000-000000000002\",\"unbookmark\":\"00000000-0000-4000-8000-000000000002\"}",
            "{\"v\":1,\(id),\"bookmark\":{\"id\":\"00000000-0000-4000-8000-000000000004\",\"name\":\"a\\nb\",\"part\":0,\"page\":0}}",
        ]
        for text in wrong { #expect(throws: RehearsalFault.self) { try decode(ScoreEvent.self, text) } }
    }

    @Test func aSetSaysWhichRemarkIsWrong() throws {
        #expect(try decode(RemarkSet.self, set).entries.count == 2)
        func fault(_ text: String) -> RemarkSetFault? {
            do {
                _ = try decode(RemarkSet.self, text)
                return nil
            } catch { return error as? RemarkSetFault }
        }
        #expect(fault(set.replacing("baton-remarks", with: "others")) == .otherFormat)
        #expect(fault(set.replacing("\"version\":1", with: "\"version\":2")) == .otherVersion(2))
        let outside = fault(set.replacing("[1,1]", with: "[1,10001]"))
        guard case .remark(2, let sentence) = outside else {
            Issue.record("\(String(describing: outside))")
            return
        }
        #expect(sentence.contains("10001"))
        let many =
            "{\"format\":\"baton-remarks\",\"version\":1,\"name\":\"a\",\"remarks\":["
            + Array(
                repeating:
                    ##"{"part":0,"page":0,"anchor":[1,1],"shape":{"stamp":"f"},"ink":{"colour":"#000000","width":9}}"##,
                count: ScoreRemarkLimits.mostRemarksInSet + 1
            ).joined(separator: ",") + "]}"
        #expect(fault(many) == .tooMany)
    }

    /// Bytes changed, doubled and left out at random: a set is decoded or refused, whatever it says.
    @Test func noBytesEndTheDecoderOfSets() {
        var chance = SplitMix(state: 11)
        let bytes = Array(set.utf8)
        for _ in 0..<3_000 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...6, using: &chance) {
                let at = Int.random(in: 0..<changed.count, using: &chance)
                switch Int.random(in: 0..<4, using: &chance) {
                case 0: changed[at] = UInt8.random(in: 0...255, using: &chance)
                case 1: changed.remove(at: at)
                case 2: changed.insert(changed[at], at: at)
                default: changed.replaceSubrange(at..<min(at + 3, changed.count), with: Array("-1e999".utf8))
                }
            }
            guard let decoded = try? JSONDecoder().decode(RemarkSet.self, from: Data(changed)) else {
                continue
            }
            #expect(decoded.entries.count <= 3 && !decoded.name.isEmpty)
        }
    }

    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }
}
