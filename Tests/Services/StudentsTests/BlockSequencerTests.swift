import Testing

@testable import Students

/// Sound keeps its time, whatever a network does to its blocks.
@Suite struct BlockSequencerTests {
    private static func block(_ sequence: UInt32, _ first: Int, _ count: Int = 10) -> SoundBlock {
        SoundBlock(
            sequence: sequence, firstSample: first,
            samples: (first..<first + count).map { Int16($0 % 30_000) })
    }

    /// The sound that is heard of blocks in the order of their arrival; silence is nil.
    private func heard(_ blocks: [SoundBlock], hertz: Double = 100) throws -> (
        sound: [Int16?], sequencer: BlockSequencer
    ) {
        var sequencer = BlockSequencer(hertz: hertz)
        var sound: [Int16?] = []
        func pass(_ piece: BlockSequencer.Piece) {
            switch piece {
            case .samples(let samples): sound += samples.map(Optional.some)
            case .silence(let count): sound += Array(repeating: nil, count: count)
            }
        }
        for block in blocks { try sequencer.add(block, pass: pass) }
        return (sound, sequencer)
    }

    @Test func blocksInOrderAreHeardAtOnce() throws {
        var sequencer = BlockSequencer(hertz: 100)
        for number in 0..<5 {
            try sequencer.add(Self.block(UInt32(number), 10 * number)) { _ in }
            #expect(sequencer.nextSample == 10 * (number + 1))
        }
    }

    @Test func anotherOrderGivesTheSameSound() throws {
        let blocks = (0..<20).map { Self.block(UInt32($0), 10 * $0) }
        let expected = try heard(blocks)
        for order in [[1, 0, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
            let shuffled = stride(from: 0, to: 20, by: 4).flatMap { start in order.map { blocks[start + $0] }
            }
            let again = try heard(shuffled)
            #expect(again.sound == expected.sound && again.sequencer.lostSamples == 0)
        }
    }

    @Test func whatComesTwiceIsHeardOnce() throws {
        let blocks = (0..<6).map { Self.block(UInt32($0), 10 * $0) }
        let twice = try heard(blocks.flatMap { [$0, $0] })
        #expect(twice.sound == (0..<60).map { Int16($0) })
    }

    @Test func aMissingBlockBecomesCountedSilence() throws {
        let blocks = (0..<14).filter { $0 != 2 }.map { Self.block(UInt32($0), 10 * $0) }
        let (sound, sequencer) = try heard(blocks)
        #expect(sound.count == 140 && sequencer.lostSamples == 10)
        #expect(sound[20..<30].allSatisfy { $0 == nil } && sound[30] == 30)
    }

    @Test func aMissingBlockIsWaitedForAtMostASecond() throws {
        var sequencer = BlockSequencer(hertz: 100)
        try sequencer.add(Self.block(0, 0)) { _ in }
        for number in 2..<11 { try sequencer.add(Self.block(UInt32(number), 10 * number)) { _ in } }
        #expect(sequencer.nextSample == 10)
        try sequencer.add(Self.block(11, 110)) { _ in }
        #expect(sequencer.nextSample == 120 && sequencer.lostSamples == 10)
        // It comes after all: too late.
        try sequencer.add(Self.block(1, 10)) { _ in Issue.record("it is heard") }
    }

    @Test func samplesThatWereNeverCapturedAreNotWaitedFor() throws {
        var sequencer = BlockSequencer(hertz: 100)
        try sequencer.add(Self.block(0, 0)) { _ in }
        try sequencer.add(Self.block(1, 25)) { _ in }
        #expect(sequencer.nextSample == 35 && sequencer.lostSamples == 15)
    }

    @Test func overlappingBlocksDoNotMoveTheClock() throws {
        let (sound, sequencer) = try heard([Self.block(0, 0), Self.block(1, 4)])
        #expect(sound.count == 14 && sequencer.nextSample == 14)
        #expect(sound == (0..<14).map { Int16($0) })
    }

    @Test func aBlockFromTheFarFutureIsRefused() throws {
        var sequencer = BlockSequencer(hertz: 100)
        #expect(throws: BlockSequencer.Fault.tooFarAhead) {
            try sequencer.add(Self.block(0, 6_001)) { _ in }
        }
        #expect(sequencer.nextSample == 0)
    }
}
