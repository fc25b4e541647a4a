import Basics

/// Compares a competing place (the rival) with the followed one: both explain the same frames.
///
/// Where the followed place has explained nothing lately, the music has probably left it already. The trial then begins
/// with frames that were heard before it (``HeardFrames``), and the rival's window catches up with the present within a
/// few frames. It begins anew for as long as the rival explains the past worse than the followed place did: the music
/// was still there.
struct RivalTrial {
    /// The rival's place and tempo when the trial began; the place moves on with each live frame.
    private(set) var referenceFrame: Double
    let tempo: Float
    /// The number of the next frame of ``HeardFrames`` that the rival has to explain.
    private(set) var nextNumber: Int
    private(set) var ageInFrames = 0
    /// The number of live frames since the rival has caught up with the present.
    private(set) var liveFrameCount = 0
    /// The sum of the followed place's fits over the frames of the trial, in standard deviations above the reference's
    /// mean. `rivalFitSum` is the same for the rival.
    private var followedFitSum = 0.0
    private var rivalFitSum = 0.0
    private var followedLogLikelihood = 0.0
    /// The log likelihood of the frames of the trial if the reference's frames came in any order.
    private var logLikelihoodInAnyOrder = 0.0

    /// - Parameters:
    ///   - referenceFrame: the place at the newest frame that was heard.
    ///   - nextNumber: the first frame of the trial.
    init(referenceFrame: Double, tempo: Float, nextNumber: Int) {
        (self.referenceFrame, self.tempo, self.nextNumber) = (referenceFrame, tempo, nextNumber)
    }

    /// The mean number of standard deviations by which the rival fits better.
    var meanFitGain: Double { (rivalFitSum - followedFitSum) / Double(max(ageInFrames, 1)) }

    var meanRivalFit: Double { rivalFitSum / Double(max(ageInFrames, 1)) }

    /// The lead of the rival: the natural logarithm of the likelihood ratio over the frames of the trial.
    func logLikelihoodLead(of rival: WindowFilter) -> Double { rival.logLikelihood - followedLogLikelihood }

    /// The mean gain of the rival over the reference's frames in any order, in natural logarithms a frame.
    func meanGainOverAnyOrder(of rival: WindowFilter) -> Double {
        (rival.logLikelihood - logLikelihoodInAnyOrder) / Double(max(ageInFrames, 1))
    }

    /// The same for the followed place.
    var meanFollowedGainOverAnyOrder: Double {
        (followedLogLikelihood - logLikelihoodInAnyOrder) / Double(max(ageInFrames, 1))
    }

    /// Notes that a live frame has been heard.
    mutating func noteLiveFrame(isCaughtUp: Bool) {
        referenceFrame += Double(tempo)
        if isCaughtUp { liveFrameCount += 1 }
    }

    /// Notes how both places have explained the next frame.
    mutating func add(_ frame: HeardFrames.Frame, rivalFit: Double) {
        nextNumber += 1
        ageInFrames += 1
        followedFitSum += frame.fit
        rivalFitSum += rivalFit
        followedLogLikelihood += frame.logLikelihood
        logLikelihoodInAnyOrder += frame.logLikelihoodInAnyOrder
    }

    /// Begins anew with the next frame.
    mutating func beginAnew() {
        ageInFrames = 0
        followedFitSum = 0
        rivalFitSum = 0
        followedLogLikelihood = 0
        logLikelihoodInAnyOrder = 0
    }
}
