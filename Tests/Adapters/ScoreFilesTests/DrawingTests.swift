import Basics
import Foundation
import FoundationXML
import Repository
import Testing

@testable import ScoreFiles

@Suite struct DrawingTests {
    private static let head =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\""

    private static func drawing(_ inner: String, _ attributes: String = "") -> String {
        "\(head)\(attributes.isEmpty ? "" : " " + attributes)>\(inner)</svg>"
    }

    private func clean(_ text: String) throws(ExplainedError) -> String {
        String(decoding: try SVGSanitizer.sanitize(Array(text.utf8), name: "a.svg"), as: UTF8.self)
    }

    private func refusal(_ text: String) -> String? {
        do throws(ExplainedError) {
            _ = try clean(text)
            return nil
        } catch {
            return error.sentence
        }
    }

    // MARK: What is refused

    /// Each ran, or loaded something, in some browser.
    private static let hostile: [String] = [
        drawing("<script>alert(1)</script>"),
        drawing("<rect\tonload='x()'/>"), drawing("<rect\nonload='x()'/>"), drawing("<rect/onload='x()'/>"),
        drawing("", "onload='x()'"), drawing("<g ONCLICK='x()'/>"),
        "<s:svg xmlns:s='http://www.w3.org/2000/svg'><s:script>x()</s:script></s:svg>",
        drawing("<s:script xmlns:s='http://www.w3.org/2000/svg'>x()</s:script>"),
        drawing("<s:script>x()</s:script>"),
        drawing("<h:script xmlns:h='http://www.w3.org/1999/xhtml'>x()</h:script>"),
        drawing("<script xmlns='http://www.w3.org/1999/xhtml'>x()</script>"),
        drawing("<a xlink:href='java&#115;cript:x()'><text>here</text></a>"),
        drawing("<a href='jav&#9;ascript:x()'><rect/></a>"),
        drawing("<use xlink:href='http://127.0.0.1/x.svg#a'/>"), drawing("<use href='x.svg#a'/>"),
        drawing("<use href='data:image/svg+xml;base64,PHN2Zy8+#a'/>"), drawing("<use href='#%61'/>"),
        drawing("<image href='http://127.0.0.1/x.png'/>"), drawing("<image href='//127.0.0.1/x.png'/>"),
        drawing("<image xlink:href='data:image/svg+xml,&lt;svg/&gt;'/>"),
        drawing("<image href='data:text/html;base64,PGh0bWw+'/>"),
        drawing("<feImage href='http://127.0.0.1/x.png'/>"),
        drawing("<foreignObject><body xmlns='http://www.w3.org/1999/xhtml'/></foreignObject>"),
        drawing("<set attributeName='href' to='javascript:x()'/>"),
        drawing("<animate attributeName='href' values='javascript:x()'/>"),
        drawing("<handler/>"), drawing("<iframe/>"), drawing("<embed/>"), drawing("<object/>"),
        drawing("<style>@import url(http://127.0.0.1/x.css);</style>"),
        drawing("<style>rect{fill:url(http://127.0.0.1/x)}</style>"),
        drawing("<style>rect{fill:u\\72l(http://127.0.0.1/x)}</style>"),
        drawing("<style>rect{fill:URL( 'http://127.0.0.1/x' )}</style>"),
        drawing("<style>@font-face{src:url(http://127.0.0.1/x)}</style>"),
        drawing("<style>rect{font-family:image-set('http://127.0.0.1/x' 1x)}</style>"),
        drawing("<rect style='fill:url(http://127.0.0.1/x)'/>"), drawing("<rect fill='url(//127.0.0.1/x)'/>"),
        drawing("<rect style='fill:&#117;rl(&quot;http://127.0.0.1/x&quot;)'/>"),
        drawing("<rect filter='src(\"http://127.0.0.1/x\")'/>"), drawing("<rect mask='url(x.svg#m)'/>"),
        "<?xml-stylesheet href='http://127.0.0.1/x.css'?>" + drawing(""),
        "<!DOCTYPE svg [<!ENTITY a 'javascript:x()'>]>" + drawing("<a href='&a;'/>"),
        "<!DOCTYPE svg SYSTEM 'http://127.0.0.1/x.dtd'>" + drawing(""),
        "<html xmlns='http://www.w3.org/1999/xhtml'/>", "<svg", "<svg>", "", "svg", drawing("<rect>"),
        drawing("<title><script/></title>"),
        drawing("<g id='a'><use href='#a'/></g>"),
        drawing("<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>"),
        drawing(String(repeating: "<g>", count: 200) + String(repeating: "</g>", count: 200)),
        drawing(String(repeating: "<g/>", count: 60_000)), bomb(levels: 9), patternBomb,
    ]

