import Foundation
import Sound

/// Decodes recordings on its own thread, a few blocks ahead of the reader.
///
/// The samples arrive in order and are the same at every speed of reader and decoder.
/// - Note: `@unchecked Sendable`: `condition` guards everything that changes; `readBlock` belongs to the decoding
///   thread alone.
package final class ReadAheadDecoder: @unchecked Sendable {
    /// Fills a buffer from its start and returns the number of samples, which is 0 at the end of the recordings.
    package typealias ReadBlock = (UnsafeMutableBufferPointer<Float>) throws(SoundFileError) -> Int

    private static let blockSamples = 8192
    private static let maximumQueuedBlocks = 32

    private let condition = NSCondition()
    private let readBlock: ReadBlock
    private var decodedBlocks: [[Float]] = []
    private var samplesTakenFromFirstBlock = 0
    private var isAtEnd = false
    private var isStopRequested = false
    private var failure: SoundFileError?

    package init(_ reader: @escaping ReadBlock) {
        self.readBlock = reader
        let thread = Thread { [self] in decodeUntilEnd() }
        thread.name = "decode"
        thread.start()
    }

    /// Waits for the next samples and copies them to the buffer.
    /// - Returns: the number of samples; 0 at the end.
    /// - Throws: the decoder's error, after all samples before it were read.
    package func read(into buffer: UnsafeMutableBufferPointer<Float>) throws(SoundFileError) -> Int {
        condition.lock()
        defer { condition.unlock() }
        while decodedBlocks.isEmpty && !isAtEnd { condition.wait() }
        guard let block = decodedBlocks.first else {
            if let failure { throw failure }
            return 0
        }
        let count = min(buffer.count, block.count - samplesTakenFromFirstBlock)
        for index in 0..<count { buffer[index] = block[samplesTakenFromFirstBlock + index] }
        samplesTakenFromFirstBlock += count
        if samplesTakenFromFirstBlock == block.count {
            decodedBlocks.removeFirst()
            samplesTakenFromFirstBlock = 0
            condition.signal()
        }
        return count
    }

    /// Makes the decoding thread end after its present block.
    package func stop() {
        condition.lock()
        isStopRequested = true
        condition.signal()
        condition.unlock()
    }

    private func decodeUntilEnd() {
        var block = [Float](repeating: 0, count: Self.blockSamples)
        var count = 0
        repeat {
            var error: SoundFileError?
            do throws(SoundFileError) {
                count = try block.withUnsafeMutableBufferPointer { buffer throws(SoundFileError) in
                    try readBlock(buffer)
                }
            } catch let thrown {
                count = 0
                error = thrown
            }
            enqueue(block[..<count], error)
        } while count > 0 && !isStopped
    }

    private var isStopped: Bool { condition.withLock { isStopRequested } }

    private func enqueue(_ samples: ArraySlice<Float>, _ error: SoundFileError?) {
        condition.lock()
        defer { condition.unlock() }
        while decodedBlocks.count >= Self.maximumQueuedBlocks && !isStopRequested { condition.wait() }
        if samples.isEmpty {
            isAtEnd = true
            failure = error
        } else {
            decodedBlocks.append(Array(samples))
        }
        condition.signal()
    }
}
