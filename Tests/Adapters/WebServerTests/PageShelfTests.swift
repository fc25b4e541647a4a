import Basics
import Foundation
import NIOCore
import Testing

@testable import WebServer

@Suite struct PageShelfTests {
    @Test func pagesAreFoundByNameWithOrWithoutEnding() throws {
        let folder = try PageFolder()
        let shelf = try PageStore(path: folder.path)
        #expect(shelf.findPage("/console")?.contentType == "text/html; charset=utf-8")
        #expect(shelf.findPage("/console.html") != nil && shelf.findPage("/console/main.js") != nil)
        #expect(
            shelf.findPage("/nothing") == nil && shelf.findPage("/console/main") == nil
                && shelf.findPage("/") == nil)
    }

    @Test func hiddenFilesLinksAndWhatLiesOutsideAreNoPages() throws {
        let folder = try PageFolder()
        let shelf = try PageStore(path: folder.path)
        for path in ["/.hidden", "/link.txt", "/../secret.txt", "/secret.txt", "/console/../console.html"] {
            #expect(shelf.findPage(path) == nil, "\(path)")
        }
    }

    @Test func missingFolderIsASentence() {
        #expect(throws: WebError.unreadablePages(path: "/nowhere", reason: "there is no such folder")) {
            try PageStore(path: "/nowhere")
        }
    }

    @Test func severalFoldersAreOneShelf() throws {
        let (console, stand) = (try PageFolder(), try StandPages())
        let shelf = try PageStore(folders: [console.path, stand.path])
        #expect(shelf.findPage("/console") != nil && shelf.findPage("/console/main.js") != nil)
        #expect(
            shelf.findPage("/stand") != nil && shelf.findPage("/stand/main.js") != nil
                && shelf.findPage("/.hidden") == nil)
    }

    @Test func pageInTwoFoldersIsASentence() throws {
        let (first, second) = (try StandPages(), try StandPages())
        try FileManager.default.removeItem(atPath: second.path + "/stand.html")
        let twice = ExplainedError(
            "The page stand/main.js lies in "
                + "\(([first.path, second.path]).joined(separator: " and in ")); delete the folders "
                + "baton_*.resources beside the program and install it again.")
        #expect(throws: twice) { try PageStore(folders: [first.path, second.path]) }
        #expect(twice.sentence.contains("stand/main.js") && twice.sentence.contains(second.path))
    }

    @Test func allFoldersTogetherShareOneBound() throws {
        let (console, stand) = (try PageFolder(), try StandPages())
        let half = Data(count: PageStore.mostTotalBytes / 2)
        try half.write(to: URL(filePath: console.path + "/half.png"))
        try half.write(to: URL(filePath: stand.path + "/other.png"))
        #expect(throws: ExplainedError.self) { try PageStore(folders: [console.path, stand.path]) }
        #expect(throws: Never.self) { try PageStore(folders: [console.path]) }
        #expect(throws: Never.self) { try PageStore(folders: [stand.path]) }
    }

    @Test func everyFolderOfPagesBesideTheProgramIsFound() throws {
        let program = try StandPages()
        let stand = try program.makeFolder("baton_Stands.resources/Pages")
        let console = try program.makeFolder("baton_Console.resources/Pages")
        for other in ["baton_Score.resources", "other_Stands.resources/Pages"] {
            _ = try program.makeFolder(other)
        }
        #expect(try PageStore.findInstalledPageFolders(beside: program.path) == [console, stand])
    }

    @Test func installationMayHaveOneFolderForAllPages() throws {
        let root = try StandPages()
        let program = try root.makeFolder("bin")
        let missing = WebError.unreadablePages(
            path: program + "/baton_*.resources/Pages", reason: "there is no such folder")
        #expect(throws: missing) { try PageStore.findInstalledPageFolders(beside: program) }
        _ = try root.makeFolder("share/baton/Pages")
        #expect(
            try PageStore.findInstalledPageFolders(beside: program) == [program + "/../share/baton/Pages"])
    }

    @Test(arguments: [
        "/", "/console", "/edit", "/library", "/login", "/poster", "/rehearsal", "/report",
        "/shared/stream.js", "/stand",
        "/stand-sw.js", "/sw.js", "/manifest.webmanifest",
    ])
    func pagesOfEveryServiceLieBesideTheProgram(path: String) throws {
        #expect(try PageStore(path: nil).findPage(path) != nil)
    }

    @Test func tagChangesWithTheContent() {
        let tags = ["a", "b", "aa"].map { WebPageFile(name: "x.js", body: Array($0.utf8)).entityTag }
        #expect(Set(tags).count == 3)
    }
}

/// A folder with the page of a stand; its owner deletes it.
private final class StandPages {
    let path = FileManager.default.temporaryDirectory.appending(path: "stand-\(UUID().uuidString)").path

    init() throws {
        _ = try makeFolder("stand")
        try Data("<!doctype html><title>Stand</title>".utf8).write(to: URL(filePath: path + "/stand.html"))
        try Data("export const pages = 2;\n".utf8).write(to: URL(filePath: path + "/stand/main.js"))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func makeFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
        return "\(path)/\(name)"
    }
}
