import Basics
import Features
import Sound
import Testing

@testable import Following

@Suite struct ReferenceListeningTests {
    private static let duet = Duet(measures: 2, seed: 8)

    private func listen(
        _ samples: [Float], block: Int = 4096, rooms: [RoomShape] = []
    ) -> ReferenceFrameExtractor {
        let listening = ReferenceFrameExtractor(
            sampleRate: Duet.rate, transforms: FFTWSpectrumMaker(), rooms: rooms)
        for pass in 0..<2 {
            samples.withUnsafeBufferPointer { all in
                for start in stride(from: 0, to: all.count, by: block) {
                    let part = UnsafeBufferPointer(rebasing: all[start..<min(start + block, all.count)])
                    if pass == 0 {
                        listening.addTuningPassSamples(part)
                    } else {
                        listening.addFramePassSamples(part)
                    }
                }
            }
        }
        return listening
    }

    @Test func thereIsAFrameForEachHop() {
        let samples = Self.duet.samples()
        let frames = listen(samples).frames
        #expect(frames.frameCount == 4 * 50)
        #expect(frames.dimensions == FeatureParameters().dimensions)
        #expect(listen(Array(samples[..<300])).frames.frameCount == 1)
        #expect(listen([]).frames.frameCount == 0)
    }

    @Test(arguments: [428.0, 435, 440, 447])
    func theTuningOfARecordingIsFound(a: Double) {
        // 1200 log2(a / 440)
        let cents = [428: -47.87, 435: -19.79, 440: 0, 447: 27.33][a] ?? .nan
        #expect(abs(listen(Self.duet.samples(a: a)).tuningCents - cents) < 4)
    }

    @Test func silenceHasNoTuning() {
        #expect(listen([Float](repeating: 0, count: 11_025)).tuningCents == 0)
    }

    @Test func theSameMusicInAnotherTuningGivesNearlyTheSameFrames() {
        let (first, second) = (listen(Self.duet.samples()).frames, listen(Self.duet.samples(a: 432)).frames)
        var similarity = 0.0
        for index in first.featureValues.indices {
            similarity += Double(first.featureValues[index]) * Double(second.featureValues[index])
        }
        let itself = first.featureValues.reduce(0) { $0 + Double($1) * Double($1) }
        #expect(similarity / itself > 0.95)
    }

    @Test(arguments: [1, 64, 441])
    func theFramesDoNotDependOnTheBlocks(block: Int) {
        let samples = Array(Self.duet.samples()[..<11_025])
        #expect(listen(samples, block: block).frames == listen(samples).frames)
    }

    @Test func thePowerIsTheMeanSquareOfEachHop() {
        let samples = Self.duet.samples()
        let power = listen(samples).frames.powerByFrame
        // Frames end at the rounded multiples of 220.5 samples.
        let hop = samples[2205..<2426].reduce(0) { $0 + Double($1) * Double($1) } / 221
        #expect(abs(Double(power[10]) / hop - 1) < 1e-4)
    }

    @Test func aRecordingIsHeardInEachRoomToo() {
        let samples = Self.duet.samples()
        let rooms = RoomShape.ofReferences
        let heard = listen(samples, rooms: rooms)
        #expect(heard.frames == listen(samples).frames)
        #expect(heard.roomCopies.map(\.room) == rooms)
        #expect(heard.roomCopies.allSatisfy { $0.frames.frameCount == heard.frames.frameCount })
        // The more reverberant the room is, the less its frames resemble the recording's.
        let likeness = heard.roomCopies.map { copy in
            zip(copy.frames.unpacked.featureValues, heard.frames.featureValues).reduce(0) {
                $0 + Double($1.0) * Double($1.1)
            }
        }
        #expect(likeness == likeness.sorted(by: >))
    }

    @Test func aFrameInARoomIsTheFrameOfTheSoundInThatRoom() {
        let samples = Self.duet.samples()
        let room = RoomShape.ofReferences[1]
        var wet = samples
        wet.withUnsafeMutableBufferPointer { RoomSimulator(room, rate: Duet.rate).addReverberation(to: $0) }
        let copy = listen(samples, rooms: [room]).roomCopies[0].frames.unpacked
        // The wet sound may have another tuning estimate, by less than the step in which tunings are rounded.
        let own = listen(wet).frames
        let similarity = zip(copy.featureValues, own.featureValues).reduce(0) {
            $0 + Double($1.0) * Double($1.1)
        }
        let itself = own.featureValues.reduce(0) { $0 + Double($1) * Double($1) }
        #expect(similarity / itself > 0.99)
    }
}
