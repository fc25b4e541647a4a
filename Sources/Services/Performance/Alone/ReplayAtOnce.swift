import Following
import Listening
import MusicalTime
import SoundFiles

/// Replays recordings as fast as the machine allows, followed on one thread and decoded on another: the same
/// input gives the same output.
package struct ReplayAtOnce {
    package var playlist: LivePlaylist
    package var place: ProgrammePosition
    /// Audio after which it ends; nil for all of it.
    package var seconds: Double?
    /// Samples handed over at a time; makes no difference to what is said.
    package var blockSamples = 4096

    package init(
        playlist: LivePlaylist, place: ProgrammePosition, seconds: Double? = nil, blockSamples: Int = 4096
    ) {
        self.playlist = playlist
        self.place = place
        self.seconds = seconds
        self.blockSamples = blockSamples
    }

    /// - Parameters:
    ///   - isWanted: asked before each block.
    ///   - report: what is said, hop by hop.
    /// - Returns: samples heard.
    package func run(
        _ concert: ConcertFollower, while isWanted: () -> Bool, report: (ConcertReport) -> Void
    ) throws(SoundFileError) -> SampleTime {
        let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: blockSamples)
        defer { block.deallocate() }
        let decoder = PlaylistReader(playlist)
        let reader = ReplayReadAhead { buffer throws(SoundFileError) in try decoder.read(into: buffer) }
        defer { reader.stop() }
        var turnEnd = playlist.turnSamples
        while isWanted() {
            // A turn ends within a hop: the follower is told behind it, as the follow lane does.
            var wanted = blockSamples
            if concert.heardSamples.count >= turnEnd {
                if concert.isAtHopEnd {
                    turnEnd += playlist.turnSamples
                    concert.begin(at: place)
                } else {
                    wanted = min(wanted, concert.samplesToHopEnd)
                }
            } else {
                wanted = min(wanted, turnEnd - concert.heardSamples.count)
            }
            if let seconds {
                let end = Int((seconds * playlist.rate.hertz).rounded())
                wanted = min(wanted, max(end - concert.heardSamples.count, 0))
            }
            guard wanted > 0 else { break }
            let count = try reader.read(into: UnsafeMutableBufferPointer(rebasing: block[..<wanted]))
            guard count > 0 else { break }
            concert.hear(UnsafeBufferPointer(rebasing: block[..<count]), report: report)
        }
        return concert.heardSamples
    }
}
