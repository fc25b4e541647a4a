import Basics
import Testing

@testable import Sound

@Suite struct SampleFormatTests {
    /// Minus full scale, minus a half, zero, a quarter: exact in every format.
    static let samples: [Float] = [-1, -0.5, 0, 0.25]

    @Test(arguments: SampleFormat.allCases)
    func everyFormatMeansTheSame(format: SampleFormat) {
        let bytes = Self.samples.flatMap { encode($0, as: format) }
        #expect(convert(bytes, format, channels: 1, .meanOfAllChannels) == Self.samples)
    }

    @Test(arguments: SampleFormat.allCases)
    func channelsArePickedOrMixed(format: SampleFormat) {
        let bytes = Self.samples.flatMap { encode($0, as: format) }
        #expect(convert(bytes, format, channels: 2, .singleChannel(1)) == [-1, 0])
        #expect(convert(bytes, format, channels: 2, .singleChannel(2)) == [-0.5, 0.25])
        #expect(convert(bytes, format, channels: 2, .meanOfAllChannels) == [-0.75, 0.125])
        #expect(convert(bytes, format, channels: 4, .meanOfAllChannels) == [-0.3125])
    }

    @Test func theUnusedByteOfTwentyFourBitsMeansNothing() {
        #expect(convert([0, 0, 0x40, 0xAB], .integer24, channels: 1, .meanOfAllChannels) == [0.5])
        #expect(convert([0, 0, 0xC0, 0x00], .integer24, channels: 1, .meanOfAllChannels) == [-0.5])
    }

    @Test func whatIsNoNumberBecomesSilence() {
        let samples: [Float] = [
            .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.5,
        ]
        let bytes = samples.flatMap { encode($0, as: .float32) }
        #expect(convert(bytes, .float32, channels: 1, .meanOfAllChannels) == [0, 0, 0, 0, 0, 0.5])
        #expect(peaks(bytes, .float32, channels: 1) == [0.5])
    }

    @Test(arguments: SampleFormat.allCases)
    func theLevelOfEachChannelIsMeasured(format: SampleFormat) {
        let bytes = Self.samples.flatMap { encode($0, as: format) }
        #expect(peaks(bytes, format, channels: 2) == [1, 0.5])
        #expect(peaks(bytes, format, channels: 4) == [1, 0.5, 0, 0.25])
    }

    private func peaks(_ bytes: [UInt8], _ format: SampleFormat, channels: Int) -> [Float] {
        convertAndMeasure(bytes, format, channels: channels, .singleChannel(1)).peaks
    }

    private func convert(
        _ bytes: [UInt8], _ format: SampleFormat, channels: Int, _ choice: AudioChannelChoice
    ) -> [Float] { convertAndMeasure(bytes, format, channels: channels, choice).mono }

    private func convertAndMeasure(
        _ bytes: [UInt8], _ format: SampleFormat, channels: Int, _ choice: AudioChannelChoice
    ) -> (mono: [Float], peaks: [Float]) {
        var peaks = [Float](repeating: 0, count: channels)
        var mono = [Float](repeating: .nan, count: bytes.count / format.bytesPerSample / channels)
        mono.withUnsafeMutableBufferPointer { mono in
            peaks.withUnsafeMutableBufferPointer { peaks in
                bytes.withUnsafeBytes { bytes in
                    guard let start = bytes.baseAddress else { return }
                    format.convertToMono(start, channels: channels, choice: choice, peaks: peaks, into: mono)
                }
            }
        }
        return (mono, peaks)
    }

    private func encode(_ sample: Float, as format: SampleFormat) -> [UInt8] {
        let word =
            switch format {
            case .float32: sample.bitPattern
            case .integer32: UInt32(bitPattern: Int32(sample * 0x1p31))
            case .integer24, .packed24: UInt32(bitPattern: Int32(sample * 0x1p23))
            case .integer16: UInt32(bitPattern: Int32(sample * 0x1p15))
            }
        return (0..<format.bytesPerSample).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) }
    }
}
