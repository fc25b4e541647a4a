import ArgumentParser
import Features
import Following

/// By which method, and by which features of the sound, a performance is followed.
struct MethodOptions: ParsableArguments {
    @Option(
        help: """
            How the position is found: the forward filter, or online time warping (Dixon 2005), which knows \
            one recording, one key and one tuning, and finds nothing again after a cut or a repeat.
            """)
    var method = FollowingMethod.forwardFilter

    @Option(
        help: """
            What recordings are compared by: semitone bands and their onsets, or the classic twelve chroma \
            values; docs/accuracy.md has the figures of both.
            """)
    var features = FrameFeatures.bands

    /// True where nobody chose anything else.
    var isDefault: Bool { method == .forwardFilter && features == .bands }
}

extension FollowingMethod: ExpressibleByArgument {}
extension FrameFeatures: ExpressibleByArgument {}
