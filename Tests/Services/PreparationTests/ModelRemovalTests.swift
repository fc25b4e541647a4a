import Foundation
import Testing

@testable import Preparation
@testable import WebServer

/// A prepared piece can be removed, by those who may prepare, and had back; not while the show has it on its programme.
@Suite struct ModelRemovalTests {
    private static let models = "/api/prepare/models"
    private struct Kept: Encodable { var kept: String }

    /// A stage with a model in the folder `minuet`.
    private func makeStage(isOnProgramme: Bool = false) throws -> (stage: PreparationStage, model: String) {
        let stage = try PreparationStage(isOnProgramme: { isOnProgramme && $0 == "minuet" })
        try stage.makeModel(in: "minuet")
        return (stage, stage.folder + "/Models/minuet")
    }

    @Test func aRemovedModelIsKeptAsideAndComesBack() async throws {
        let (stage, model) = try makeStage()
        let answer = try await stage.ask(.delete, Self.models + "/minuet")
        let kept = try #require(answer.json["kept"] as? String, "\(answer)")
        #expect(!FileManager.default.fileExists(atPath: model))
        #expect(FileManager.default.fileExists(atPath: stage.folder + "/Models/.removed/\(kept)/model.json"))
        #expect(try await stage.ask(.delete, Self.models + "/minuet").json["code"] as? String == "no-model")
        let back = try await stage.ask(.post, Self.models, Kept(kept: kept))
        #expect(back.json["folder"] as? String == "minuet")
        #expect(FileManager.default.fileExists(atPath: model + "/model.json"))
    }

    @Test func aPieceWhoseModelWasRemovedIsNoLongerShownAsPrepared() async throws {
        let (stage, _) = try makeStage()
        let piece = try await stage.makePieceWithTwoBars()
        try await stage.service.library.change(piece) { record in
            record.prepared = PreparedState(folder: "Models/minuet", revision: record.revision, at: 1)
            return nil
        }
        let place = "/api/prepare/pieces/\(piece)"
        #expect(try await stage.ask(.get, place).json["prepared"] is [String: Any])
        let kept = try await stage.ask(.delete, Self.models + "/minuet").json["kept"] as? String
        #expect(try await stage.ask(.get, place).json["prepared"] is NSNull)
        _ = try await stage.ask(.post, Self.models, Kept(kept: try #require(kept)))
        #expect(try await stage.ask(.get, place).json["prepared"] is [String: Any])
    }

    @Test func aModelOnTheProgrammeStays() async throws {
        let (stage, model) = try makeStage(isOnProgramme: true)
        let answer = try await stage.ask(.delete, Self.models + "/minuet")
        #expect(answer.status == 409 && answer.json["code"] as? String == "on-programme")
        #expect(FileManager.default.fileExists(atPath: model))
    }

    @Test func aNewModelInTheSameFolderIsNotOverwritten() async throws {
        let (stage, model) = try makeStage()
        let kept = try await stage.ask(.delete, Self.models + "/minuet").json["kept"] as? String
        try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
        try Data("new".utf8).write(to: URL(fileURLWithPath: model + "/model.json"))
        let answer = try await stage.ask(.post, Self.models, Kept(kept: try #require(kept)))
        #expect(answer.json["code"] as? String == "folder-taken")
        #expect(FileManager.default.contents(atPath: model + "/model.json") == Data("new".utf8))
    }

    @Test(arguments: ["..", "../x", "minuet", "a.b/c", ".x", ""]) func noOtherFolderIsMoved(name: String)
        async throws
    {
        let (stage, _) = try makeStage()
        #expect(
            try await stage.ask(.post, Self.models, Kept(kept: name)).json["code"] as? String == "no-model")
    }

    @Test func onlyThoseWhoPrepareRemove() throws {
        let (stage, _) = try makeStage()
        for route in stage.service.routes where route.path.hasPrefix(Self.models) {
            #expect(route.access == PreparationService.access, "\(route.path)")
        }
    }
}
