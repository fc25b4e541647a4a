import Alignment
import Basics
import Features

/// Computes the frames of a whole recording in two passes: the first finds its tuning, the second makes the frames.
///
/// The second pass also makes the frames that the recording would have in some rooms.
///
/// Do not use this on the real-time following thread. Cost: about 1/200 of the recording's duration, and as much again
/// for each room.
public final class ReferenceFrameExtractor {
    private let parameters: FeatureParameters
    private let sampleRate: SampleRate
    private let transforms: any SpectrumTransformMaker
    private var tuningEstimate: TuningEstimate
    private let tuningPassAnalyser: SpectrumAnalyser
    private let rooms: [RoomShape]
    /// Made when the second pass begins, because the tuning is known then.
    private var ownFrames: FrameCollector?
    private var roomFrames: [(simulator: RoomSimulator, collector: FrameCollector)] = []
    private var roomSamples: [Float] = []

    /// - Parameter rooms: the rooms in which the recording is heard as well.
    public init(
        sampleRate: SampleRate, transforms: any SpectrumTransformMaker,
        parameters: FeatureParameters = FeatureParameters(), rooms: [RoomShape] = []
    ) {
        self.parameters = parameters
        self.sampleRate = sampleRate
        self.transforms = transforms
        tuningEstimate = TuningEstimate(parameters: parameters, halfLifeSeconds: .infinity)
        tuningPassAnalyser = SpectrumAnalyser(
            parameters: parameters, sampleRate: sampleRate, transforms: transforms)
        self.rooms = rooms
    }

    /// First pass: takes the next samples of the recording.
    public func addTuningPassSamples(_ samples: UnsafeBufferPointer<Float>) {
        var rest = samples
        while !rest.isEmpty {
            var taken = 0
            if tuningPassAnalyser.addSamples(rest, taken: &taken) != nil {
                tuningEstimate.addVotes(tuningPassAnalyser)
            }
            rest = UnsafeBufferPointer(rebasing: rest[taken...])
        }
    }

    /// The tuning of the recording relative to A = 440 Hz, modulo a semitone, in cents; 0 if the sound has no tuning.
    public var tuningCents: Double { tuningEstimate.voteAgreement > 0.1 ? tuningEstimate.tuningCents : 0 }

    /// Second pass: takes the same samples again, from the start.
    public func addFramePassSamples(_ samples: UnsafeBufferPointer<Float>) {
        let own = ownFrames ?? beginSecondPass()
        own.add(samples)
        for (simulator, collector) in roomFrames {
            roomSamples.removeAll(keepingCapacity: true)
            roomSamples.append(contentsOf: samples)
            roomSamples.withUnsafeMutableBufferPointer {
                simulator.addReverberation(to: $0)
                collector.add(UnsafeBufferPointer($0))
            }
        }
    }

    private func beginSecondPass() -> FrameCollector {
        func collector() -> FrameCollector {
            FrameCollector(
                analyser: SpectrumAnalyser(
                    parameters: parameters, sampleRate: sampleRate, transforms: transforms),
                tuningCents: tuningCents)
        }
        roomFrames = rooms.map { (RoomSimulator($0, rate: sampleRate), collector()) }
        let own = collector()
        ownFrames = own
        return own
    }

    /// The frames made in the second pass.
    public var frames: ReferenceFeatureFrames {
        ownFrames?.frames
            ?? ReferenceFeatureFrames(featureValues: [], dimensions: parameters.dimensions, powerByFrame: [])
    }

    /// The frames that the second pass made for each room, as many as ``frames`` has.
    public var roomCopies: [RoomCopy] {
        zip(rooms, roomFrames).map { RoomCopy(room: $0, frames: $1.collector.frames.packed) }
    }
}
