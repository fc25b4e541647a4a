import Foundation
import SoundFiles

/// Decodes recordings on a thread of its own, a little ahead of who hears them.
///
/// What is heard does not depend on the threads: samples come in their order, whatever the pace.
/// - Note: `@unchecked Sendable`: everything that changes is guarded by `condition`; the reader belongs to the
///   decoding thread alone.
final class ReplayReadAhead: @unchecked Sendable {
    /// Fills a buffer from its start; returns how many samples, 0 when nothing is left.
    typealias Reader = (UnsafeMutableBufferPointer<Float>) throws(SoundFileError) -> Int

    private static let blockSamples = 8192
    private static let mostBlocks = 32

    private let condition = NSCondition()
    private let reader: Reader
    private var blocks: [[Float]] = []
    private var taken = 0
    private var isAtEnd = false
    private var isUnwanted = false
    private var failure: SoundFileError?

    init(_ reader: @escaping Reader) {
        self.reader = reader
        let thread = Thread { [self] in decode() }
        thread.name = "decode"
        thread.start()
    }

    /// The next samples.
    /// - Returns: how many; 0 when nothing is left.
    /// - Throws: what the reader threw, once all that came before it was heard.
    func read(into buffer: UnsafeMutableBufferPointer<Float>) throws(SoundFileError) -> Int {
        condition.lock()
        defer { condition.unlock() }
        while blocks.isEmpty && !isAtEnd { condition.wait() }
        guard let block = blocks.first else {
            if let failure { throw failure }
            return 0
        }
        let count = min(buffer.count, block.count - taken)
        for index in 0..<count { buffer[index] = block[taken + index] }
        taken += count
        if taken == block.count {
            blocks.removeFirst()
            taken = 0
            condition.signal()
        }
        return count
    }

    /// Ends the decoding thread at its next block.
    func stop() {
        condition.lock()
        isUnwanted = true
        condition.signal()
        condition.unlock()
    }

    private func decode() {
        var block = [Float](repeating: 0, count: Self.blockSamples)
        var count = 0
        repeat {
            var error: SoundFileError?
            do throws(SoundFileError) {
                count = try block.withUnsafeMutableBufferPointer { buffer throws(SoundFileError) in
                    try reader(buffer)
                }
            } catch let thrown {
                count = 0
                error = thrown
            }
            hand(over: block[..<count], error)
        } while count > 0 && !isStopped
    }

    private var isStopped: Bool { condition.withLock { isUnwanted } }

    private func hand(over samples: ArraySlice<Float>, _ error: SoundFileError?) {
        condition.lock()
        defer { condition.unlock() }
        while blocks.count >= Self.mostBlocks && !isUnwanted { condition.wait() }
        if samples.isEmpty {
            isAtEnd = true
            failure = error
        } else {
            blocks.append(Array(samples))
        }
        condition.signal()
    }
}
