/// The newest live frames and how well the followed place explained them, so that another place can be tried on what
/// was heard before it was found.
///
/// Belongs to one thread; after `init` no allocation, no lock.
final class HeardFrames {
    /// A frame without its values.
    struct Frame {
        /// The similarity at which the frame was as likely noise as music.
        var noise: Float = 0
        var isDropout = false
        /// The fit at the followed place, in standard deviations above the reference's mean.
        var fit = 0.0
        /// The natural logarithm of the frame's likelihood by the followed window, and if the reference's frames came in
        /// any order.
        var logLikelihood = 0.0
        var logLikelihoodInAnyOrder = 0.0
    }

    /// The largest number of frames that are kept.
    let capacity: Int
    private let dimensions: Int
    private let values: UnsafeMutablePointer<Float>
    private let frames: UnsafeMutablePointer<Frame>
    /// The number of frames that were added; the newest has the number `endNumber - 1`.
    private(set) var endNumber = 0
    /// The number of the oldest frame that is kept.
    private(set) var firstNumber = 0

    init(capacity: Int, dimensions: Int) {
        (self.capacity, self.dimensions) = (capacity, dimensions)
        values = zeroedFloats(capacity * dimensions)
        frames = .allocate(capacity: capacity)
        frames.initialize(repeating: Frame(), count: capacity)
    }

    deinit {
        values.deallocate()
        frames.deallocate()
    }

    /// Adds a frame; the oldest one is forgotten if there is no space.
    func add(_ frame: Frame, weightedValues newValues: UnsafePointer<Float>) {
        let slot = endNumber % capacity
        (values + slot * dimensions).update(from: newValues, count: dimensions)
        frames[slot] = frame
        endNumber += 1
        firstNumber = max(firstNumber, endNumber - capacity)
    }

    /// Forgets all frames, because another place was followed then.
    func forgetAll() { firstNumber = endNumber }

    /// A frame by its number, from ``firstNumber`` to ``endNumber`` - 1.
    subscript(number: Int) -> Frame { frames[number % capacity] }

    /// The weighted values of a frame.
    func weightedValues(_ number: Int) -> UnsafePointer<Float> {
        UnsafePointer(values + number % capacity * dimensions)
    }
}
