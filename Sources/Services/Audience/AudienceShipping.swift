import Catalogue
import Concert
import Content
import Digests
import MessageBroker
import Podium
import Synchronization

/// Publishes the audience's files to the broker: first the parts of each file, then the manifest that lists them.
final class AudienceShipping: Sendable {
    /// The limit for all files together, in bytes; the broker's client holds them in memory.
    static let mostBytes = 32 << 20

    private struct Shipped {
        var content: ContentServed?
        /// The file that was published last in each slot, which is a group of topics at the broker.
        var slots: [String: RelayManifest.File] = [:]
        var client: BrokerClient?
    }

    private let topics: RelayTopics
    private let shelf: AssetStore
    private let trouble: @Sendable (TechnicalFault) -> Void
    private let shipped = Mutex(Shipped())

    init(topics: RelayTopics, shelf: AssetStore, trouble: @escaping @Sendable (TechnicalFault) -> Void) {
        self.topics = topics
        self.shelf = shelf
        self.trouble = trouble
    }

    /// Publishes what has changed since the last call.
    /// - Cost: a few milliseconds and the bytes of the changed files; not for the show engine's thread.
    func ship(_ content: ContentServed, by client: BrokerClient) {
        shipped.withLock { shipped in
            if shipped.client !== client { shipped = Shipped(client: client) }
            var (files, left, total) = ([RelayManifest.File](), [String](), 0)
            for cargo in cargo(of: content) {
                total += cargo.byteCount
                guard cargo.byteCount <= RelayParcel.mostBytes, total <= Self.mostBytes,
                    files.count < RelayManifest.mostFiles
                else {
                    left.append(cargo.path)
                    total -= cargo.byteCount
                    continue
                }
                let file = RelayManifest.File(
                    path: cargo.path, type: cargo.type, digest: cargo.digest, byteCount: cargo.byteCount)
                if shipped.slots[file.slot] != file {
                    guard let bytes = cargo.bytes() else { continue }
                    put(bytes, as: file, insteadOf: shipped.slots[file.slot], by: client)
                    shipped.slots[file.slot] = file
                }
                files.append(file)
            }
            let changed =
                shipped.content.map { $0.id == content.id ? content.changed(since: $0) : nil }
                ?? content.pieces.keys.sorted()
            let manifest = RelayManifest(revision: content.revision, changed: changed ?? [], files: files)
            try? client.publish(manifest.payload, to: topics.manifest, isRetained: true)
            shipped.content = content
            clear(shipped.slots, but: files, by: client)
            let kept = Set(files.map(\.slot))
            shipped.slots = shipped.slots.filter { kept.contains($0.key) }
            if !left.isEmpty {
                trouble(
                    TechnicalFault(
                        id: "relay-files",
                        sentence:
                            "\(left.joined(separator: ", ")): too large for relays, whose listeners do not see "
                            + "them; keep a file below \(RelayParcel.mostBytes >> 20) MB and all below "
                            + "\(Self.mostBytes >> 20) MB."))
            }
        }
    }

    private func put(
        _ bytes: [UInt8], as file: RelayManifest.File, insteadOf old: RelayManifest.File?,
        by client: BrokerClient
    ) {
        for (number, part) in RelayParcel.cut(bytes, digest: file.digest).enumerated() {
            try? client.publish(part, to: topics.part(number, of: file.slot), isRetained: true)
        }
        for number in file.partCount..<max(file.partCount, old?.partCount ?? 0) {
            try? client.publish([], to: topics.part(number, of: file.slot), isRetained: true)
        }
    }

    /// Deletes the parts of files that are no longer listed: an empty payload removes a retained message from the
    /// broker.
    private func clear(
        _ slots: [String: RelayManifest.File], but files: [RelayManifest.File], by client: BrokerClient
    ) {
        let kept = Set(files.map(\.slot))
        for (slot, file) in slots where !kept.contains(slot) {
            for number in 0..<file.partCount {
                try? client.publish([], to: topics.part(number, of: slot), isRetained: true)
            }
        }
    }

    private struct Cargo {
        var path: String
        var type: String
        var digest: String
        var byteCount: Int
        var bytes: () -> [UInt8]?

        init(path: String, type: String, bytes: [UInt8]) {
            self.path = path
            self.type = type
            digest = Digest(of: bytes).description
            byteCount = bytes.count
            self.bytes = { bytes }
        }

        init(_ asset: ContentAsset, shelf: AssetStore) {
            path = (asset.place == .images ? "/images/" : "/images/AppAssets/") + asset.name.text
            type = asset.type
            digest = asset.digest
            byteCount = asset.byteCount
            bytes = { shelf.bytes(of: asset.digest) }
        }
    }

    /// All files of the audience, texts first.
    private func cargo(of content: ContentServed) -> [Cargo] {
        let concert = content.document.concert
        let listed = concert.pieces.map(\.name).filter { $0.concertNameFault?.isRefused != true }
        var cargo = [
            Cargo(
                path: RelayManifest.concert, type: "application/json",
                bytes: AudienceConcert.json(content.concert)),
            Cargo(
                path: RelayManifest.pieceList, type: "text/plain; charset=utf-8",
                bytes: (try? ContentXMLWriter.pieceList(listed)) ?? []),
            Cargo(
                path: RelayManifest.pieces, type: "application/xml",
                bytes: ContentXMLWriter.concert(concert.pieces)),
            Cargo(
                path: RelayManifest.glossary, type: "application/xml",
                bytes: GlossaryXMLWriter.glossary(concert.glossary)),
        ]
        cargo += content.document.assets.map { Cargo($0, shelf: shelf) }
        if let notes = content.notes {
            // Phone apps request the programme notes by this one name, whatever their file is called.
            let place = "/images/AppAssets/\(ContentFile.notes)"
            cargo.removeAll { $0.path == place }
            var notes = Cargo(notes, shelf: shelf)
            notes.path = place
            cargo.append(notes)
        }
        return cargo
    }
}
