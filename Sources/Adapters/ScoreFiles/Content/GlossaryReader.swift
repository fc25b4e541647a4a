import Basics
import Concert
import Platform

/// Reads a concert's glossary from `glossary.xml`.
public enum GlossaryReader {
    /// - Parameter path: the file's name for error messages.
    /// - Throws: ``ContentFileError``.
    public static func readGlossary(in bytes: [UInt8], path: String) throws(ContentFileError) -> Glossary {
        let root: XMLNode
        do throws(MeasureTimesError) {
            root = try XMLNode.parseContent(bytes, root: "glossary", path: path)
        } catch {
            throw ContentFileError(error)
        }
        try root.refuseUnexpectedContent(repeatedElements: ["item"], path: path)
        var glossary = Glossary()
        for item in root.all("item") {
            try item.refuseUnexpectedContent(textElements: ["description", "history", "image"], path: path)
            var image: AssetName?
            if let element = item["image"] {
                let name = CleanText.cleanedLine(element.text)
                do throws(ExplainedError) {
                    image = name.isEmpty ? nil : try AssetName(name)
                } catch {
                    throw .invalidXML(path: path, line: element.line, fault: .invalidImageName(error))
                }
            }
            glossary.items.append(
                GlossaryItem(
                    name: item.attributes["name"] ?? "", category: item.attributes["category"] ?? "",
                    description: item["description"]?.text ?? "",
                    history: item["history"]?.text ?? "",
                    image: image, language: item.attributes["xml:lang"].flatMap { Language($0) }))
        }
        return glossary
    }
}