    /// Ten times ten times ten …
    private static func bomb(levels: Int) -> String {
        let parts = (1...levels).map { level in
            "<g id='a\(level)'>"
                + String(repeating: "<use xlink:href='#a\(level - 1)'/>", count: 10) + "</g>"
        }
        return drawing("<defs><path id='a0' d='M0 0L9 9'/>\(parts.joined())</defs><use href='#a\(levels)'/>")
    }

    /// The same by what fills a shape.
    private static var patternBomb: String {
        let parts = (1...9).map { level in
            "<pattern id='p\(level)' width='9' height='9'>"
                + String(repeating: "<rect width='1' style='fill:url(#p\(level - 1))'/>", count: 10)
                + "</pattern>"
        }
        return drawing(
            "<style>.f{fill:url(#p9)}</style><pattern id='p0'><rect/></pattern>\(parts.joined())<rect class='f'/>"
        )
    }

    @Test(arguments: hostile) func whatCouldActOrLoadOrOverwhelmIsRefusedWithAReason(text: String) throws {
        let sentence = try #require(refusal(text), "taken: \(text.prefix(200))")
        #expect(sentence.contains("a.svg") && sentence.hasSuffix("."))
    }

    @Test func aRefusalSaysTheLine() throws {
        let sentence = try #require(refusal(Self.drawing("\n<rect/>\n<script/>")))
        #expect(sentence.hasPrefix("“a.svg”, line 3: <script>"))
        #expect(
            try #require(refusal(Self.drawing("\n\n\n<g><rect onload='x'/></g>"))).contains(
                "line 4: “onload”"))
    }

    @Test func whatIsTooLargeIsRefusedBeforeItIsParsed() throws {
        let large = [UInt8](repeating: 0x20, count: SVGSanitizer.maximumBytes + 1)
        #expect(throws: ExplainedError.self) { try SVGSanitizer.sanitize(large, name: "large.svg") }
    }

    // MARK: What is kept

    @Test func whatIsCleanIsWrittenAsItWas() throws {
        let text =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\" width=\"9\" height=\"9\" role=\"img\">\n"
            + "<title>A &amp; B</title><defs><linearGradient id=\"g\"><stop offset=\"1\" stop-color=\"#fff\"/>"
            + "</linearGradient></defs><path d=\"M0 0L9 9\" fill=\"url(#g)\" stroke=\"none\"/>"
            + "<text x=\"1\" y=\"2\" font-family=\"serif\">ünï <tspan>x</tspan></text></svg>"
        let written = try clean(text)
        #expect(written == text.replacing("\n", with: ""))
    }

    @Test func whatDrawingProgramsAddIsLeftOut() throws {
        let written = try clean(
            Self.drawing(
                "<metadata><r:RDF xmlns:r='urn:r'><r:x/></r:RDF></metadata>"
                    + "<i:view i:zoom='2'><i:guide/></i:view><rect i:label='x' data-name='y' width='1'/>"
                    + "<!-- made by hand --><use xlink:href='#a' style='-i-font:x;fill:red'/>",
                "xmlns:i='urn:inkscape' version='1.1'"))
        #expect(
            written == "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect width=\"1\"/>"
                + "<use style=\"fill:red\" href=\"#a\"/></svg>")
    }

    @Test func stylesPrefixesAndPicturesOfUsualProgramsAreTaken() throws {
        let written = try clean(
            "<s:svg xmlns:s='http://www.w3.org/2000/svg' xmlns:l='http://www.w3.org/1999/xlink'>"
                + "<s:style type='text/css'><![CDATA[ .cls-1, g > .b { fill: url( '#g' ); stroke:#000 } ]]></s:style>"
                + "<s:image width='1' l:href='data:image/png;base64,iVBO Rw0='/>"
                + "<s:rect class='cls-1' transform='translate(1,2) rotate(3)' style='font-family:\"A B\"'/></s:svg>"
        )
        #expect(
            written == "<svg xmlns=\"http://www.w3.org/2000/svg\"><style type=\"text/css\">"
                + ".cls-1, g &gt; .b{fill:url(#g);stroke:#000}\n</style>"
                + "<image width=\"1\" href=\"data:image/png;base64,iVBORw0=\"/>"
                + "<rect class=\"cls-1\" transform=\"translate(1,2) rotate(3)\" style=\"font-family:&quot;A B&quot;\"/>"
                + "</svg>")
    }

    @Test func aDrawingWithoutANamespaceGetsOne() throws {
        #expect(try clean("<svg><rect/></svg>") == "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect/></svg>")
    }

    @Test func drawingsOfTheRepositoryAreTakenWhole() throws {
        let all = try #require(
            FileManager.default.enumerator(at: Repository.recordings, includingPropertiesForKeys: nil))
        let drawings = all.compactMap { $0 as? URL }.filter { $0.pathExtension == "svg" }
        #expect(drawings.count >= 10)
        for url in drawings {
            let bytes = [UInt8](try Data(contentsOf: url))
            let written = try SVGSanitizer.sanitize(bytes, name: url.lastPathComponent)
            // As many elements and attributes as before: nothing that draws was lost.
            #expect(Census(written) == Census(bytes), "\(url.lastPathComponent)")
            #expect(try SVGSanitizer.sanitize(written, name: "again") == written)
        }
    }

    // MARK: Made-up files

    /// Reads what was written with nothing of the cleaner's own code.
    private final class Census: NSObject, XMLParserDelegate {
        var names: [String: Int] = [:]
        var attributes: [String: Int] = [:]
        var wrong: [String] = []

        init(_ bytes: [UInt8]) {
            super.init()
            let parser = XMLParser(data: Data(bytes))
            parser.delegate = self
            if !parser.parse() || parser.parserError != nil { wrong.append("not well formed") }
        }

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes all: [String: String]
        ) {
            names[name, default: 0] += 1
            if name.contains(":") { wrong.append(name) }
            let acting = ["script", "foreignObject", "iframe", "set", "animate", "a", "handler", "feImage"]
            if acting.contains(name) { wrong.append(name) }
            for (key, value) in all {
                attributes[key, default: 0] += 1
                let text = value.lowercased().filter { !$0.isWhitespace }
                if key.lowercased().hasPrefix("on") || key.hasPrefix("xmlns:") { wrong.append(key) }
                if key.hasSuffix("href"), !text.hasPrefix("#"), !text.hasPrefix("data:image/") {
                    wrong.append(value)
                }
                if text.contains("javascript:"), key != "aria-label" { wrong.append(value) }
                if text.replacing("url(#", with: "").contains("url(") { wrong.append(value) }
            }
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            if text.contains("@import") { wrong.append(text) }
        }

        static func == (left: Census, right: Census) -> Bool {
            left.names == right.names && left.attributes == right.attributes && left.wrong == right.wrong
        }
    }

    @Test(arguments: 0..<4) func whateverIsTakenIsHarmlessAndWrittenTheSameAgain(seed: UInt64) {
        var random = SeededRandomGenerator(seed: seed)
        let seeds =
            Self.hostile.filter { (1..<4_000).contains($0.utf8.count) }.map { Array($0.utf8) } + Self.harmless
        let tokens = [
            "<script>", "</script>", " onload=", "'", "\"", "javascript:", "url(", "#a", "<use href='#a'/>",
            "&#x6a;",
            "<![CDATA[", "]]>", "<!--", "-->", "xmlns:s='http://www.w3.org/2000/svg'", "<s:", "\\", "{", "}",
            ";", "@",
            "\t", "\n", "/", ">", "<", "&amp;", "data:image/png;base64,", " style='", "<style>", "</style>",
            "é", "\0",
        ].map { Array($0.utf8) }
        var taken = 0
        for round in 0..<1_000 {
            var bytes = (round.isMultiple(of: 2) ? Self.harmless : seeds).randomElement(using: &random)!
            // One change to a harmless drawing often leaves it one.
            let edits = round.isMultiple(of: 2) ? 1 : Int.random(in: 1...3, using: &random)
            for _ in 0..<edits {
                let place = Int.random(in: 0...bytes.count, using: &random)
                let end = min(place + Int.random(in: 0...6, using: &random), bytes.count)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.removeSubrange(place..<end)
                case 1: bytes.insert(contentsOf: tokens.randomElement(using: &random)!, at: place)
                case 2:
                    let other = seeds.randomElement(using: &random)!
                    let from = Int.random(in: 0..<other.count, using: &random)
                    bytes.insert(contentsOf: other[from..<min(from + 40, other.count)], at: place)
                default: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
                }
            }
            do throws(ExplainedError) {
                let written = try SVGSanitizer.sanitize(bytes, name: "made.svg")
                taken += 1
                let census = Census(written)
                #expect(census.wrong.isEmpty, "\(census.wrong): \(String(decoding: bytes, as: UTF8.self))")
                #expect((try? SVGSanitizer.sanitize(written, name: "again")) == written)
            } catch {
                #expect(error.sentence.contains("made.svg"))
            }
        }
        // Else nothing was shown about what is taken.
        #expect(taken > 50)
    }

    private static let harmless: [[UInt8]] = [
        drawing(
            "<g id='a'><rect width='1' fill='url(#b)'/></g><use xlink:href='#a' style='fill:red;stroke:blue'/>"
        ),
        drawing(
            "<style>.a{fill:red}</style><text class='a' x='1'>hello <tspan>you</tspan></text><title>t</title>"
        ),
        drawing(
            "<filter id='f'><feGaussianBlur stdDeviation='2'/></filter><path d='M0 0L1 1' filter='url(#f)'/>"),
        drawing(
            "<image href='data:image/png;base64,iVBORw0='/><i:x xmlns:i='urn:i'><i:y/></i:x><metadata>m</metadata>"
        ),
    ].map { Array($0.utf8) }
}
