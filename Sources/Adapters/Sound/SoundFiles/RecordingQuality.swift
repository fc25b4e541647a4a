import Basics
import Glibc

/// The technical quality of a recording, whatever music it contains: loudness, clipping, silence, dead channels.
public struct RecordingQuality: Equatable, Sendable {
    /// A period in which no channel is louder than -90 dBFS.
    public struct Silence: Equatable, Sendable {
        public var start: ReferenceTime
        public var length: Seconds
        /// True if all samples are zero, because the recorder was stopped or a cable was out. A quiet hall is never
        /// exactly zero.
        public var isDigital: Bool

        public init(start: ReferenceTime, length: Seconds, isDigital: Bool) {
            self.start = start
            self.length = length
            self.isDigital = isDigital
        }
    }

    public var duration: Seconds
    public var sampleRate: SampleRate
    public var channelCount: Int
    /// The level of the loudest sample of all channels, in dBFS; minus infinity if all samples are zero.
    public var peakDecibels: Double
    /// The RMS level of all channels together, in dBFS; a full-scale sine has -3.
    public var rmsDecibels: Double
    /// The RMS level of each channel in dBFS, beginning with channel 1.
    public var channelRMSDecibels: [Double]
    /// The RMS level in dBFS after all channels are mixed to one.
    public var mixRMSDecibels: Double
    /// The share of clipped samples, 0…1. At least three consecutive samples at full scale count as clipped.
    public var clippedShare: Double
    /// The silences of half a second or longer, in order of time.
    public var silences: [Silence]
    /// The missing length, if the file is shorter than its header promises; zero for a complete file.
    public var missingDuration: Seconds
    /// True if channel 1 is heard in place of the mix, in which the channels cancel each other.
    public var isHeardFromChannel1: Bool

    /// Reads and measures a whole recording. This costs the decoding and some 3 ns a sample in release builds.
    ///
    /// A truncated recording is measured as far as it can be read; see ``missingDuration``.
    /// - Parameter progress: called every few seconds of audio with the share read so far, 0…1.
    public init(path: String, progress: (Double) -> Void = { _ in }) throws(SoundFileError) {
        let reader = try SoundFileReader(path: path)
        var blocks = 0
        var tally = RecordingQualityTally(channelCount: reader.channelCount, sampleRate: reader.sampleRate)
        var missingFrames = 0
        do throws(SoundFileError) {
            while true {
                let block = try reader.readInterleavedBlock()
                if block.isEmpty { break }
                tally.add(block)
                blocks += 1
                if blocks % 64 == 0 { progress(Double(reader.framesRead) / Double(reader.frameCount)) }
            }
        } catch .truncated(_, let read, _, _, _) where read > 0 {
            missingFrames = reader.frameCount + reader.missingFrameCount - read
        }
        self = tally.makeRecordingQuality(missing: Seconds(Double(missingFrames) / reader.sampleRate.hertz))
        isHeardFromChannel1 = reader.channelChoice != .meanOfAllChannels
    }

    init(
        duration: Seconds, sampleRate: SampleRate, channelCount: Int, peakDecibels: Double,
        rmsDecibels: Double,
        channelRMSDecibels: [Double], mixRMSDecibels: Double, clippedShare: Double, silences: [Silence],
        missingDuration: Seconds
    ) {
        self.duration = duration
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.peakDecibels = peakDecibels
        self.rmsDecibels = rmsDecibels
        self.channelRMSDecibels = channelRMSDecibels
        self.mixRMSDecibels = mixRMSDecibels
        self.clippedShare = clippedShare
        self.silences = silences
        self.missingDuration = missingDuration
        isHeardFromChannel1 = false
    }

    /// The level in dBFS up to which audio counts as silence: the last bit of a 16-bit recording.
    static let silenceDecibels = -90.0
}

/// Accumulates the measurements of a recording block by block.
struct RecordingQualityTally {
    private static let shortestSilenceSeconds = 0.5
    /// Full scale of 16-bit integers, the coarsest sample format.
    private static let fullScale: Float = 32_767.0 / 32_768
    private static let shortestClippedRun = 3

    private let channelCount: Int
    private let sampleRate: SampleRate
    private let silenceAmplitude: Float
    private var frameCount = 0
    private var peak: Float = 0
    private var squareSums: [Double]
    private var mixSquareSum = 0.0
    private var fullScaleRunLengths: [Int]
    private var clippedSampleCount = 0
    private var silenceStartFrame: Int?
    private var silenceIsDigital = true
    private var silences: [RecordingQuality.Silence] = []

    init(channelCount: Int, sampleRate: SampleRate) {
        self.channelCount = channelCount
        self.sampleRate = sampleRate
        silenceAmplitude = Float(pow(10, RecordingQuality.silenceDecibels / 20))
        squareSums = Array(repeating: 0, count: channelCount)
        fullScaleRunLengths = Array(repeating: 0, count: channelCount)
    }

    /// Adds a block of samples.
    /// - Parameter block: the samples of all channels, interleaved as `[frame][channel]`.
    mutating func add(_ block: UnsafeBufferPointer<Float>) {
        for start in stride(from: 0, to: block.count, by: channelCount) {
            var loudest: Float = 0
            var sum: Float = 0
            for channel in 0..<channelCount {
                let sample = block[start + channel]
                let size = abs(sample)
                sum += sample
                if size > loudest { loudest = size }
                squareSums[channel] += Double(sample * sample)
                if size >= Self.fullScale {
                    extendFullScaleRun(channel)
                } else {
                    fullScaleRunLengths[channel] = 0
                }
            }
            let mix = sum / Float(channelCount)
            mixSquareSum += Double(mix * mix)
            if loudest > peak { peak = loudest }
            if loudest <= silenceAmplitude { extendSilence(isZero: loudest == 0) } else { endSilence() }
            frameCount += 1
        }
    }

    private mutating func extendFullScaleRun(_ channel: Int) {
        fullScaleRunLengths[channel] += 1
        if fullScaleRunLengths[channel] == Self.shortestClippedRun {
            clippedSampleCount += Self.shortestClippedRun
        } else if fullScaleRunLengths[channel] > Self.shortestClippedRun {
            clippedSampleCount += 1
        }
    }

    private mutating func extendSilence(isZero: Bool) {
        if silenceStartFrame == nil { (silenceStartFrame, silenceIsDigital) = (frameCount, true) }
        if !isZero { silenceIsDigital = false }
    }

    private mutating func endSilence() {
        guard let start = silenceStartFrame else { return }
        silenceStartFrame = nil
        let length = Double(frameCount - start) / sampleRate.hertz
        guard length >= Self.shortestSilenceSeconds else { return }
        silences.append(
            .init(
                start: ReferenceTime(seconds: Double(start) / sampleRate.hertz), length: Seconds(length),
                isDigital: silenceIsDigital))
    }

    func makeRecordingQuality(missing: Seconds) -> RecordingQuality {
        var ended = self
        ended.endSilence()
        let count = Double(max(1, frameCount))
        return RecordingQuality(
            duration: Seconds(Double(frameCount) / sampleRate.hertz), sampleRate: sampleRate,
            channelCount: channelCount,
            peakDecibels: 20 * log10(Double(peak)),
            rmsDecibels: 10 * log10(squareSums.reduce(0, +) / (count * Double(channelCount))),
            channelRMSDecibels: squareSums.map { 10 * log10($0 / count) },
            mixRMSDecibels: 10 * log10(mixSquareSum / count),
            clippedShare: Double(clippedSampleCount) / (count * Double(channelCount)),
            silences: ended.silences, missingDuration: missing)
    }
}
