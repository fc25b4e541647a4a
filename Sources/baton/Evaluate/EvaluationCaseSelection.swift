import ArgumentParser
import Evaluation
import Foundation
import Listening
import Score

/// The evaluation cases that the command-line arguments select.
struct EvaluationCaseSelection {
    private(set) var cases: [EvaluationCase] = []
    private(set) var unreadableCases: [UnreadableEvaluationCase] = []

    /// Selects the cases.
    /// - Parameters:
    ///   - places: folders of cases, single cases, or pieces of the repository's test concert.
    ///   - only: ids or groups to keep; empty keeps all.
    /// - Throws: `ValidationError` if an argument selects nothing.
    init(places: [String], only: [String], root: URL) throws {
        let recordings = root.appending(path: "Recordings")
        let named = places.isEmpty ? try Self.pieceFolders(in: recordings) : places
        for place in named { try addCases(place, recordings: recordings) }
        if !only.isEmpty {
            cases.removeAll { !only.contains($0.id) && !only.contains($0.group) }
            unreadableCases.removeAll { !only.contains($0.id) }
        }
        let ids = cases.map(\.id)
        if let twice = ids.first(where: { id in ids.count { $0 == id } > 1 }) {
            throw ValidationError("Two cases are called '\(twice)'; give one of them another name.")
        }
        guard !cases.isEmpty || !unreadableCases.isEmpty else {
            throw ValidationError("The arguments name no case to evaluate.")
        }
    }

    private mutating func addCases(_ place: String, recordings: URL) throws {
        let directory = URL(filePath: place)
        if Self.holdsCase(directory) { return addCase(directory) }
        let inside = Self.entries(of: directory).filter(Self.holdsCase)
        if !inside.isEmpty { return inside.forEach { addCase($0) } }
        let piece = recordings.appending(path: directory.standardizedFileURL.lastPathComponent)
        guard Self.isDirectory(piece) else {
            throw ValidationError(
                "'\(place)' is neither a case, nor a directory of cases, nor a piece in \(recordings.path).")
        }
        addPerformancePairs(piece)
    }

    private mutating func addCase(_ directory: URL) {
        do {
            cases.append(try EvaluationCase(directory: directory))
        } catch {
            unreadableCases.append(
                UnreadableEvaluationCase(id: directory.lastPathComponent, sentence: error.sentence))
        }
    }

    /// Adds a case for every pair of performances of a piece: one as reference, the other as live performance.
    private mutating func addPerformancePairs(_ piece: URL) {
        let name = piece.lastPathComponent
        var performances: [RecordedPerformance] = []
        for directory in Self.entries(of: piece) where Self.isDirectory(directory) {
            do {
                if let performance = try RecordedPerformance(directory: directory) {
                    performances.append(performance)
                }
            } catch {
                unreadableCases.append(
                    UnreadableEvaluationCase(
                        id: "\(name)/\(directory.lastPathComponent)", sentence: error.sentence))
            }
        }
        for reference in performances {
            for live in performances where live.name != reference.name {
                do {
                    cases.append(try EvaluationCase(piece: name, reference: reference, live: live))
                } catch {
                    unreadableCases.append(
                        UnreadableEvaluationCase(
                            id: "\(name)/\(reference.name)-\(live.name)", sentence: error.sentence)
                    )
                }
            }
        }
    }

    private static func pieceFolders(in recordings: URL) throws -> [String] {
        let names = entries(of: recordings).filter(isDirectory).map(\.path)
        guard !names.isEmpty else {
            throw ValidationError("\(recordings.path) holds no pieces; name a directory of cases.")
        }
        return names
    }

    private static func holdsCase(_ directory: URL) -> Bool {
        FileManager.default.fileExists(atPath: directory.appending(path: "case.json").path)
    }

    private static func isDirectory(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
            && isDirectory.boolValue
    }

    /// Returns the folder's entries sorted by the bytes of their names, so that the order is the same on every machine.
    private static func entries(of directory: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map {
            directory.appending(path: $0)
        }
    }
}
