import Concert
import FuzzDriver
import ScoreFiles

/// XML of content and glossary: what was read and written reads as the same.
private func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let content = try? ContentXMLReader.readPieces(in: bytes, path: "content.xml") {
        let written = ContentXMLWriter.writeConcert(content.pieces)
        guard let again = try? ContentXMLReader.readPieces(in: written, path: "content.xml") else {
            preconditionFailure("what was accepted is refused after it was written")
        }
        precondition(
            ContentXMLWriter.writeConcert(again.pieces) == written, "written differently the second time")
    }
    if let glossary = try? GlossaryReader.readGlossary(in: bytes, path: "glossary.xml") {
        let written = GlossaryXMLWriter.writeGlossary(glossary)
        guard (try? GlossaryReader.readGlossary(in: written, path: "glossary.xml")) == glossary else {
            preconditionFailure("a glossary changes when it is written")
        }
    }
    return 0
}

@_cdecl("content_main")
public func begin(_ count: CInt, _ arguments: Arguments) -> CInt {
    runFuzzer(count, arguments) { fuzz($0, $1) }
}
