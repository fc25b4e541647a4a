/// Writes `glossary.xml` in the form that existing clients read.
public enum GlossaryXMLWriter {
    public static func writeGlossary(_ glossary: Glossary) -> [UInt8] {
        var text = "<?xml version=\"1.0\"?>\n<glossary>\n"
        for item in glossary.items {
            let name = XMLText.escaped(CleanText.cleanedLine(item.name))
            let category = XMLText.escaped(CleanText.cleanedLine(item.category))
            // Clients that do not know languages ignore the attribute.
            let language = item.language.map { " xml:lang=\"\($0)\"" } ?? ""
            text += "  <item name=\"\(name)\" category=\"\(category)\"\(language)>\n"
            appendElement(item.description, as: "description", to: &text)
            appendElement(item.history, as: "history", to: &text)
            if let image = item.image {
                text += "    <image>\(XMLText.escaped(image.text))</image>\n"
            } else {
                text += "    <image/>\n"
            }
            text += "  </item>\n"
        }
        text += "</glossary>\n"
        return Array(text.utf8)
    }

    private static func appendElement(_ words: String, as element: String, to text: inout String) {
        let words = XMLText.escaped(CleanText.cleanedParagraphs(words))
        text +=
            words.isEmpty ? "    <\(element)/>\n" : "    <\(element)>\n      \(words)\n    </\(element)>\n"
    }
}
