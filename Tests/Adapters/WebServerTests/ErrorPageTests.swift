import Testing

@testable import WebServer

@Suite struct ErrorPageTests {
    private func text(_ answer: WebResponse) -> String { String(decoding: answer.body, as: UTF8.self) }

    private func person(_ role: WebRole, _ name: String = "Mia") -> WebPerson {
        WebPerson(id: "1", name: name, role: role)
    }

    @Test(arguments: [
        (
            WebRole.musician, ["/stand", "/practice", "/diary", "/account"],
            ["/console", "/library", "/start"]
        ),
        (.technician, ["/console", "/stand", "/recordings", "/start"], ["/edit", "/library", "/accounts"]),
        (.editor, ["/console", "/edit", "/prepare", "/library", "/accounts", "/stand"], ["/recordings"]),
        (.administrator, ["/console", "/edit", "/recordings", "/accounts", "/start"], []),
    ]) func aRefusalLeadsToThePagesTheAccountIsFor(role: WebRole, open: [String], closed: [String]) {
        let paths = HousePage.pages(for: person(role)).map(\.path)
        #expect(Set(open).isSubset(of: paths) && Set(closed).isDisjoint(with: paths))
        let page = text(ErrorPage.notAllowed(person(role)))
        for path in open { #expect(page.contains("href=\"\(path)\"")) }
        for path in closed { #expect(!page.contains("href=\"\(path)\"")) }
        #expect(page.contains("href=\"/login?another\""))
    }

    @Test func theHouseHasThreeDoorsAndEverybodysOwnPages() {
        func doors(_ role: WebRole) -> [String] {
            HousePage.pages(for: person(role)).map { $0.door?.rawValue ?? "own" }
                .reduce(into: []) { found, door in if found.last != door { found.append(door) } }
        }
        #expect(doors(.administrator) == ["Tonight", "Pieces", "People and place", "own"])
        #expect(doors(.editor) == ["Tonight", "Pieces", "People and place", "own"])
        #expect(doors(.technician) == ["Tonight", "People and place", "own"])
        #expect(doors(.musician) == ["own", "Tonight"])
    }

    @Test func whoMayOnlyLookIsToldSoByThePagesWords() {
        func purpose(_ path: String, _ role: WebRole) -> String? {
            HousePage.pages(for: person(role)).first { $0.path == path }?.purpose
        }
        #expect(purpose("/console", .editor) == "See how tonight goes, write cues")
        #expect(purpose("/titles", .editor) == "See what is shown, load lists")
        for role in [WebRole.technician, .administrator] {
            #expect(purpose("/console", role) == "Run tonight's performance")
        }
    }

    @Test func aNameIsTextAndNothingElse() {
        let page = text(ErrorPage.notAllowed(person(.musician, "<b>&\"")))
        #expect(page.contains("“&lt;b&gt;&amp;&quot;” may not open this page."))
    }

    @Test func aRefusalSaysWhoMayOpenThePage() {
        func page(_ path: String) -> String {
            text(ErrorPage.notAllowed(person(.musician), access: PageRules.access(to: path)))
        }
        #expect(
            page("/prepare").contains(" It needs an editor or administrator; an administrator gives roles on")
        )
        #expect(page("/console").contains(" It needs a technician, editor or administrator; "))
    }

    @Test func whoIsLostIsLedToTheConcertAndNotToTheDesk() {
        let page = text(ErrorPage.notFound)
        #expect(page.contains("href=\"/\"") && !page.contains("href=\"/console\""))
    }
}
