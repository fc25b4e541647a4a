import Foundation
import FuzzDriver
import Rehearsal

/// What stands send: messages to the hub, and sets of remarks. What is accepted reads the same after it was written.
private func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Data(UnsafeBufferPointer(start: start, count: count))
    checkReadsAgain(StandMessage.self, bytes)
    checkReadsAgain(ScoreEvent.self, bytes)
    if let set = checkReadsAgain(RemarkSet.self, bytes) { judge(set) }
    return 0
}

@discardableResult
private func checkReadsAgain<Value: Codable & Equatable>(_ type: Value.Type, _ bytes: Data) -> Value? {
    guard let value = try? JSONDecoder().decode(type, from: bytes) else { return nil }
    guard let written = try? JSONEncoder().encode(value),
        let again = try? JSONDecoder().decode(type, from: written)
    else { preconditionFailure("what was accepted is refused after it was written") }
    precondition(again == value, "a \(type) changes when it is written")
    return value
}

/// A set that fits a score becomes remarks, and these become a set of as many.
private func judge(_ set: RemarkSet) {
    guard let score, set.faults(in: score).isEmpty else { return }
    let layer = RemarkLayer.ID(high: 0x4000, low: 0x8000_0000_0000_0001)
    let author = User.ID(high: 0x4000, low: 0x8000_0000_0000_0002)
    let remarks = set.entries.enumerated().map { index, entry in
        entry.remark(id: Remark.ID(high: 0x4000, low: UInt64(index)), on: layer, by: author)
    }
    precondition(RemarkSet(remarks, of: score, name: set.name, by: set.by).entries.count == set.entries.count)
    for remark in remarks { _ = try? RemarkTransfer(score).copy(remark, toPart: 1, id: remark.id) }
}

/// Two parts of two pages with four bars.
private let score: Score? = {
    let pages = [PageSize(width: 600, height: 800), PageSize(width: 600, height: 800)]
    guard let left = try? PageRectangle(left: 0.1, top: 0.2, right: 0.5, bottom: 0.3),
        let right = try? PageRectangle(left: 0.5, top: 0.2, right: 0.9, bottom: 0.3),
        let movement = try? Movement(name: "")
    else { return nil }
    let places = [(0, 1, left), (0, 2, right), (1, 3, left), (1, 4, right)].map {
        MeasureBox(page: $0.0, first: $0.1, last: $0.1, box: $0.2)
    }
    let parts = ["Violin I", "Violin II"].compactMap { try? Part(name: $0, pages: pages, places: places) }
    return try? Score(
        id: Score.ID(high: 0x4000, low: 0x8000_0000_0000_0003), title: "Sinfonie", movements: [movement],
        parts: parts)
}()

@_cdecl("stands_main")
public func begin(_ count: CInt, _ arguments: Arguments) -> CInt {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}
