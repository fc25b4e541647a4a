import Foundation
import Testing

@testable import TimeCode

/// Labels of frames, and the bytes and samples that carry them.
@Suite struct TimeCodeTests {
    @Test(arguments: TimeCodeRate.allCases)
    func everyFrameOfADayHasALabelOfItsOwnInOrder(rate: TimeCodeRate) {
        var previous = TimeCodeLabel(frame: -1, rate: rate)
        #expect("\(previous)".hasPrefix("23:59:59:"))
        var wrong: [Int] = []
        for frame in stride(from: 0, to: rate.framesInDay, by: 7) {
            let label = TimeCodeLabel(frame: frame, rate: rate)
            if label.frameNumber(at: rate) != frame || label == previous { wrong.append(frame) }
            previous = label
        }
        #expect(wrong.isEmpty)
    }

    @Test func droppedLabelsAreTwoAMinuteButNotInTheTenth() {
        func label(_ frame: Int) -> String { "\(TimeCodeLabel(frame: frame, rate: .dropFrame))" }
        #expect(label(1_799) == "00:00:59:29")
        #expect(label(1_800) == "00:01:00:02")
        #expect(label(17_981) == "00:09:59:29")
        #expect(label(17_982) == "00:10:00:00")
        #expect(label(107_892) == "01:00:00:00")
    }

    @Test func whatIsNoLabelOfTheRateIsRefused() {
        #expect(TimeCodeLabel("01:00:00:00", rate: .video25)?.frameNumber(at: .video25) == 90_000)
        #expect(TimeCodeLabel("01:00:00;02", rate: .dropFrame) != nil)
        for text in ["00:01:00:00", "24:00:00:00", "1:2:3", "aa:00:00:00", "00:00:00:30", "-1:00:00:00", ""] {
            #expect(TimeCodeLabel(text, rate: .dropFrame) == nil, "\(text)")
        }
    }

    @Test func quarterFramesGiveTheLabelInEightParts() throws {
        let label = try #require(TimeCodeLabel("17:42:53:19", rate: .video25))
        let bytes = (0..<8).map { MIDITimeCode.quarterFrame($0, of: label, rate: .video25) }
        #expect(bytes.allSatisfy { $0[0] == 0xF1 && $0.count == 2 })
        let values = bytes.enumerated().map { part, message in
            #expect(Int(message[1] >> 4) == part)
            return Int(message[1] & 15)
        }
        #expect(values[0] | values[1] << 4 == 19)
        #expect(values[2] | values[3] << 4 == 53)
        #expect(values[4] | values[5] << 4 == 42)
        #expect(values[6] | values[7] << 4 == 17 | 1 << 5)
    }

    @Test func aFullFrameAndArtNetsPacketHaveTheLabelAtTheirPlaces() throws {
        let label = try #require(TimeCodeLabel("01:02:03:04", rate: .dropFrame))
        #expect(
            MIDITimeCode.fullFrame(label, rate: .dropFrame) == [0xF0, 0x7F, 0x7F, 1, 1, 0x41, 2, 3, 4, 0xF7])
        #expect(
            ArtTimeCode.packet(label, rate: .dropFrame)
                == Array("Art-Net\0".utf8) + [0, 0x97, 0, 14, 0, 0, 4, 3, 2, 1, 2])
    }

    @Test func eachQuarterBeginsOnceAtItsTimeOverAllStretchesOfARun() {
        var frames = CodeFrames(partsInFrame: 4)
        var all: [CodeFrames.Start] = []
        var place = 1_000.3
        for step in 0..<500 {
            let (time, next) = (Double(step) * 0.01, place + 0.01 * 25 * (step < 250 ? 0.5 : 2))
            let (found, isNew) = frames.starts(in: place...next, times: time...time + 0.01, run: 1)
            #expect(isNew == (step == 0))
            all += found
            place = next
        }
        #expect(all.map(\.number) == Array(4_002..<4_002 + all.count))
        #expect(all.count == Int(place * 4) - 4_001)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.time < $1.time })
        #expect(abs(all[0].time - (1_000.5 - 1_000.3) / 12.5) < 1e-9)
    }

    @Test(arguments: TimeCodeRate.allCases)
    func theSoundHoldsEveryLabelBetweenHalfAndDoubleSpeed(rate: TimeCodeRate) {
        var encoder = LinearTimeCodeEncoder(rate: rate, amplitude: 0.5, userBits: 0x1234_5678)
        var samples: [Float] = []
        var place = 90_000.4
        for step in 0..<600 {
            let speed = 1.25 - 0.75 * cos(acos(1.0 / 3) + Double(step) / 100)
            let next = place + speed * 0.01 * rate.framesPerSecond
            encoder.append(from: place, to: next, run: 1, count: 480, to: &samples)
            place = next
        }
        let labels = BiphaseReader.labels(in: samples, rate: rate)
        let first = TimeCodeLabel(frame: 90_001, rate: rate)
        #expect(labels.first == first)
        #expect(labels.count == Int(place) - 90_001)
        #expect(labels.enumerated().allSatisfy { $1 == TimeCodeLabel(frame: 90_001 + $0, rate: rate) })
        #expect(samples.allSatisfy { abs($0) <= 0.5 })
    }

    @Test func theSoundEndsAndBeginsWithAWholeFrame() {
        var encoder = LinearTimeCodeEncoder(rate: .video25)
        var samples = [Float](repeating: 0, count: 10)
        encoder.append(from: 10, to: 12.5, run: 1, count: 4_800, to: &samples)
        encoder.appendSilence(count: 4_800, to: &samples)
        encoder.append(from: 12.5, to: 15.5, run: 1, count: 5_760, to: &samples)
        let labels = BiphaseReader.labels(in: samples, rate: .video25)
        #expect(labels.map { $0.frameNumber(at: .video25) } == [10, 11, 12, 13, 14])
    }
}

/// Reads linear time code by the lengths between edges.
private enum BiphaseReader {
    static func labels(in samples: [Float], rate: TimeCodeRate) -> [TimeCodeLabel] {
        var edges: [Double] = []
        for index in 1..<samples.count where (samples[index] > 0) != (samples[index - 1] > 0) {
            edges.append(Double(index))
        }
        var (bits, labels) = ([Bool](), [TimeCodeLabel]())
        var (bitLength, half) = (48_000 / rate.framesPerSecond / 80, false)
        for (edge, next) in zip(edges, edges.dropFirst()) {
            guard next - edge < 3 * bitLength else {
                (bits, half) = ([], false)
                continue
            }
            let isHalf = next - edge < 0.75 * bitLength
            bitLength += 0.2 * ((isHalf ? 2 : 1) * (next - edge) - bitLength)
            if isHalf, !half {
                half = true
                continue
            }
            half = false
            bits.append(isHalf)
            guard bits.count >= 80 else { continue }
            if let label = label(Array(bits.suffix(80)), rate: rate) {
                labels.append(label)
                bits = []
            }
        }
        return labels
    }

    private static func label(_ bits: [Bool], rate: TimeCodeRate) -> TimeCodeLabel? {
        func value(_ first: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 + (bits[first + $1] ? 1 << $1 : 0) }
        }
        guard value(64, 16) == 0xBFFC else { return nil }
        func number(_ first: Int, _ tens: Int) -> String {
            "\(value(first + 8, tens))\(value(first, 4))"
        }
        let text = "\(number(48, 2)):\(number(32, 3)):\(number(16, 3)):\(number(0, 2))"
        return TimeCodeLabel(text, rate: rate)
    }
}
