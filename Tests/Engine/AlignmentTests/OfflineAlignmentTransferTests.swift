import Testing

@testable import Alignment

@Suite struct OfflineAlignmentTransferTests {
    /// Onsets in seconds, of every fourth note.
    private func onsets(_ melody: Melody, tempo: Double = 1) -> [Double] {
        stride(from: 0, to: melody.starts.count - 1, by: 4).map { melody.starts[$0] / tempo / 50 }
    }

    private func transfer(
        _ melody: Melody, _ first: ReferenceFeatureFrames, _ second: ReferenceFeatureFrames
    ) throws -> [TransferredInstant] {
        MeasureTransfer.transferOnsets(
            onsets: onsets(melody), end: melody.starts.last! / 50,
            along: try OfflineRecordingAlignment.align(first, second),
            from: first, to: second)
    }

    @Test(arguments: [0.7, 1, 1.4])
    func onsetsArriveWhereTheNotesAre(tempo: Double) throws {
        let melody = Melody(noteCount: 80)
        let transferred = try transfer(melody, melody.frames(), melody.frames(tempo: tempo))
        let expected = onsets(melody, tempo: tempo)
        #expect(transferred.count == expected.count + 1)
        for (instant, onset) in zip(transferred, expected) {
            // The lag is the same number of seconds at any tempo, two frames are the melody's rounding.
            #expect(abs(instant.seconds - onset) < 0.02 * 2 + 0.06 * abs(1 - 1 / tempo))
        }
    }

    @Test func clearMusicIsNotDoubted() throws {
        let melody = Melody(noteCount: 80)
        let transferred = try transfer(melody, melody.frames(), melody.frames(tempo: 1.1))
        #expect(transferred.filter(\.isDoubtful) == [])
    }

    @Test func anInstantInsideALongHeldNoteIsAmbiguous() throws {
        var melody = Melody(noteCount: 20)
        let start = melody.starts.last!
        melody.addHeldNote(frames: 300)
        for _ in 0..<20 { melody.addNote(frames: 16) }
        let frames = melody.frames()
        let path = try OfflineRecordingAlignment.align(frames, melody.frames(tempo: 0.9))
        let transferred = MeasureTransfer.transferOnsets(
            onsets: [start / 50 - 1, start / 50 + 3], end: melody.starts.last! / 50, along: path,
            from: frames,
            to: melody.frames(tempo: 0.9))
        #expect(!transferred[0].doubt.contains(.ambiguous))
        #expect(transferred[1].doubt.contains(.ambiguous))
    }

    @Test func aPassageOfOtherMusicIsUnlike() throws {
        let melody = Melody(noteCount: 80)
        let frames = melody.frames(tempo: 0.9)
        let other = Melody(noteCount: 80, seed: 99).frames()
        let (from, to) = (frames.frameCount / 2 - 100, frames.frameCount / 2 + 100)
        let mixed = frames.part(0..<from) + other.part(from..<to) + frames.part(to..<frames.frameCount)
        let transferred = try transfer(melody, melody.frames(), mixed)
        let middle = transferred.filter { abs($0.seconds * 50 - Double(frames.frameCount / 2)) < 60 }
        #expect(!middle.isEmpty && middle.allSatisfy(\.isDoubtful))
        #expect(!transferred[1].isDoubtful)
    }

    @Test func measuresThatWereCutAreDoubtedAndStillRise() throws {
        let melody = Melody(noteCount: 80)
        let frames = melody.frames()
        let cut = frames.part(0..<500) + frames.part(900..<frames.frameCount)
        let transferred = try transfer(melody, frames, cut)
        #expect(zip(transferred, transferred.dropFirst()).allSatisfy { $0.seconds < $1.seconds })
        for (onset, instant) in zip(onsets(melody), transferred) {
            if (11...17).contains(onset) { #expect(instant.isDoubtful) }
            if onset < 8 || onset > 21 { #expect(!instant.isDoubtful) }
        }
    }

    @Test func whatLiesOutsideTheRecordingIsMarked() throws {
        let frames = Melody(noteCount: 20).frames()
        let path = try OfflineRecordingAlignment.align(frames, frames)
        let transferred = MeasureTransfer.transferOnsets(
            onsets: [-3, 1, 100], end: 200, along: path, from: frames, to: frames)
        #expect(transferred.map { $0.doubt.contains(.outsideRecording) } == [true, false, true, true])
        #expect(zip(transferred, transferred.dropFirst()).allSatisfy { $0.seconds < $1.seconds })
        #expect(transferred[3].doubt.contains(.movedToKeepOrder))
    }
}
