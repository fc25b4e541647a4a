import Foundation
import Testing

@testable import Basics

@Suite struct ChannelChoiceTests {
    @Test func aChoiceIsWrittenAsItIsRead() {
        for choice in [AudioChannelChoice.meanOfAllChannels, .singleChannel(1), .singleChannel(32)] {
            #expect(AudioChannelChoice(choice.description) == choice)
        }
        for text in ["", "0", "-1", "Mix", "left", "1.0"] {
            #expect(AudioChannelChoice(text) == nil, "\(text)")
        }
    }

    @Test func aStoredChoiceIsCheckedWhenItComesBack() throws {
        #expect(try JSONEncoder().encode([AudioChannelChoice.singleChannel(2)]) == Data(#"["2"]"#.utf8))
        #expect(
            try JSONDecoder().decode([AudioChannelChoice].self, from: Data(#"["mix"]"#.utf8)) == [
                .meanOfAllChannels
            ])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([AudioChannelChoice].self, from: Data(#"["0"]"#.utf8))
        }
    }
}
