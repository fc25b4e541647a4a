import Foundation
import Testing

@testable import MusicalTime

@Suite struct ChannelChoiceTests {
    @Test func aChoiceIsWrittenAsItIsRead() {
        for choice in [ChannelChoice.mix, .channel(1), .channel(32)] {
            #expect(ChannelChoice(choice.description) == choice)
        }
        for text in ["", "0", "-1", "Mix", "left", "1.0"] { #expect(ChannelChoice(text) == nil, "\(text)") }
    }

    @Test func aStoredChoiceIsCheckedWhenItComesBack() throws {
        #expect(try JSONEncoder().encode([ChannelChoice.channel(2)]) == Data(#"["2"]"#.utf8))
        #expect(try JSONDecoder().decode([ChannelChoice].self, from: Data(#"["mix"]"#.utf8)) == [.mix])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([ChannelChoice].self, from: Data(#"["0"]"#.utf8))
        }
    }
}
