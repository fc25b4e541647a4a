import Basics
import Foundation
import Repository
import Sound
import Testing

@testable import Students

/// The recordings that play along with a student, and the parts in which pages get their sound.
@Suite struct PartnerSoundTests {
    private static let minuet = "petzold-anna-magdalena-notebook-minuet-in-g"
    private let recordings = Repository.root.appending(path: "Recordings").path

    private func gentle() throws -> PartnerRecording {
        try #require(
            PartnerRecording.find(
                piece: Self.minuet, recordings: recordings, bars: 64, named: "gentle"
            ).first)
    }

    @Test func recordingsWithTheBarsOfThePieceAreFound() throws {
        let found = PartnerRecording.find(piece: Self.minuet, recordings: recordings, bars: 64)
        #expect(found.map(\.name).contains("gentle") && found.map(\.name).contains("dance"))
        for each in found {
            #expect(each.onsetsSeconds.count == 64 && each.onsetsSeconds[63] < each.endSeconds)
            #expect(each.endSeconds <= Double(each.frameCount) / Double(each.hertz))
        }
        #expect(PartnerRecording.find(piece: Self.minuet, recordings: recordings, bars: 63).isEmpty)
    }

    @Test(arguments: ["..", "../Models", "", ".hidden"])
    func nothingOutsideTheFolderOfThePieceIsFound(name: String) {
        #expect(PartnerRecording.find(piece: name, recordings: recordings, bars: 64).isEmpty)
        #expect(
            PartnerRecording.find(
                piece: Self.minuet, recordings: recordings, bars: 64, named: "../\(name)"
            ).isEmpty)
    }

    /// Parts without their margins are the recording, sample by sample.
    @Test func partsJoinWithoutSeams() async throws {
        let recording = try gentle()
        let sound = try PartnerSound()
        let whole = try SoundFileReader(path: recording.soundPath).readAll()
        let margin = PartnerSound.marginMilliseconds * recording.hertz / 1_000
        let length = PartnerSound.partSeconds * recording.hertz
        for number in [0, 1, PartnerSound.partCount(recording) - 1] {
            let wave = try #require(await sound.wave(number, of: recording))
            #expect(wave.count == 44 + 2 * (length + 2 * margin))
            let samples = stride(from: 44, to: wave.count, by: 2).map {
                Int16(bitPattern: UInt16(wave[$0]) | UInt16(wave[$0 + 1]) << 8)
            }
            let begin = number * length - margin
            for place in stride(from: 0, to: samples.count, by: 97) {
                let wanted = whole.indices.contains(begin + place) ? whole[begin + place] : 0
                #expect(
                    abs(Float(samples[place]) / 32_767 - wanted) < 1e-4, "sample \(place) of part \(number)")
            }
        }
        #expect(await sound.wave(PartnerSound.partCount(recording), of: recording) == nil)
        #expect(await sound.wave(-1, of: recording) == nil)
    }
}
