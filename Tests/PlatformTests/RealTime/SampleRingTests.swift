import Basics
import Platform
import Synchronization
import Testing

@testable import TestHelpers

@Suite(.ownThreads) struct SampleRingTests {
    @Test(arguments: [1, 3, 64, 441, 1000])
    func samplesComeOutInOrderWhateverTheBlockSize(blockSize: Int) {
        let ring = SampleRing(capacity: 1000)
        var next: Float = 0
        var expected: Float = 0
        for _ in 0..<50 {
            let block = (0..<blockSize).map { _ in
                defer { next += 1 }
                return next
            }
            #expect(block.withUnsafeBufferPointer { ring.write($0, capturedAt: at(0)) } == blockSize)
            for sample in drain(ring, by: 7) {
                #expect(sample == expected)
                expected += 1
            }
        }
        #expect(expected == Float(50 * blockSize))
        #expect(ring.overflowedSamples == 0)
    }

    @Test func capacityIsRoundedUpToAPowerOfTwo() {
        #expect(SampleRing(capacity: 1).capacity == 1)
        #expect(SampleRing(capacity: 1000).capacity == 1024)
        #expect(SampleRing(capacity: 1024).capacity == 1024)
    }

    @Test func whatDoesNotFitIsCountedAndBecomesSilenceSoThatLiveTimeStaysTrue() {
        let ring = SampleRing(capacity: 8)
        #expect(write([1, 2, 3, 4, 5], to: ring) == 5)
        #expect(write([6, 7, 8, 9, 10], to: ring) == 3)
        #expect(write([11], to: ring) == 0)
        #expect(ring.overflowedSamples == 3)
        #expect(drain(ring, by: 4) == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(write([12, 13], to: ring) == 2)
        #expect(drain(ring, by: 100) == [0, 0, 0, 12, 13])
        #expect(ring.readPosition == SampleTime(13))
    }

    @Test func silenceLongerThanTheRingIsPaidAsRoomAppearsAndIsNoOverflow() {
        let ring = SampleRing(capacity: 4)
        ring.writeSilence(count: 10, capturedAt: at(5))
        #expect(ring.newestBlockStamp == BlockStamp(endSampleCount: 10, capturedAt: at(5)))
        var read = drain(ring, by: 4)
        for _ in 0..<2 {
            ring.writeSilence(count: 0, capturedAt: at(5))
            read += drain(ring, by: 4)
        }
        #expect(read == Array(repeating: 0, count: 10))
        #expect(write([1], to: ring) == 1)
        #expect(drain(ring, by: 4) == [1])
        #expect(ring.overflowedSamples == 0)
    }

    @Test func emptyAndNegativeAmountsChangeNothing() {
        let ring = SampleRing(capacity: 4)
        #expect(write([], to: ring) == 0)
        ring.writeSilence(count: -5, capturedAt: at(0))
        #expect(ring.availableSamples == 0)
        #expect(ring.read(into: UnsafeMutableBufferPointer(start: nil, count: 0)) == 0)
    }

    @Test func theCaptureInstantOfAnySampleFollowsFromTheNewestBlock() throws {
        let ring = SampleRing(capacity: 1024)
        #expect(ring.newestBlockStamp == nil)
        _ = write(Array(repeating: 0, count: 480), to: ring, at: 1_000_000_000)
        let stamp = try #require(ring.newestBlockStamp)
        let rate = SampleRate(hertz: 48_000)
        #expect(stamp.captureInstant(of: SampleTime(480), at: rate) == at(1_000_000_000))
        #expect(stamp.captureInstant(of: SampleTime(0), at: rate) == at(990_000_000))
    }

    /// Also the run for the thread sanitizer: one writer, one reader, one onlooker.
    @Test func twoThreadsNeitherLoseNorReorderSamples() throws {
        let ring = SampleRing(capacity: 256)
        let total = 50_000
        let writer = try RealTimeThread(name: "writer", priority: nil) { stop in
            var block = [Float](repeating: 0, count: 100)
            var sent = 0
            while sent < total, !stop.isMade {
                guard ring.capacity - ring.availableSamples >= block.count else { continue }
                for index in block.indices { block[index] = Float(sent + index) }
                sent += block.withUnsafeBufferPointer { ring.write($0, capturedAt: at(Int64(sent))) }
            }
        }
        var expected = 0
        var disorder = 0
        while expected < total {
            for sample in drain(ring, by: 64) {
                if sample != Float(expected) { disorder += 1 }
                expected += 1
            }
            if let stamp = ring.newestBlockStamp, stamp.endSampleCount != stamp.capturedAt.nanoseconds + 100 {
                disorder += 1
            }
        }
        writer.stop()
        #expect(disorder == 0)
        #expect(ring.overflowedSamples == 0)
    }
}

private func at(_ nanoseconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: nanoseconds) }

private func write(_ samples: [Float], to ring: SampleRing, at instant: Int64 = 0) -> Int {
    samples.withUnsafeBufferPointer { ring.write($0, capturedAt: at(instant)) }
}

/// Reads until the ring is empty, `size` samples at a time.
private func drain(_ ring: SampleRing, by size: Int) -> [Float] {
    var all: [Float] = []
    var block = [Float](repeating: .nan, count: size)
    while true {
        let count = block.withUnsafeMutableBufferPointer { ring.read(into: $0) }
        if count == 0 { return all }
        all += block.prefix(count)
    }
}
