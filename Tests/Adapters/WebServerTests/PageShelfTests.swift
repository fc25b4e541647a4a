import Foundation
import NIOCore
import Testing

@testable import WebServer

@Suite struct PageShelfTests {
    @Test func pagesAreFoundByNameWithOrWithoutEnding() throws {
        let folder = try PageFolder()
        let shelf = try PageShelf(path: folder.path)
        #expect(shelf.page("/console")?.contentType == "text/html; charset=utf-8")
        #expect(shelf.page("/console.html") != nil && shelf.page("/console/main.js") != nil)
        #expect(shelf.page("/nothing") == nil && shelf.page("/console/main") == nil && shelf.page("/") == nil)
    }

    @Test func hiddenFilesLinksAndWhatLiesOutsideAreNoPages() throws {
        let folder = try PageFolder()
        let shelf = try PageShelf(path: folder.path)
        for path in ["/.hidden", "/link.txt", "/../secret.txt", "/secret.txt", "/console/../console.html"] {
            #expect(shelf.page(path) == nil, "\(path)")
        }
    }

    @Test func missingFolderIsASentence() {
        #expect(throws: WebError.pages(path: "/nowhere", reason: "there is no such folder")) {
            try PageShelf(path: "/nowhere")
        }
    }

    @Test func pagesOfTheProgramLieBesideIt() throws { _ = try PageShelf(path: nil) }

    @Test func tagChangesWithTheContent() {
        let tags = ["a", "b", "aa"].map { Page(name: "x.js", body: Array($0.utf8)).tag }
        #expect(Set(tags).count == 3)
    }
}
