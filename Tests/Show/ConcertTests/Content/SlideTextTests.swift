import Basics
import Concert
import Testing

@Suite struct SlideTextTests {
    @Test func anImageTakesTheRestOfItsParagraphAsCaption() throws {
        let text = SlideText("This is an annotation with an image. $image.jpg, image caption ")
        #expect(
            text.parts == [
                .text("This is an annotation with an image."),
                .image(try AssetName("image.jpg"), caption: "image caption"),
            ])
    }

    @Test func theSignMayBeMissing() throws {
        let text = SlideText(
            "A return of the Don's themes creates a transition to the secondary theme. DJ2.png,\n    Don Juan Portrait. "
        )
        #expect(
            text.parts == [
                .text("A return of the Don's themes creates a transition to the secondary theme."),
                .image(try AssetName("DJ2.png"), caption: "Don Juan Portrait."),
            ])
    }

    @Test(arguments: [
        "A ticket cost $5, a lot.", "See dj.png for more.", "The file.pngx, a thing", "$, nothing",
        "$.png, hidden",
        "$../secret.png, out", "$a/b.png, folder", "$a\\b.png, folder", "costs 12.png-like, no", "$", "",
    ])
    func otherTextIsLeftAlone(raw: String) {
        #expect(SlideText(raw).images.isEmpty)
        #expect(SlideText(raw).parts == (raw.isEmpty ? [] : [.text(raw)]))
    }

    @Test func severalImagesAndParagraphsKeepTheirOrder() throws {
        let text = SlideText("One.\n\n$a.png, first $b b.SVG, second\n\nTwo. $c.webp.\n\nThree $d.gif rest")
        #expect(
            text.parts == [
                .text("One."), .image(try AssetName("a.png"), caption: "first"),
                .image(try AssetName("b b.SVG"), caption: "second"), .text("Two."),
                .image(try AssetName("c.webp"), caption: ""), .text("Three"),
                .image(try AssetName("d.gif"), caption: ""), .text("rest"),
            ])
        #expect(text.readableCharacterCount == 4 + 5 + 6 + 4 + 5 + 4)
    }

    @Test func blanksAreAsAReaderOfXMLSeesThem() {
        #expect(
            SlideText("\r\n  one\n two\t three \r\n \r\n\r\n four\u{0}\u{B}five ").writtenText
                == "one two three\n\nfour five")
        #expect(SlideText("12\u{A0}Uhr").writtenText == "12\u{A0}Uhr")
        #expect(CleanText.cleanedLine(" a \n\n b ") == "a b")
    }

    /// Texts in order are recognised by their bytes: whatever is recognised must be what tidying makes of it.
    @Test(arguments: [
        ("a b", "a b"), ("a\n\nb", "a\n\nb"), ("a\nb", "a b"), ("a\n\n\nb", "a\n\nb"), ("a \n\nb", "a\n\nb"),
        ("a\n\n b", "a\n\nb"), ("a\n\n", "a"), ("\n\na", "a"), ("a  b", "a b"), ("a ", "a"), (" a", "a"),
        ("ä\u{2003}ö", "ä ö"), ("a\u{2028}b", "a b"), ("a\u{85}b", "a b"), ("a\u{FFFF}b", "a b"), ("", ""),
        ("a\u{7F}b", "a b"), ("\u{3000}a", "a"), ("Größe – «x» 🎺", "Größe – «x» 🎺"), ("a\r\n\r\nb", "a\n\nb"),
    ])
    func onlyWhatIsInOrderIsLeftAsItIs(raw: String, tidy: String) {
        #expect(CleanText.cleanedParagraphs(raw) == tidy)
        #expect(Array(CleanText.cleanedParagraphs(raw).unicodeScalars) == Array(tidy.unicodeScalars))
        #expect(CleanText.cleanedLine(raw) == tidy.replacing("\n\n", with: " "))
    }

    @Test func tidyingTwiceChangesNothing() {
        var random = SeededRandomGenerator(seed: 5)
        let spice = [
            "a", " ", "\n", "\r", "\t", "$", ".png", ",", "\u{301}", "\u{2028}", "\u{0}", "é", "🎺",
            "\u{FFFE}",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                spice[Int.random(in: 0..<spice.count, using: &random)]
            }.joined()
            let once = SlideText(text)
            #expect(SlideText(once.writtenText) == once)
            #expect(CleanText.cleanedLine(CleanText.cleanedLine(text)) == CleanText.cleanedLine(text))
            _ = once.parts
        }
    }

    @Test func aHundredThousandSignsAreReadInNoTime() {
        let clock = ContinuousClock()
        let took = clock.measure { _ = SlideText(String(repeating: "$a ", count: 100_000)).parts }
        // Linear, if slow in a debug build; what grows with the square would take hours.
        #expect(took < .seconds(60))
    }

    @Test func anAssetIsOnePlainFileName() {
        #expect(throws: ExplainedError("The file has no name; give it one such as portrait.png.")) {
            try AssetName("")
        }
        #expect(throws: ExplainedError("The file name starts with a dot; rename the file.")) {
            try AssetName("..")
        }
        #expect(
            throws: ExplainedError(
                "The file name holds “/”, which separates names in the content's files; rename the file.")
        ) { try AssetName("a/b.png") }
        #expect(
            throws: ExplainedError(
                "The file name holds “\\”, which separates names in the content's files; rename the file.")
        ) { try AssetName("a\\b.png") }
        #expect(
            throws: ExplainedError(
                "The file name holds “;”, which separates names in the content's files; rename the file.")
        ) { try AssetName("a;b.png") }
        #expect(
            throws: ExplainedError(
                "The file name holds a line break or another control character; rename the file.")
        ) { try AssetName("a\nb.png") }
        #expect(
            throws: ExplainedError(
                "The file name holds a line break or another control character; rename the file.")
        ) { try AssetName("a.png\0.txt") }
        #expect(
            throws: ExplainedError(
                "The file name has 201 bytes; shorten it to \(AssetName.longestBytes) at most.")
        ) {
            try AssetName(String(repeating: "a", count: 201))
        }
    }
}
