/// Chooses the sound device while the server runs.
package protocol SoundChoosing: Sendable {
    /// The chosen device, its state, and all devices of the machine. Opens each device for a moment to see whether it
    /// can be opened.
    func describeSound() async -> SoundDescription
    /// Changes to another device or another of its inputs, and keeps the choice for the next start.
    /// - Parameter channel: the number of the input, from 1; nil for what the server was started with, usually the mix
    ///   of all.
    /// - Returns: the reason why that is impossible, as a sentence; nil if it was done.
    func chooseDevice(_ name: String, channel: Int?) async -> String?
    /// Measures for some seconds the silence of the hall, and keeps it with the device.
    func measureSilence() async -> SilenceAnswer
}

/// The result of a measurement of the silence, as a sentence.
package enum SilenceAnswer: Sendable, Equatable {
    case measured(String)
    /// Nothing was measured; the sentence says why.
    case refused(String)
}

/// The sound input as the console describes it.
package struct SoundDescription: Sendable, Equatable, Encodable {
    package struct Device: Sendable, Equatable, Encodable {
        package var name: String
        package var description: String
        /// The reason why the device cannot be opened; nil if it can.
        @OrNull package var problem: String?

        package init(name: String, description: String, problem: String?) {
            (self.name, self.description, self.problem) = (name, description, problem)
        }
    }

    /// The name of the device, or of the file that is played.
    package var source: String
    /// The number of the input that is heard, from 1; nil for the mix of all.
    @OrNull package var channel: Int?
    /// Samples a second.
    package var rate: Double
    /// The reason why nothing is heard from the device; nil if sound comes.
    @OrNull package var problem: String?
    /// The reason why the device cannot be chosen here; nil if it can.
    @OrNull package var fixedBecause: String?
    package var devices: [Device]

    package init(
        source: String, channel: Int? = nil, rate: Double, problem: String?, fixedBecause: String?,
        devices: [Device]
    ) {
        self.source = source
        self.channel = channel
        self.rate = rate
        self.problem = problem
        self.fixedBecause = fixedBecause
        self.devices = devices
    }
}
