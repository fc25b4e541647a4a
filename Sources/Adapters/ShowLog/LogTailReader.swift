import Podium

/// Restores the state of a show: finds the newest snapshot in its log and replays the events after it.
struct LogTailReader {
    /// A line found in a log file. Its checksum has not been verified yet.
    private struct FoundLine {
        var prefix: LogLine.Prefix
        var bytes: [UInt8]
        var path: String
        var lineNumber: Int
    }

    let showFolder: String
    private(set) var recovery: ShowRecovery?
    private(set) var isEnded = false
    private(set) var damage: [ShowLogFault] = []
    /// The lines of all files read so far, oldest first.
    private var lines: [FoundLine] = []
    private var header: LogHeader?

    init(show: String) { self.showFolder = show }

    /// True if a line of the show was ever written, even if no line is left.
    var hadBegun: Bool {
        if SavedNewestLineNumber(show: showFolder) != nil { return true }
        return !lines.isEmpty || !damage.isEmpty
    }

    /// Reads the log files from the newest to the oldest, until one contains a usable snapshot.
    /// - Returns: false if no file contains one.
    mutating func findNewestSnapshot() throws(ShowLogFault) -> Bool {
        for number in try ShowLogFileNames.fileNumbers(in: showFolder).reversed() {
            let path = showFolder + "/" + ShowLogFileNames.name(ofFile: number)
            do throws(ShowLogFault) { try readFile(path) } catch { recordDamage(error) }
            if restoreFromNewestSnapshot() { return true }
        }
        return false
    }

    private mutating func readFile(_ path: String) throws(ShowLogFault) {
        var file = try LogFileReader(path: path)
        guard let first = try file.next() else { return }
        let header = try LogHeader.parse(first, path: path)
        if self.header == nil { self.header = header }
        var found: [FoundLine] = []
        // The lines read so far are kept even if the rest of the file is unreadable.
        defer { lines = found + lines }
        while let bytes = try file.next() {
            guard let opening = LogLine.parsePrefix(of: bytes) else {
                recordDamage(
                    .damaged(path: path, line: file.lineNumber, what: "this is no line of a show log"))
                continue
            }
            found.append(FoundLine(prefix: opening, bytes: bytes, path: path, lineNumber: file.lineNumber))
        }
        if file.incompleteLastLineByteCount > 0 {
            recordDamage(
                .damaged(
                    path: path, line: file.lineNumber + 1,
                    what: "the file ends in the middle of this line, and what came after it is missing"))
        }
    }

    /// Restores the state from the newest readable snapshot and replays the lines after it. If the snapshot does not
    /// contain the show's programme, an earlier snapshot supplies it.
    /// - Returns: false if there is no such snapshot.
    private mutating func restoreFromNewestSnapshot() -> Bool {
        for index in lines.indices.reversed() where lines[index].prefix.kind == .snapshot {
            guard let line = verifiedLine(index),
                let snapshot = try? LogJSON.decode(ShowSnapshot.self, from: line.payload),
                let course = snapshot.course ?? programme(before: index), let header
            else { continue }
            let podium = Podium(course: course, settings: snapshot.settings, continuing: snapshot.state)
            var recovery = ShowRecovery(
                show: showFolder, header: header, origin: snapshot.origin, podium: podium,
                packets: snapshot.packets, time: ShowTime(milliseconds: line.milliseconds),
                sequence: line.sequenceNumber, damage: [])
            replay(from: index + 1, into: &recovery)
            if let mark = SavedNewestLineNumber(show: showFolder),
                mark.newestSequenceNumber > recovery.lastSequenceNumber
            {
                damage.insert(
                    .cutShort(
                        path: showFolder, first: recovery.lastSequenceNumber + 1,
                        last: mark.newestSequenceNumber), at: 0)
                // The numbers up to the saved position were used, although their lines are lost: another server may
                // have copied these lines.
                recovery.lastSequenceNumber = mark.newestSequenceNumber
                isEnded = false
            }
            recovery.damage = damage
            self.recovery = recovery
            return true
        }
        return false
    }

    private mutating func replay(from start: Int, into recovery: inout ShowRecovery) {
        for index in lines.indices[start...] {
            guard let line = verifiedLine(index) else { continue }
            // The time never goes back, although a later file may begin with a lower time after a clock error.
            recovery.time = max(recovery.time, ShowTime(milliseconds: line.milliseconds))
            recovery.lastSequenceNumber = max(
                recovery.lastSequenceNumber, line.sequenceNumber + max(line.lostLineCount, 1) - 1)
            isEnded = line.kind == .end
            switch line.kind {
            case .event:
                guard let event = try? LogJSON.decode(PodiumEvent.self, from: line.payload) else {
                    recordDamage(lines[index], "the event is not one this baton knows")
                    continue
                }
                _ = recovery.podium.process(event, at: ShowTime(milliseconds: line.milliseconds))
            case .traffic:
                guard let count = try? LogJSON.decode(PacketAndClientCounts.self, from: line.payload) else {
                    continue
                }
                recovery.sentPacketCount = max(recovery.sentPacketCount, count.packets)
            case .snapshot, .effects, .note, .gap, .end: break
            }
        }
    }

    /// The show's programme (its pieces and cues), from the last snapshot before this line that contains it.
    private func programme(before index: Int) -> ShowProgramme? {
        for earlier in lines.indices[..<index].reversed() {
            let bytes = lines[earlier].bytes
            let payload = bytes.dropFirst(lines[earlier].prefix.payloadOffset)
            guard lines[earlier].prefix.kind == .snapshot,
                payload.starts(with: Self.completeSnapshotJSONPrefix),
                let line = LogLine(bytes: bytes),
                let snapshot = try? LogJSON.decode(ShowSnapshot.self, from: line.payload)
            else { continue }
            return snapshot.course
        }
        return nil
    }

    private mutating func verifiedLine(_ index: Int) -> LogLine? {
        let line = LogLine(bytes: lines[index].bytes)
        if line == nil {
            recordDamage(lines[index], "the line does not agree with its check: it was changed or damaged")
        }
        return line
    }

    private mutating func recordDamage(_ found: FoundLine, _ what: String) {
        recordDamage(.damaged(path: found.path, line: found.lineNumber, what: what))
    }

    private mutating func recordDamage(_ fault: ShowLogFault) {
        if damage.count < 100, !damage.contains(fault) { damage.append(fault) }
    }

    private static let completeSnapshotJSONPrefix = Array("{\"course\":".utf8)
}
