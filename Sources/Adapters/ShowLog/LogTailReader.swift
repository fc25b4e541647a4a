import Podium

/// Finds the newest snapshot of a show and applies the events after it.
struct LogTailReader {
    /// A line as found in the file, with its checksum not verified yet.
    private struct FoundLine {
        var opening: LogLine.Opening
        var bytes: [UInt8]
        var path: String
        var line: Int
    }

    let show: String
    private(set) var recovery: ShowRecovery?
    private(set) var isEnded = false
    private(set) var damage: [ShowLogFault] = []
    /// The lines found, from the oldest file read to the newest.
    private var lines: [FoundLine] = []
    private var header: LogHeader?

    init(show: String) { self.show = show }

    /// True if any line of the show was ever written, even if nothing is left of it.
    var hadBegun: Bool {
        if ShowLogPosition(show: show) != nil { return true }
        return !lines.isEmpty || !damage.isEmpty
    }

    /// Reads files from the last one backwards, until it finds a usable snapshot.
    /// - Returns: false if there is none.
    mutating func read() throws(ShowLogFault) -> Bool {
        for number in try ShowLogFileNames.numbers(in: show).reversed() {
            let path = show + "/" + ShowLogFileNames.name(ofFile: number)
            do throws(ShowLogFault) { try readFile(path) } catch { note(error) }
            if continueFromSnapshot() { return true }
        }
        return false
    }

    private mutating func readFile(_ path: String) throws(ShowLogFault) {
        var file = try LogFileReader(path: path)
        guard let first = try file.next() else { return }
        let header = try LogHeader.read(first, path: path)
        if self.header == nil { self.header = header }
        var found: [FoundLine] = []
        // Keeps the lines read so far, should the rest be unreadable.
        defer { lines = found + lines }
        while let bytes = try file.next() {
            guard let opening = LogLine.opening(of: bytes) else {
                note(.damaged(path: path, line: file.line, what: "this is no line of a show log"))
                continue
            }
            found.append(FoundLine(opening: opening, bytes: bytes, path: path, line: file.line))
        }
        if file.incompleteBytes > 0 {
            note(
                .damaged(
                    path: path, line: file.line + 1,
                    what: "the file ends in the middle of this line, and what came after it is missing"))
        }
    }

    /// Continues from the newest readable snapshot, with the course from an earlier line if it has none itself.
    private mutating func continueFromSnapshot() -> Bool {
        for index in lines.indices.reversed() where lines[index].opening.kind == .snapshot {
            guard let line = checked(index),
                let snapshot = try? LogJSON.value(ShowSnapshot.self, from: line.payload),
                let course = snapshot.course ?? course(before: index), let header
            else { continue }
            let podium = Podium(course: course, settings: snapshot.settings, continuing: snapshot.state)
            var recovery = ShowRecovery(
                show: show, header: header, podium: podium, packets: snapshot.packets,
                time: ShowTime(milliseconds: line.milliseconds), sequence: line.sequence, damage: [])
            replay(from: index + 1, into: &recovery)
            if let mark = ShowLogPosition(show: show), mark.sequence > recovery.sequence {
                damage.insert(
                    .cutShort(path: show, first: recovery.sequence + 1, last: mark.sequence), at: 0)
                // The numbers up to the mark were used, although their lines are lost: another server may have copied
                // them.
                recovery.sequence = mark.sequence
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
            guard let line = checked(index) else { continue }
            // The time never goes back, although a later file may begin with a lower time after a clock error.
            recovery.time = max(recovery.time, ShowTime(milliseconds: line.milliseconds))
            recovery.sequence = max(recovery.sequence, line.sequence + max(line.lostLines, 1) - 1)
            isEnded = line.kind == .end
            switch line.kind {
            case .event:
                guard let event = try? LogJSON.value(PodiumEvent.self, from: line.payload) else {
                    note(lines[index], "the event is not one this baton knows")
                    continue
                }
                _ = recovery.podium.take(event, at: ShowTime(milliseconds: line.milliseconds))
            case .count:
                guard let count = try? LogJSON.value(TrafficCount.self, from: line.payload) else { continue }
                recovery.packets = max(recovery.packets, count.packets)
            case .snapshot, .effects, .note, .gap, .end: break
            }
        }
    }

    /// The show's course (its pieces and cues) before a line, from the last snapshot or edit that contains it.
    private func course(before index: Int) -> ShowProgramme? {
        for earlier in lines.indices[..<index].reversed() {
            let bytes = lines[earlier].bytes
            let payload = bytes.dropFirst(lines[earlier].opening.payloadOffset)
            guard lines[earlier].opening.kind == .snapshot, payload.starts(with: Self.courseFirst),
                let line = LogLine(bytes: bytes),
                let snapshot = try? LogJSON.value(ShowSnapshot.self, from: line.payload)
            else { continue }
            return snapshot.course
        }
        return nil
    }

    private mutating func checked(_ index: Int) -> LogLine? {
        let line = LogLine(bytes: lines[index].bytes)
        if line == nil {
            note(lines[index], "the line does not agree with its check: it was changed or damaged")
        }
        return line
    }

    private mutating func note(_ found: FoundLine, _ what: String) {
        note(.damaged(path: found.path, line: found.line, what: what))
    }

    private mutating func note(_ fault: ShowLogFault) {
        if damage.count < 100, !damage.contains(fault) { damage.append(fault) }
    }

    private static let courseFirst = Array("{\"course\":".utf8)
}
