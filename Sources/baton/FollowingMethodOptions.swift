import ArgumentParser
import Features
import Following

/// Options that choose the following method and the sound features.
struct FollowingMethodOptions: ParsableArguments {
    @Option(
        help: """
            How the position is found: the forward filter, or online time warping (Dixon 2005), which knows \
            one recording, one key and one tuning, and finds nothing again after a cut or a repeat.
            """)
    var method = FollowingMethod.forwardFilter

    @Option(
        help: """
            What recordings are compared by: semitone bands and their onsets, refined by a small network or as \
            they are, or the classic twelve chroma values; docs/accuracy.md has the figures of all.
            """)
    var features = FeatureKind.refined

    /// True if neither option was changed.
    var isDefault: Bool { method == .forwardFilter && features == .refined }
}

extension FollowingMethod: ExpressibleByArgument {}
extension FeatureKind: ExpressibleByArgument {}
