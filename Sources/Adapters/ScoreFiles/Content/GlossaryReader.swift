import Concert

/// Reads a concert's glossary from `glossary.xml`.
public enum GlossaryReader {
    /// - Parameter path: the file's name for error messages.
    /// - Throws: ``ContentFileError``.
    public static func glossary(in bytes: [UInt8], path: String) throws(ContentFileError) -> Glossary {
        let root = try MarkupElement.root("glossary", of: bytes, path: path)
        try root.refuseUnexpectedContent(repeatedElements: ["item"], path: path)
        var glossary = Glossary()
        for item in root.children(named: "item") {
            try item.refuseUnexpectedContent(textElements: ["description", "history", "image"], path: path)
            var image: AssetName?
            if let element = item.first("image") {
                let name = CleanText.line(element.text)
                do throws(AssetNameFault) {
                    image = name.isEmpty ? nil : try AssetName(name)
                } catch {
                    throw .xml(path: path, line: element.line, fault: .imageName(error))
                }
            }
            glossary.items.append(
                GlossaryItem(
                    name: item.attributes["name"] ?? "", category: item.attributes["category"] ?? "",
                    description: item.first("description")?.text ?? "",
                    history: item.first("history")?.text ?? "",
                    image: image, language: item.attributes["xml:lang"].flatMap { Language($0) }))
        }
        return glossary
    }
}
