import Basics
import Catalogue
import Content
import Hosting
import Podium
import Score
import ServiceLifecycle
import WebServer

/// The editor service: editing and publishing the concerts of the catalogue.
package struct EditorService: HostedService {
    package let concertEditor: ConcertEditor
    /// Limits of editors' uploads; nil for no limits.
    let uploadQuota: UploadQuota?
    private let programmeOutput: ProgrammeChangeOutput?
    private let sections: SectionsTaker?

    /// The programme that is followed, and where the content of its pieces is.
    package struct FollowedProgramme: Sendable {
        var atStart: ShowProgramme
        var recordingsFolderPath: String
        var modelsFolderPath: String
        /// Prints a sentence for the operator.
        var say: @Sendable (String) -> Void

        package init(
            atStart: ShowProgramme, recordingsFolderPath: String, modelsFolderPath: String,
            say: @escaping @Sendable (String) -> Void
        ) {
            self.atStart = atStart
            self.recordingsFolderPath = recordingsFolderPath
            self.modelsFolderPath = modelsFolderPath
            self.say = say
        }
    }

    /// - Parameters:
    ///   - programme: nil if the programme never changes.
    ///   - sections: nil if no show takes them.
    package init(
        _ desk: ConcertEditor, quota: UploadQuota?, programme: FollowedProgramme? = nil,
        sections: SectionsTaker? = nil
    ) {
        self.sections = sections
        self.concertEditor = desk
        self.uploadQuota = quota
        programmeOutput = programme.map { followed in
            ProgrammeChangeOutput(known: followed.atStart) { changed, secret, isActiveServer in
                let start = InitialContent(
                    recordingsFolderPath: followed.recordingsFolderPath,
                    modelsFolderPath: followed.modelsFolderPath, programme: changed,
                    secret: secret)
                desk.publisher.keepSecret(start.secretNames)
                // A backup gets its content from the active server.
                guard isActiveServer else { return desk.setFollowedReferences(start.references) }
                let added = AddedPieces(desk: desk, programme: start, earlierNames: desk.followedNames)
                for note in await added.addToServedConcert() { followed.say(note + "\n") }
                do { try await Self.publish(start, desk, say: followed.say) } catch {
                    followed.say("The content of the concert cannot be shown: \(error)\n")
                }
            }
        }
    }

    package var showOutputs: [any ShowOutput] { programmeOutput.map { [$0] } ?? [] }

    /// Opens the catalogue's concerts. The first start creates a concert from the files stored with the recordings.
    /// - Parameters:
    ///   - previousNames: the pieces of the show before a new one. Pieces that are new tonight are added to the concert
    ///     that listeners find; nil adds none.
    ///   - say: prints a sentence for the operator.
    package static func open(
        catalogue: CatalogueStore, data: String, start: InitialContent, previousNames: [PieceName]? = nil,
        isShowLocked: @escaping @Sendable () -> Bool, say: (String) -> Void
    ) async throws -> ConcertEditor {
        let desk = try ConcertEditor(
            catalogue: catalogue, data: data, recordings: start.recordingsFolderPath,
            models: start.modelsFolderPath,
            isShowLocked: isShowLocked)
        desk.publisher.keepSecret(start.secretNames)
        try await publish(start, desk, say: say)
        if let previousNames {
            let added = AddedPieces(desk: desk, programme: start, earlierNames: previousNames)
            let notes = await added.addToServedConcert()
            for note in notes { say(note + "\n") }
            if !notes.isEmpty { try await publish(start, desk, say: say) }
        }
        return desk
    }

    private static func publish(_ start: InitialContent, _ desk: ConcertEditor, say: (String) -> Void)
        async throws
    {
        do {
            for note in try await start.createIfEmptyAndPublish(desk) { say(note + "\n") }
        } catch let failure as any Explained {
            // An error in the texts must not prevent following the music.
            say("The content of the concert cannot be shown: \(failure.sentence)\n")
        }
    }

    package var routes: [WebRoute] {
        ContentEditRoutes(concertEditor: concertEditor, uploadQuota: uploadQuota).routes
    }

    package var replicatedStores: [ReplicatedStore] {
        [
            ReplicatedStore(.catalogue, sharedAssetStore: ("assets", concertEditor.assetStore)) {
                [concertEditor] tables in
                guard !tables.isDisjoint(with: ["all", "concert", "servedConcert", "contentEdit"]) else {
                    return
                }
                await concertEditor.republishFromDisk()
            }
        ]
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup { tasks in
                tasks.addTask { await concertEditor.watchForChanges() }
                if let sections { tasks.addTask { await watchSections(sections) } }
            }
        }
    }
}
