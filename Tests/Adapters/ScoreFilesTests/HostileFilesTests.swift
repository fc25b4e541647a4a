import Basics
import Testing

@testable import ScoreFiles

/// Every reader returns or throws its error, whatever the bytes; reaching the end of each test is the claim.
@Suite struct HostileFilesTests {
    @Test(arguments: Fixture.all)
    func everyTruncationIsReadOrRefused(format: MeasureTimesFormat, text: String) {
        let bytes = Array(text.utf8)
        var whole = 0
        for count in 0...bytes.count {
            for choice in [MeasureTimesFormatChoice.specified(format), .automatic] {
                if let times = try? MeasureTimesFileReader.parse(
                    Array(bytes[..<count]), path: "cut", format: choice)
                {
                    #expect(!times.marks.isEmpty && times.marks.count == times.lineNumbers.count)
                    whole += 1
                }
            }
        }
        #expect(whole >= 2)
    }

    @Test(arguments: Fixture.all)
    func twentyThousandMutationsAreReadOrRefused(format: MeasureTimesFormat, text: String) {
        var random = SeededRandomGenerator(seed: 1_789)
        let bytes = Array(text.utf8)
        var refused = 0
        for round in 0..<20_000 {
            let mutant = mutated(bytes, &random)
            let choice: MeasureTimesFormatChoice = round % 4 == 0 ? .automatic : .specified(format)
            do throws(MeasureTimesError) {
                let times = try MeasureTimesFileReader.parse(mutant, path: "mutant", format: choice)
                // The check has to live with whatever a reader lets through.
                if round % 16 == 0 { _ = MeasureTimesCheck(times).findings.count }
            } catch {
                refused += 1
                if round % 16 == 0 { #expect(!error.sentence.isEmpty) }
            }
        }
        #expect(refused > 0 && refused < 20_000)
    }

    /// One to four slips: a byte changed, dropped or put in, a stretch doubled or lost, a word put in.
    private func mutated(_ bytes: [UInt8], _ random: inout SeededRandomGenerator) -> [UInt8] {
        var mutant = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) where !mutant.isEmpty {
            let place = Int.random(in: 0..<mutant.count, using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: mutant[place] = UInt8.random(in: 0...255, using: &random)
            case 1: mutant[place] = Self.spice[Int.random(in: 0..<Self.spice.count, using: &random)]
            case 2: mutant.remove(at: place)
            case 3: mutant.insert(Self.spice[Int.random(in: 0..<Self.spice.count, using: &random)], at: place)
            case 4:
                let stretch = mutant[place..<min(place + 40, mutant.count)]
                mutant.insert(contentsOf: stretch, at: Int.random(in: 0..<mutant.count, using: &random))
            case 5:
                let word = Self.words[Int.random(in: 0..<Self.words.count, using: &random)]
                mutant.insert(contentsOf: word.utf8, at: place)
            default: mutant.removeSubrange(place..<min(place + 20, mutant.count))
            }
        }
        return mutant
    }

    private static let spice: [UInt8] =
        Array("\t\n\r,;.-+eE\"#\\<>&/:0123456789xdb\u{7F}é".utf8) + [0xFF, 0x00, 0xC0]

    private static let words = [
        "<?x?>", "<?xml version='1.0'?>", "<!---->", "<![CDATA[]]>", "<![CDATA[", "]]>", "&#0;", "&#x41;",
        "&amp;",
        "&lost;", " xmlns:a=''", " xmlns=''", " a:b='c'", "<a:b/>", "<a/>", "</page>", "<page>", "<é/>",
        "\u{FEFF}",
        "\u{1F3BC}", "1e400", "-0", "nan", "end", "99999999999999999999", "\t\t\t", ",,,", "\n\n",
    ]
}
