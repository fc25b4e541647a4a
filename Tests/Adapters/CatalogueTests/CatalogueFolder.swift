import Foundation

/// A folder that lasts as long as this object.
final class CatalogueFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "catalogue-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var file: String { path + "/catalogue.sqlite" }
}

extension Date {
    /// A day of the tests.
    static let evening = Date(timeIntervalSince1970: 1_790_000_000)
}

/// Thirty-two bytes that only `number` has.
func digest(_ number: Int) -> [UInt8] { (0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 % 4 * 8)) } }
