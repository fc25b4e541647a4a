import Basics
import Foundation
import Platform
import Synchronization

/// Writes the audience's stream as files, for listeners who get the music with a broadcast, seconds late: any web server
/// or delivery network brings them to any number of pages (docs/scale.md).
///
/// `NUMBER.json` has what was said in the ten seconds from NUMBER × 10 s of Unix time, as `[[MILLISECONDS, SECTION,
/// VALUE], …]` in their order; it begins with the newest value of each section, and is never changed. `index.json` is
/// written each second: `{"at": MILLISECONDS, "files": [NUMBER, …]}`, the time of writing and the last twelve files. Files
/// are removed after a day.
final class TimelineWriter: Sendable {
    private struct State {
        /// The newest value of each section.
        var values: [String: [UInt8]] = [:]
        /// The file that grows.
        var number: Int64
        var lines: [[UInt8]] = []
        /// Complete, and not written yet.
        var unwritten: [(number: Int64, lines: [[UInt8]])] = []
        /// Numbers of the files in the folder, rising.
        var written: [Int64]
        var fault: String?
    }

    /// The span of a file in milliseconds.
    private static let span: Int64 = 10_000
    private static let filesOfADay = 24 * 3_600_000 / span
    private static let listed = 12

    private let folder: String
    private let readMilliseconds: @Sendable () -> Int64
    private let state: Mutex<State>
    private let writeLogLine: @Sendable (String) -> Void

    /// - Parameter clock: milliseconds of Unix time.
    /// - Throws: a sentence if the folder cannot be made.
    init(
        folder: String,
        clock: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000) },
        writeLogLine: @escaping @Sendable (String) -> Void
    ) throws(ExplainedError) {
        do { try DurableFile.makeFolder(folder) } catch {
            throw ExplainedError("--timeline: \(error.sentence)")
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let written = names.compactMap { name in
            name.hasSuffix(".json") ? Int64(name.dropLast(5)) : nil
        }.sorted()
        let number = clock() / Self.span
        // Of a clock that was wrong.
        for later in written where later >= number { unlink("\(folder)/\(later).json") }
        (self.folder, readMilliseconds, self.writeLogLine) = (folder, clock, writeLogLine)
        state = Mutex(State(number: number, written: written.filter { $0 < number }))
    }

    /// Notes the newest value of a section; returns at once.
    func publish(_ section: String, _ json: [UInt8]) {
        let now = readMilliseconds()
        state.withLock { state in
            Self.begin(now / Self.span, &state)
            // What was before is unknown: the first word, that the hall is not heard, holds from the file's beginning.
            let at = state.values.isEmpty ? state.number * Self.span : now
            state.values[section] = json
            state.lines.append(Self.line(at, section, json))
        }
    }

    /// Writes the files, each second, until the task is cancelled.
    func run() async {
        while true {
            let intoSecond = readMilliseconds() % 1_000
            guard (try? await Task.sleep(for: .milliseconds(1_010 - intoSecond))) != nil else { return }
            write()
        }
    }

    /// Writes the files that are complete, and the index.
    func write() {
        let now = readMilliseconds()
        let complete = state.withLock { state in
            Self.begin(now / Self.span, &state)
            defer { state.unwritten = [] }
            return state.unwritten
        }
        var unwritten = complete[...]
        do throws(FileWriteError) {
            while let file = unwritten.first {
                let lines = file.lines.map { String(decoding: $0, as: UTF8.self) }
                try write("[\(lines.joined(separator: ",\n"))]\n", to: "\(file.number)")
                state.withLock { $0.written.append(file.number) }
                unwritten.removeFirst()
            }
            removeOld(before: now / Self.span - Self.filesOfADay)
            let last = state.withLock { $0.written.suffix(Self.listed).map(String.init) }
            try write("{\"at\": \(now), \"files\": [\(last.joined(separator: ","))]}\n", to: "index")
            note(nil)
        } catch {
            // Tried again with the next second; what is too old for the index is of no use.
            state.withLock { $0.unwritten.insert(contentsOf: unwritten.suffix(Self.listed), at: 0) }
            note(error.sentence)
        }
    }

    /// Goes on to the file of a moment.
    private static func begin(_ number: Int64, _ state: inout State) {
        guard number > state.number else { return }
        state.unwritten.append((state.number, state.lines))
        state.number = number
        state.lines = state.values.sorted { $0.key < $1.key }.map { line(number * span, $0.key, $0.value) }
    }

    private static func line(_ at: Int64, _ section: String, _ json: [UInt8]) -> [UInt8] {
        Array("[\(at),\"\(section)\",".utf8) + json + Array("]".utf8)
    }

    private func write(_ text: String, to name: String) throws(FileWriteError) {
        try DurableFile.write(text.utf8, to: "\(folder)/\(name).json")
    }

    private func removeOld(before first: Int64) {
        let old = state.withLock { state in
            let old = state.written.prefix { $0 < first }
            state.written.removeFirst(old.count)
            return old
        }
        for number in old { unlink("\(folder)/\(number).json") }
    }

    /// Logs a fault once, and its end.
    private func note(_ fault: String?) {
        let isNews = state.withLock { state in
            defer { state.fault = fault }
            return (state.fault == nil) != (fault == nil)
        }
        if isNews { writeLogLine("\(fault ?? "The files of the timeline are written again.")\n") }
    }
}
