import Basics
import Foundation
import Testing

@testable import Practice
@testable import WebServer

/// Files of other programs come and go by one address, a few at a time.
@Suite struct TabConvertRouteTests {
    /// Gives back what it got, once it may.
    private struct Echo: TabConverting {
        var begun: AsyncStream<Void>.Continuation?
        var mayGo: AsyncStream<Void>?

        func convert(
            _ bytes: [UInt8], fileName: String, to ending: String
        ) async throws(ExplainedError) -> ConvertedTab {
            begun?.yield()
            if let mayGo { for await _ in mayGo { break } }
            guard fileName.hasSuffix(".gp5") else { throw ExplainedError("\(fileName) is no tab.") }
            return ConvertedTab(bytes: bytes, contentType: "text/plain", remarks: ["Über alles.", "Two"])
        }
    }

    private static func ask(
        _ route: WebRoute, _ name: String = "a.gp5", by account: String? = "ines"
    ) async throws -> WebResponse {
        return await route.response(
            to: WebRequest(
                path: route.path, pathParameters: [:], queryParameters: ["name": name, "to": "json"],
                rawQuery: "",
                person: account.map { WebPerson(id: $0, name: $0, role: .musician) }, sessionToken: nil,
                deviceMark: nil,
                visitorAddress: "192.0.2.7", isOwnMachine: false, contentType: "", origin: "", body: [1, 2],
                uploadedFile: nil))
    }

    @Test func aFileIsConvertedAndItsRemarksAreSaid() async throws {
        let answer = try await Self.ask(TabConvertRoute(Echo()).routes[0])
        #expect(answer.status == 200 && answer.body == [1, 2])
        let said = try #require(answer.headerFields.first?.value)
        #expect(said == "%C3%9Cber alles.%0ATwo")
        #expect(said.removingPercentEncoding == "Über alles.\nTwo")
    }

    @Test func whoeverIsNotSignedInImportsASmallFileToo() async throws {
        let route = TabConvertRoute(Echo()).routes[1]
        #expect(route.access == .anybody && route.bodyLimitBytes == TabConvertRoute.mostBytesOfStrangers)
        #expect(try await Self.ask(route, by: nil).status == 200)
    }

    @Test func remarksAreCutAtTheEndOfALetter() throws {
        let said = TabConvertRoute.headerText(["“100 %”\n" + String(repeating: "é", count: 3_000)])
        #expect(said.hasPrefix("%E2%80%9C100 %25%E2%80%9D %C3%A9"))
        #expect(said.utf8.count <= TabConvertRoute.mostHeaderBytes)
        #expect(try #require(said.removingPercentEncoding).hasSuffix("é"))
    }

    @Test func whatIsNoTabIsRefusedWithItsSentence() async throws {
        let answer = try await Self.ask(TabConvertRoute(Echo()).routes[0], "a.exe")
        #expect(answer.status == 422)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("a.exe is no tab."))
        #expect(try await Self.ask(TabConvertRoute(Echo()).routes[0], "").status == 400)
    }

    @Test(.timeLimit(.minutes(1))) func onePersonConvertsOneFileAtATime() async throws {
        let (begun, isBegun) = AsyncStream<Void>.makeStream()
        let (mayGo, go) = AsyncStream<Void>.makeStream()
        let route = TabConvertRoute(Echo(begun: isBegun, mayGo: mayGo)).routes[0]
        async let first = Self.ask(route)
        for await _ in begun { break }
        #expect(try await Self.ask(route).status == 503)
        go.yield()
        go.finish()
        #expect(try await first.status == 200)
    }
}
