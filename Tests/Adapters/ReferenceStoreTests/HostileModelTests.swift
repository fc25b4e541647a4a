import Basics
import Foundation
import Testing

@testable import ReferenceStore

/// Loading returns or throws its error, whatever the bytes; reaching the end of each test is the claim.
@Suite struct HostileModelTests {
    private let models: TemporaryModels
    private let json: [UInt8]

    init() throws {
        models = try TemporaryModels()
        try models.folder.saveModel(Made.model(), as: "piece", features: Made.features)
        json = try models.bytes("model.json", of: "piece")
    }

    @Test func everyTruncationIsRefused() {
        // The last byte is the end of the line.
        for count in 0..<json.count - 1 {
            #expect(throws: ReferenceStoreError.self) {
                try ModelDescription.read(Array(json[..<count]), path: "cut")
            }
        }
    }

    @Test func fiveThousandMutationsAreReadOrRefused() throws {
        var random = SeededRandomGenerator(seed: 1_685)
        let words = [
            "1e999", "-1", "null", "[]", "{}", "\"\"", "NaN", "9223372036854775808", "../", "\\u0000",
        ]
        var refused = 0
        for round in 0..<5_000 {
            var mutant = json
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<mutant.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: mutant[place] = UInt8.random(in: 0...255, using: &random)
                case 1: mutant.removeSubrange(place..<min(place + 12, mutant.count))
                case 2: mutant.insert(contentsOf: (words.randomElement(using: &random) ?? "").utf8, at: place)
                default:
                    // A number becomes another one.
                    if let digit = mutant[place...].firstIndex(where: { (0x30...0x39).contains($0) }) {
                        mutant[digit] = UInt8.random(in: 0x2D...0x39, using: &random)
                    }
                }
            }
            do throws(ReferenceStoreError) {
                if round % 10 == 0 {
                    try? models.write(mutant, "model.json", of: "piece")
                    _ = try models.folder.loadModel("piece", features: Made.features)
                } else {
                    _ = try ModelDescription.read(mutant, path: "mutant")
                }
            } catch {
                refused += 1
                #expect(!error.sentence.isEmpty)
            }
        }
        #expect(refused > 1_000 && refused < 5_000)
    }

    @Test func deepNestingIsRefused() {
        let deep = Array(String(repeating: "[", count: 200_000).utf8)
        #expect(throws: ReferenceStoreError.self) { try ModelDescription.read(deep, path: "deep") }
    }

    @Test func aPipeIsNoModel() throws {
        let path = models.folder.filePath("model.json", of: "piece")
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        let error = #expect(throws: ReferenceStoreError.self) {
            try models.folder.loadModel("piece", features: Made.features)
        }
        #expect(error == .unreadable(path: path, reason: "it is not a plain file"))
    }

    @Test func aFileBeyondTheLimitIsNotRead() throws {
        let path = models.folder.filePath("model.json", of: "piece")
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: UInt64(ModelDescription.byteLimit) + 1)
        try handle.close()
        let error = #expect(throws: ReferenceStoreError.self) {
            try models.folder.loadModel("piece", features: Made.features)
        }
        #expect(error == .fileTooLarge(path: path, limitBytes: ModelDescription.byteLimit))
    }
}
