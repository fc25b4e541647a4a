import Catalogue
import Concert
import Content
import NetworkLinks
import Platform
import Podium
import Synchronization

/// Publishes the audience's files to the broker: first the parts of each file, then the manifest that lists them.
final class RelayFilePublisher: Sendable {
    /// The limit for all files together, in bytes; the broker's client holds them in memory.
    static let maximumTotalBytes = 32 << 20

    private struct PublishedFiles {
        var lastContent: PublishedConcert?
        /// The last file published, by slot: the group of broker topics that carries one file's parts.
        var publishedFilesBySlot: [String: RelayManifest.File] = [:]
        var lastBrokerClient: MQTTClient?
    }

    private let topics: RelayTopics
    private let assetStore: AssetStore
    private let reportFault: @Sendable (TechnicalFault) -> Void
    private let lastPublished = Mutex(PublishedFiles())

    init(
        topics: RelayTopics, assetStore: AssetStore, reportFault: @escaping @Sendable (TechnicalFault) -> Void
    ) {
        self.topics = topics
        self.assetStore = assetStore
        self.reportFault = reportFault
    }

    /// Publishes what has changed since the last call.
    /// - Cost: a few milliseconds and the bytes of the changed files; not for the show engine's thread.
    func publishChanges(_ content: PublishedConcert, by client: MQTTClient) {
        lastPublished.withLock { published in
            if published.lastBrokerClient !== client { published = PublishedFiles(lastBrokerClient: client) }
            var (files, left, total) = ([RelayManifest.File](), [String](), 0)
            for outgoingFiles in outgoingFiles(of: content) {
                total += outgoingFiles.byteCount
                guard outgoingFiles.byteCount <= RelayFileParts.maximumFileBytes,
                    total <= Self.maximumTotalBytes,
                    files.count < RelayManifest.maximumFileCount
                else {
                    left.append(outgoingFiles.path)
                    total -= outgoingFiles.byteCount
                    continue
                }
                let file = RelayManifest.File(
                    path: outgoingFiles.path, type: outgoingFiles.type, digest: outgoingFiles.digest,
                    byteCount: outgoingFiles.byteCount)
                if published.publishedFilesBySlot[file.slot] != file {
                    guard let bytes = outgoingFiles.readBytes() else { continue }
                    publishParts(
                        bytes, as: file, insteadOf: published.publishedFilesBySlot[file.slot], by: client)
                    published.publishedFilesBySlot[file.slot] = file
                }
                files.append(file)
            }
            let changed =
                published.lastContent.map { $0.id == content.id ? content.changedPieceNames(since: $0) : nil }
                ?? content.audiencePiecesByName.keys.sorted()
            let manifest = RelayManifest(revision: content.revision, changed: changed ?? [], files: files)
            try? client.publish(manifest.jsonPayload, to: topics.manifestTopic, isRetained: true)
            published.lastContent = content
            deleteUnlistedParts(published.publishedFilesBySlot, but: files, by: client)
            let kept = Set(files.map(\.slot))
            published.publishedFilesBySlot = published.publishedFilesBySlot.filter { kept.contains($0.key) }
            if !left.isEmpty {
                reportFault(
                    TechnicalFault(
                        id: "relay-files",
                        sentence:
                            "\(left.joined(separator: ", ")): too large for relays, whose listeners do not see "
                            + "them; keep a file below \(RelayFileParts.maximumFileBytes >> 20) MB and all below "
                            + "\(Self.maximumTotalBytes >> 20) MB."))
            }
        }
    }

    /// Publishes that there is no concert any more. The parts of its files stay at the broker: a relay may be fetching
    /// them, and would wait for each that is missing; the next concert replaces them.
    func withdrawFiles(by client: MQTTClient) {
        lastPublished.withLock { published in
            guard published.lastBrokerClient === client else { return }
            let manifest = RelayManifest(revision: RelayManifest.noConcert, changed: [], files: [])
            try? client.publish(manifest.jsonPayload, to: topics.manifestTopic, isRetained: true)
            published.lastContent = nil
        }
    }

    private func publishParts(
        _ bytes: [UInt8], as file: RelayManifest.File, insteadOf old: RelayManifest.File?,
        by client: MQTTClient
    ) {
        for (number, part) in RelayFileParts.splitIntoParts(bytes, digest: file.digest).enumerated() {
            try? client.publish(part, to: topics.partTopic(number, of: file.slot), isRetained: true)
        }
        for number in file.partCount..<max(file.partCount, old?.partCount ?? 0) {
            try? client.publish([], to: topics.partTopic(number, of: file.slot), isRetained: true)
        }
    }

    /// Deletes the parts of files that are no longer listed: publishing an empty payload removes a retained message
    /// from the broker.
    private func deleteUnlistedParts(
        _ slots: [String: RelayManifest.File], but files: [RelayManifest.File], by client: MQTTClient
    ) {
        let kept = Set(files.map(\.slot))
        for (slot, file) in slots where !kept.contains(slot) {
            for number in 0..<file.partCount {
                try? client.publish([], to: topics.partTopic(number, of: slot), isRetained: true)
            }
        }
    }

    private struct OutgoingFile {
        var path: String
        var type: String
        var digest: String
        var byteCount: Int
        var readBytes: () -> [UInt8]?

        init(path: String, type: String, bytes: [UInt8]) {
            self.path = path
            self.type = type
            digest = Digest(of: bytes).description
            byteCount = bytes.count
            self.readBytes = { bytes }
        }

        init(_ asset: ContentAsset, shelf: AssetStore) {
            path = (asset.folder == .images ? "/images/" : "/images/AppAssets/") + asset.name.text
            type = asset.mediaType
            digest = asset.digest
            byteCount = asset.byteCount
            readBytes = { shelf.bytes(of: asset.digest) }
        }
    }

    /// All files of the audience, texts first.
    private func outgoingFiles(of content: PublishedConcert) -> [OutgoingFile] {
        let concert = content.catalogueConcert.concert
        let listed = concert.pieces.map(\.name).filter { $0.concertNameFault?.isRefused != true }
        var outgoingFiles = [
            OutgoingFile(
                path: RelayManifest.concertPath, type: "application/json",
                bytes: AudienceConcert.encodeJSON(content.audienceConcert)),
            OutgoingFile(
                path: RelayManifest.pieceListPath, type: "text/plain; charset=utf-8",
                bytes: (try? ContentXMLWriter.writePieceList(listed)) ?? []),
            OutgoingFile(
                path: RelayManifest.piecesXMLPath, type: "application/xml",
                bytes: ContentXMLWriter.writeConcert(concert.pieces)),
            OutgoingFile(
                path: RelayManifest.glossaryPath, type: "application/xml",
                bytes: GlossaryXMLWriter.writeGlossary(concert.glossary)),
        ]
        outgoingFiles += content.catalogueConcert.assets.map { OutgoingFile($0, shelf: assetStore) }
        if let notes = content.programmeNotesAsset {
            // Phone apps request the programme notes by this one name, whatever their file is called.
            let place = "/images/AppAssets/\(ConcertFileResponses.notesFileName)"
            outgoingFiles.removeAll { $0.path == place }
            var notes = OutgoingFile(notes, shelf: assetStore)
            notes.path = place
            outgoingFiles.append(notes)
        }
        return outgoingFiles
    }
}
