import Catalogue
import WebServer

/// The storage that each role may use, so that nobody fills the catalogue.
extension PracticeTabLimits {
    /// The largest tab in bytes: more than a thousand staves, each with 32 chords of three notes.
    static let mostTabBytes = 4 << 20
    /// All tabs of all people. The catalogue is read whole at each start, which takes a second for 256 MB.
    static let mostTotalBytes = 128 << 20
    /// The part of the total that only technicians and administrators may fill.
    static let reserveBytes = 16 << 20

    static func limits(for role: WebRole) -> PracticeTabLimits {
        PracticeTabLimits(
            tabsOfAccount: 300, bytesOfAccount: 16 << 20,
            totalBytes: mostTotalBytes - (WebRole.operators.contains(role) ? 0 : reserveBytes))
    }
}
