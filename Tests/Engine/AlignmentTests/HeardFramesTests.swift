import Testing

@testable import Alignment

@Suite struct HeardFramesTests {
    /// Frames whose fit is their number and whose two values are the number and its negative.
    private func heard(_ count: Int, capacity: Int = 4) -> HeardFrames {
        let frames = HeardFrames(capacity: capacity, dimensions: 2)
        for number in 0..<count {
            frames.add(
                HeardFrames.Frame(fit: Double(number)), weightedValues: [Float(number), -Float(number)])
        }
        return frames
    }

    @Test(arguments: [0, 1, 3, 4, 5, 8, 11])
    func theNewestFramesAreKept(count: Int) {
        let frames = heard(count)
        #expect(frames.endNumber == count)
        #expect(frames.firstNumber == max(count - 4, 0))
        for number in frames.firstNumber..<frames.endNumber {
            #expect(frames[number].fit == Double(number))
            #expect(frames.weightedValues(number)[0] == Float(number))
            #expect(frames.weightedValues(number)[1] == -Float(number))
        }
    }

    @Test func whatIsForgottenDoesNotComeBack() {
        let frames = heard(3)
        frames.forgetAll()
        #expect(frames.firstNumber == frames.endNumber)
        frames.add(HeardFrames.Frame(fit: 7), weightedValues: [7, -7])
        #expect(frames.firstNumber == 3 && frames.endNumber == 4)
        #expect(frames[3].fit == 7)
    }
}
