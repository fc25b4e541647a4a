import Features
import Testing

struct ChromaTests {
    private let parameters = FeatureParameters()

    private func folded(_ bands: [Float]) -> [Float] {
        var chroma = [Float](repeating: .nan, count: 12)
        bands.withUnsafeBufferPointer { bands in
            chroma.withUnsafeMutableBufferPointer {
                parameters.foldChroma(bands.baseAddress!, into: $0.baseAddress!)
            }
        }
        return chroma
    }

    /// One band alone is its pitch class alone, with its value; the onset part counts for nothing.
    @Test(arguments: 36..<108) func aBandBecomesItsPitchClass(pitch: Int) {
        var bands = [Float](repeating: 0, count: parameters.dimensions)
        bands[pitch - 36] = 0.75
        for onset in parameters.pitchCount..<parameters.dimensions { bands[onset] = 0.3 }
        var expected = [Float](repeating: 0, count: 12)
        expected[pitch % 12] = 0.75
        #expect(folded(bands) == expected)
    }

    /// (3, 4) in two octaves of C and 12 in G: (7, 12) before the norm of 13 is given back.
    @Test func octavesAreAddedAndTheNormStays() {
        var bands = [Float](repeating: 0, count: parameters.dimensions)
        bands[48 - 36] = 3
        bands[60 - 36] = 4
        bands[67 - 36] = 12
        let chroma = folded(bands)
        let factor: Float = 13 / (Float(7 * 7 + 12 * 12)).squareRoot()
        #expect(abs(chroma[0] - 7 * factor) < 1e-5)
        #expect(abs(chroma[7] - 12 * factor) < 1e-5)
        #expect(abs(chroma.norm - 13) < 1e-5)
        #expect(chroma.enumerated().allSatisfy { [0, 7].contains($0.offset) || $0.element == 0 })
    }

    @Test func silenceResemblesNothing() {
        let heard = frames(silence, seconds: 1, features: .chroma)
        #expect(heard.count == 50)
        #expect(heard.allSatisfy { $0 == [Float](repeating: 0, count: 12) })
    }

    /// A sine in every octave, at the tunings of halls. Above C5 the window tells semitones apart: its neighbours have
    /// less than half of the energy.
    @Test(arguments: 0..<12, [415.0, 442])
    func aSineIsItsPitchClass(pitchClass: Int, a: Double) throws {
        for pitch in stride(from: 48 + pitchClass, to: 108, by: 12) {
            let heard = frames(
                sine(hertz(pitch, a: a)), seconds: 0.6, pitchOffsetCents: cents(a: a), features: .chroma)
            let last = try #require(heard.last)
            #expect(last.count == 12)
            let strongest = try #require(last.max())
            #expect(last.firstIndex(of: strongest) == pitchClass)
            #expect(pitch < 72 || strongest * strongest > last.norm * last.norm / 2)
        }
    }

    /// Live frames and stored ones are folded alike, to the bit.
    @Test func aBuilderOfChromaFoldsItsBands() {
        let music = melody([48, 55, 60, 64, 67, 72])
        let bands = frames(music, seconds: 2.4)
        #expect(frames(music, seconds: 2.4, features: .chroma) == bands.map(folded))
    }
}
