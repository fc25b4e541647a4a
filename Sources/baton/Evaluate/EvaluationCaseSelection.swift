import ArgumentParser
import Basics
import Evaluation
import Foundation
import Listening
import Score

/// The evaluation cases that the command-line arguments select.
struct EvaluationCaseSelection {
    private(set) var cases: [EvaluationCase] = []
    private(set) var unreadableCases: [UnreadableEvaluationCase] = []
    /// What was assumed and what was left out, a sentence each.
    private(set) var remarks: [String] = []

    /// Selects the cases.
    /// - Parameters:
    ///   - places: folders of cases, single cases, folders of recordings and annotations, or pieces of `recordings`.
    ///   - only: ids or groups to keep; empty keeps all.
    ///   - recordings: the folder of pieces, `Recordings` in the repository.
    ///   - allPairs: true to follow each recording of a folder by each other one, however many there are.
    /// - Throws: `ValidationError` if an argument selects nothing.
    init(places: [String], only: [String], recordings: URL, allPairs: Bool = false) throws {
        let named = places.isEmpty ? try Self.pieceFolders(in: recordings) : places
        for place in named { try addCases(place, recordings: recordings, allPairs: allPairs) }
        remarks += cases.flatMap(\.remarks)
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

    private mutating func addCases(_ place: String, recordings: URL, allPairs: Bool) throws {
        let directory = URL(filePath: place)
        if Self.holdsCase(directory) { return addCase(directory) }
        let inside = Self.entries(of: directory).filter(Self.holdsCase)
        if !inside.isEmpty { return inside.forEach { addCase($0) } }
        let piece = recordings.appending(path: directory.standardizedFileURL.lastPathComponent)
        let isOther =
            Self.isDirectory(directory)
            && directory.standardizedFileURL.resolvingSymlinksInPath()
                != piece.standardizedFileURL.resolvingSymlinksInPath()
        if isOther, try addAnnotatedRecordings(in: directory, allPairs: allPairs) { return }
        guard Self.isDirectory(piece) else {
            throw ValidationError(
                "'\(place)' is neither a case, nor a directory of cases, nor one of recordings with annotations "
                    + "(NAME.wav and NAME.csv), nor a piece in \(recordings.path).")
        }
        addPerformancePairs(piece)
    }

    /// Adds cases for the recordings and annotations of a folder that others have made.
    /// - Returns: false if there are none.
    private mutating func addAnnotatedRecordings(in directory: URL, allPairs: Bool) throws -> Bool {
        let folder: AnnotatedFolder
        do { folder = try AnnotatedFolder(directory) } catch {
            throw ValidationError(error.explanation)
        }
        guard !folder.pieces.isEmpty else { return false }
        if let first = folder.leftOut.first {
            remarks.append(
                "\(folder.leftOut.count) recordings of \(directory.path) have no annotation of their name, such as "
                    + "\(first); they are left out.")
        }
        for piece in folder.pieces {
            guard piece.recordings.count > 1 else {
                remarks.append(
                    "\(piece.name) has one recording with an annotation; a second one is its reference.")
                continue
            }
            if !allPairs, piece.recordings.count > AnnotatedFolder.Piece.mostForAllPairs {
                remarks.append(
                    "\(piece.name): each of \(piece.recordings.count) recordings is followed by the one before it; "
                        + "--all-pairs follows each by each other one.")
            }
            var performances: [String: RecordedPerformance] = [:]
            for recording in piece.recordings {
                do {
                    let read = try AnnotatedMeasures(file: recording.annotation, otherwise: .likeTheMedian)
                    remarks += read.remarks
                    performances[recording.name] = RecordedPerformance(
                        name: recording.name, audioFile: recording.audio, measuresFile: recording.annotation,
                        measures: read.map)
                } catch {
                    unreadableCases.append(
                        UnreadableEvaluationCase(
                            id: "\(piece.name)/\(recording.name)", sentence: error.explanation))
                }
            }
            for (reference, live) in piece.pairs(all: allPairs) {
                guard let reference = performances[reference.name], let live = performances[live.name] else {
                    continue
                }
                addPair(piece: piece.name, group: piece.name, reference, live)
            }
        }
        return true
    }

    private mutating func addPair(
        piece: String, group: String = "concert", _ reference: RecordedPerformance,
        _ live: RecordedPerformance
    ) {
        do {
            cases.append(try EvaluationCase(piece: piece, group: group, reference: reference, live: live))
        } catch {
            unreadableCases.append(
                UnreadableEvaluationCase(
                    id: "\(piece)/\(reference.name)-\(live.name)", sentence: error.explanation))
        }
    }

    private mutating func addCase(_ directory: URL) {
        do {
            cases.append(try EvaluationCase(directory: directory))
        } catch {
            unreadableCases.append(
                UnreadableEvaluationCase(id: directory.lastPathComponent, sentence: error.explanation))
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
                        id: "\(name)/\(directory.lastPathComponent)", sentence: error.explanation))
            }
        }
        for reference in performances {
            for live in performances where live.name != reference.name {
                addPair(piece: name, reference, live)
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
