import Testing

@testable import WebServer

@Suite struct ErrorPageTests {
    private func text(_ answer: WebResponse) -> String { String(decoding: answer.body, as: UTF8.self) }

    private func person(_ role: WebRole, _ name: String = "Mia") -> WebPerson {
        WebPerson(id: "1", name: name, role: role)
    }

    @Test(arguments: [
        (WebRole.musician, ["/stand"]), (.technician, ["/console", "/stand"]),
        (.editor, ["/console", "/edit", "/prepare", "/library", "/stand"]),
    ]) func aRefusalLeadsToThePagesTheAccountIsFor(role: WebRole, paths: [String]) {
        #expect(ErrorPage.pageLinks(of: person(role)).map(\.path) == paths)
        let page = text(ErrorPage.notAllowed(person(role)))
        #expect(page.contains("href=\"/console\"") == paths.contains("/console"))
        #expect(page.contains("href=\"/login\""))
    }

    @Test func aNameIsTextAndNothingElse() {
        let page = text(ErrorPage.notAllowed(person(.musician, "<b>&\"")))
        #expect(page.contains("“&lt;b&gt;&amp;&quot;” may not open this page."))
    }

    @Test func whoIsLostIsLedToTheConcertAndNotToTheDesk() {
        let page = text(ErrorPage.notFound)
        #expect(page.contains("href=\"/\"") && !page.contains("href=\"/console\""))
    }
}
