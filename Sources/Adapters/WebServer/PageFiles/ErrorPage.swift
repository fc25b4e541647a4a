/// The HTML page that a browser gets if a page does not exist or the visitor may not open it: a sentence and links to
/// other pages.
enum ErrorPage {
    /// The page for an address that does not exist. It links to the audience's page, because the visitor may have
    /// misread the address on a poster.
    static let notFound = makePage(
        404, "Not found", "There is no page at this address.", [("/", "To the concert")])

    /// The page for a visitor whose account may not open the requested page. It says who may, and links to the pages
    /// that the account may open, and to the sign-in page.
    static func notAllowed(_ person: WebPerson?, access: RouteAccess = .signedIn) -> WebResponse {
        let refusal =
            person.map { "“\($0.name)” may not open this page." } ?? "Your account may not open this page."
        return makePage(
            403, "Not for this account", refusal + needed(access),
            HousePage.pages(for: person).map { ($0.path, $0.name) } + [
                (PageRules.signInAsAnotherAddress, "Sign in as somebody else")
            ])
    }

    /// The sentence that names the roles which may open a page; empty if there are none.
    private static func needed(_ access: RouteAccess) -> String {
        guard case .roles(let roles) = access, let first = WebRole.allCases.first(where: roles.contains)
        else { return "" }
        let names = WebRole.allCases.filter(roles.contains).map(\.rawValue)
        let listed =
            names.count == 1
            ? names[0] : names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
        let article = "aeiou".contains(first.rawValue.prefix(1)) ? "an" : "a"
        return " It needs \(article) \(listed); an administrator gives roles on the page “Accounts”."
    }

    private static func makePage(
        _ status: Int, _ title: String, _ sentence: String, _ pageLinks: [(path: String, name: String)]
    ) -> WebResponse {
        let links = pageLinks.map { "<a class=\"button\" href=\"\($0.path)\">\($0.name)</a>" }.joined(
            separator: "\n")
        let html = """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="dark light">
            <meta name="viewport" content="width=device-width, initial-scale=1">\
            <title>\(htmlEscaped(title)) · Baton</title>
            <link rel="icon" href="/shared/mark.svg" type="image/svg+xml">
            <link rel="stylesheet" href="/shared/base.css"><link rel="stylesheet" href="/login/login.css"></head>
            <body><main><img src="/shared/mark.svg" alt="" width="64" height="64">
            <h1>\(htmlEscaped(title))</h1><p>\(htmlEscaped(sentence))</p>
            \(links)
            </main></body></html>

            """
        return WebResponse(status: status, contentType: "text/html; charset=utf-8", body: Array(html.utf8))
    }

    private static func htmlEscaped(_ text: String) -> String {
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
