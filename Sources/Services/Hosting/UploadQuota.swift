import Catalogue
import Foundation
import Synchronization
import WebServer

/// Limits how much storage each role may fill, for each kind of upload.
///
/// The limit applies to everything stored of a kind, no matter who uploaded it. Editors stop at their limit;
/// administrators have twice as much, so that they can always add something. Technicians and musicians upload
/// nothing, which the routes enforce; rooms have limits of their own. Recordings are not uploaded.
package actor UploadQuota {
    package enum UploadKind: String, CaseIterable, Sendable {
        case assets, scores, slides
    }

    package struct StoredAmount: Equatable, Sendable {
        var count = 0
        var bytes = 0
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
        case .technician, .musician: StoredAmount()
        }
    }

    /// A counted amount is reused for this time, because no single request is large compared with the limits.
    private static let measurementLifetime = Duration.seconds(2)

    private let measureStoredAmount: @Sendable (UploadKind) async -> StoredAmount
    private var recentAmounts: [UploadKind: (amount: StoredAmount, at: ContinuousClock.Instant)] = [:]

    /// Creates a quota that measures stored amounts by a closure.
    /// - Parameter measureStoredAmount: returns the amount that is stored now of a kind of upload.
    package init(measureStoredAmount: @escaping @Sendable (UploadKind) async -> StoredAmount) {
        self.measureStoredAmount = measureStoredAmount
    }

    package init(catalogue: CatalogueStore, assets: AssetStore, scores: AssetStore) {
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

    /// Checks an upload against the limit of the person's role.
    /// - Parameters:
    ///   - adding: the number of new items.
    ///   - bytes: the bytes that the upload adds.
    /// - Returns: the response that refuses the upload; nil if it is allowed.
    package func refusal(_ kind: UploadKind, by person: WebPerson?, adding: Int, bytes: Int) async
        -> WebResponse?
    {
        guard let person else { return .refused(401, "sign-in", "Sign in first.") }
        let (now, most) = (await storedAmount(kind), Self.limit(kind, for: person.role))
        guard now.count + adding > most.count || now.bytes + bytes > most.bytes else { return nil }
        return .refused(
            507, "quota",
            "There are \(now.count) \(kind.rawValue) of \(now.bytes >> 20) MB on the server; somebody who is "
                + "\(person.role.rawValue) may fill it up to \(most.count) and \(most.bytes >> 20) MB. Remove some, or "
                + "ask an administrator.")
    }

    private func storedAmount(_ kind: UploadKind) async -> StoredAmount {
        if let known = recentAmounts[kind], .now - known.at < Self.measurementLifetime { return known.amount }
        let amount = await measureStoredAmount(kind)
        recentAmounts[kind] = (amount, .now)
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

extension WebRoute {
    /// Returns the route with a check that refuses an upload above the limit of the person's role. Each request counts
    /// as one item.
    /// - Parameter quota: the limits; nil for none.
    package func limitingUploads(_ kind: UploadQuota.UploadKind, within quota: UploadQuota?) -> WebRoute {
        guard let quota else { return self }
        return addingWriteCheck { await quota.refusal(kind, by: $0, adding: 1, bytes: $1) }
    }
}
