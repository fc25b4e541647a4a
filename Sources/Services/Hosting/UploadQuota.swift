import Catalogue
import Foundation
import Synchronization
import WebServer

/// Limits how much storage each role may fill, for each kind of upload.
///
/// The limit applies to everything stored of a kind, no matter who uploaded it. Editors stop at their limit;
/// administrators have twice as much, so that they can always add something. Technicians and musicians upload
/// nothing, which the routes enforce; rooms have limits of their own. Recordings are not uploaded.
package final class UploadQuota: Sendable {
    package enum UploadKind: String, CaseIterable, Sendable {
        case assets, scores, slides
    }

    package struct StoredAmount: Equatable, Sendable {
        var count = 0
        var bytes = 0

        mutating func add(_ other: StoredAmount) {
            count += other.count
            bytes += other.bytes
        }
    }

    /// The limits for editors. Administrators get twice as much, other roles nothing.
    static let editorLimits: [UploadKind: StoredAmount] = [
        .assets: StoredAmount(count: 5_000, bytes: 4 << 30),
        .scores: StoredAmount(count: 20_000, bytes: 8 << 30),
        .slides: StoredAmount(count: 100_000, bytes: 256 << 20),
    ]

    package static func limit(_ kind: UploadKind, for role: WebRole) -> StoredAmount {
        let editors = editorLimits[kind] ?? StoredAmount()
        return switch role {
        case .editor: editors
        case .administrator: StoredAmount(count: editors.count * 2, bytes: editors.bytes * 2)
        case .technician, .titleOperator, .musician: StoredAmount()
        }
    }

    /// A counted amount is reused for this time, unless an upload has ended meanwhile.
    private static let measurementLifetime = Duration.seconds(2)
    private static let mostMeasurements = 3

    private struct Counts {
        var measured: (amount: StoredAmount, at: ContinuousClock.Instant)?
        /// What has begun to arrive and is not stored yet.
        var begun = StoredAmount()
        /// The number of uploads that have ended. A measurement that began before the last end may lack its file.
        var endCount = 0
    }

    private let measureStoredAmount: @Sendable (UploadKind) async -> StoredAmount
    private let counts = Mutex<[UploadKind: Counts]>([:])

    /// Creates a quota that measures stored amounts by a closure.
    /// - Parameter measureStoredAmount: returns the amount that is stored now of a kind of upload.
    package init(measureStoredAmount: @escaping @Sendable (UploadKind) async -> StoredAmount) {
        self.measureStoredAmount = measureStoredAmount
    }

    package convenience init(catalogue: CatalogueStore, assets: AssetStore, scores: AssetStore) {
        self.init { kind in
            switch kind {
            case .assets: await UploadQuota.measureFiles(in: assets.folder)
            case .scores: await UploadQuota.measureFiles(in: scores.folder)
            case .slides:
                // If the catalogue cannot be read, the later write fails by itself.
                (try? await catalogue.slideCountAndBytes()).map {
                    StoredAmount(count: $0.count, bytes: $0.bytes)
                }
                    ?? StoredAmount()
            }
        }
    }

    /// Takes room for an upload within the limit of the person's role. Everything that has begun counts, until it is
    /// stored or given up: of two uploads at the same time, only one gets the last place.
    /// - Parameters:
    ///   - adding: the number of new items.
    ///   - bytes: the bytes that the upload adds.
    /// - Returns: the room, which the upload keeps until its files are stored, or the response that refuses it.
    package func begin(_ kind: UploadKind, by person: WebPerson?, adding: Int, bytes: Int) async
        -> UploadAdmission
    {
        guard let person else { return .refused(.refused(401, "sign-in", "Sign in first.")) }
        let (stored, most) = (await storedAmount(kind), Self.limit(kind, for: person.role))
        let wanted = StoredAmount(count: adding, bytes: bytes)
        let now = counts.withLock { counts -> StoredAmount? in
            var now = counts[kind, default: Counts()].begun
            now.add(stored)
            guard now.count + adding > most.count || now.bytes + bytes > most.bytes else {
                counts[kind, default: Counts()].begun.add(wanted)
                return nil
            }
            return now
        }
        guard let now else { return .admitted(BegunUpload { [self] in end(kind, wanted) }) }
        return .refused(
            .refused(
                507, "quota",
                "There are \(now.count) \(kind.rawValue) of \(now.bytes >> 20) MB on the server, with those that are "
                    + "being sent; somebody who is \(person.role.rawValue) may fill it up to \(most.count) and "
                    + "\(most.bytes >> 20) MB. Remove some, or ask an administrator."))
    }

    private func end(_ kind: UploadKind, _ amount: StoredAmount) {
        counts.withLock { counts in
            counts[kind]?.begun.count -= amount.count
            counts[kind]?.begun.bytes -= amount.bytes
            counts[kind]?.endCount += 1
            counts[kind]?.measured = nil
        }
    }

    private func storedAmount(_ kind: UploadKind) async -> StoredAmount {
        var amount = StoredAmount()
        for _ in 0..<Self.mostMeasurements {
            let before = counts.withLock { $0[kind, default: Counts()] }
            if let known = before.measured, .now - known.at < Self.measurementLifetime { return known.amount }
            amount = await measureStoredAmount(kind)
            let isWhole = counts.withLock { [amount] counts in
                guard counts[kind, default: Counts()].endCount == before.endCount else { return false }
                counts[kind, default: Counts()].measured = (amount, .now)
                return true
            }
            if isWhole { break }
        }
        return amount
    }

    /// Counts the files of a folder and their bytes.
    /// - Cost: reads the attributes of every file; a few milliseconds for a thousand files.
    private static func measureFiles(in folder: String) async -> StoredAmount {
        await Task.detached(priority: .utility) {
            let url = URL(fileURLWithPath: folder)
            let files = try? FileManager.default.contentsOfDirectory(
                at: url, includingPropertiesForKeys: [.fileSizeKey, .isRegularFileKey])
            return (files ?? []).reduce(into: StoredAmount()) { amount, file in
                let values = try? file.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
                guard values?.isRegularFile == true else { return }
                amount.count += 1
                amount.bytes += values?.fileSize ?? 0
            }
        }.value
    }
}

/// The room of an upload that has begun. It is given back when the object is released.
package final class BegunUpload: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}

extension WebRoute {
    /// Returns the route with room for each upload within the limit of the person's role. Each request counts as one
    /// item from its beginning to its answer.
    /// - Parameter quota: the limits; nil for none.
    package func limitingUploads(_ kind: UploadQuota.UploadKind, within quota: UploadQuota?) -> WebRoute {
        guard let quota else { return self }
        return admittingUploads { await quota.begin(kind, by: $0, adding: 1, bytes: $1) }
    }
}
