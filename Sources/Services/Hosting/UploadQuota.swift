import Catalogue
import Foundation
import Synchronization
import WebServer

/// How much each role may fill the server with, of each kind of thing.
///
/// The bound is on all there is of a kind, whoever brought it: editors stop at theirs, and administrators, who go
/// further, can always still bring something. Technicians and musicians bring nothing (routes see to it); what rooms
/// hold has bounds of its own. Recordings are not uploaded: they lie on the machine.
package actor UploadQuota {
    package enum Kind: String, CaseIterable, Sendable {
        case assets, scores, slides
    }

    package struct Amount: Equatable, Sendable {
        var count = 0
        var bytes = 0
    }

    /// What editors may fill; administrators twice as much, others nothing.
    static let ofEditors: [Kind: Amount] = [
        .assets: Amount(count: 5_000, bytes: 4 << 30),
        .scores: Amount(count: 20_000, bytes: 8 << 30),
        .slides: Amount(count: 100_000, bytes: 256 << 20),
    ]

    package static func most(_ kind: Kind, for role: WebRole) -> Amount {
        let editors = ofEditors[kind] ?? Amount()
        return switch role {
        case .editor: editors
        case .administrator: Amount(count: editors.count * 2, bytes: editors.bytes * 2)
        case .technician, .musician: Amount()
        }
    }

    /// A count this old is near enough: no single request is large beside a quota.
    private static let countEvery = Duration.seconds(2)

    private let count: @Sendable (Kind) async -> Amount
    private var counted: [Kind: (amount: Amount, at: ContinuousClock.Instant)] = [:]

    /// - Parameter count: what there is of a kind now.
    package init(count: @escaping @Sendable (Kind) async -> Amount) { self.count = count }

    package init(catalogue: CatalogueStore, assets: AssetStore, scores: AssetStore) {
        self.init { kind in
            switch kind {
            case .assets: await UploadQuota.files(in: assets.folder)
            case .scores: await UploadQuota.files(in: scores.folder)
            case .slides:
                // A catalogue that cannot be read refuses what would be written by itself.
                (try? await catalogue.slideTotal()).map { Amount(count: $0.count, bytes: $0.bytes) }
                    ?? Amount()
            }
        }
    }

    /// - Parameters:
    ///   - adding: how many more there would be.
    ///   - bytes: how many bytes more.
    /// - Returns: nil where it may be brought.
    package func refusal(_ kind: Kind, by person: WebPerson?, adding: Int, bytes: Int) async -> WebResponse? {
        guard let person else { return .refused(401, "sign-in", "Sign in first.") }
        let (now, most) = (await amount(kind), Self.most(kind, for: person.role))
        guard now.count + adding > most.count || now.bytes + bytes > most.bytes else { return nil }
        return .refused(
            507, "quota",
            "There are \(now.count) \(kind.rawValue) of \(now.bytes >> 20) MB on the server; somebody who is "
                + "\(person.role.rawValue) may fill it up to \(most.count) and \(most.bytes >> 20) MB. Remove some, or "
                + "ask an administrator.")
    }

    private func amount(_ kind: Kind) async -> Amount {
        if let known = counted[kind], .now - known.at < Self.countEvery { return known.amount }
        let amount = await count(kind)
        counted[kind] = (amount, .now)
        return amount
    }

    /// - Cost: looks at each file of a folder; some milliseconds for a thousand.
    private static func files(in folder: String) async -> Amount {
        await Task.detached(priority: .utility) {
            let url = URL(fileURLWithPath: folder)
            let files = try? FileManager.default.contentsOfDirectory(
                at: url, includingPropertiesForKeys: [.fileSizeKey, .isRegularFileKey])
            return (files ?? []).reduce(into: Amount()) { amount, file in
                let values = try? file.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
                guard values?.isRegularFile == true else { return }
                amount.count += 1
                amount.bytes += values?.fileSize ?? 0
            }
        }.value
    }
}

extension WebRoute {
    /// The same route, by which one more thing of a kind comes: refused above the quota of the person's role.
    /// - Parameter quota: nil for no bound.
    package func bringing(_ kind: UploadQuota.Kind, within quota: UploadQuota?) -> WebRoute {
        guard let quota else { return self }
        return admitting { await quota.refusal(kind, by: $0, adding: 1, bytes: $1) }
    }
}
