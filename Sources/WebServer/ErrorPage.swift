/// What a browser shows where there is no page.
enum ErrorPage {
    static func answer(_ status: Int, _ title: String, _ sentence: String) -> WebAnswer {
        let html = """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="dark light">
            <meta name="viewport" content="width=device-width"><title>\(escaped(title))</title></head>
            <body><main><h1>\(escaped(title))</h1><p>\(escaped(sentence))</p><p><a href="/console">Console</a></p>
            </main></body></html>

            """
        return WebAnswer(status: status, contentType: "text/html; charset=utf-8", body: Array(html.utf8))
    }

    static let notFound = answer(404, "Not found", "There is no page at this address.")

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { out, character in
            switch character {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            default: out.append(character)
            }
        }
    }
}
