import Foundation

/// Removes from a video what its camera or editor wrote beside picture and sound: place, times, device, names, and tracks
/// that are neither picture, sound nor words, such as the places of a journey.
///
/// Nothing is moved: the removed parts become free space of the same size, so the video plays as before. What a removed
/// track refers to stays in the file, without anything that says what it is.
public enum CleanVideo {
    /// Cleans a file of the MP4 family in place. Source: ISO/IEC 14496-12.
    /// - Throws: an error of Foundation if the file cannot be read or written.
    /// - Cost: reads the heads of the boxes, and writes what is removed.
    public static func removeNotes(fromMP4 path: String) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? file.close() }
        var cleaning = Cleaning(file: file)
        try cleaning.clean(from: 0, to: try file.seekToEnd(), depth: 0)
        try file.synchronize()
    }

    private struct Box {
        let type: String
        let start: UInt64
        let content: UInt64
        let end: UInt64
    }

    private struct Cleaning {
        private static let containers: Set<String> = ["moov", "trak", "mdia"]
        private static let notes: Set<String> = ["udta", "meta", "uuid", "loci"]
        private static let keptTracks: Set<String> = ["vide", "soun", "text", "sbtl", "subt", "clcp", "hint"]
        /// A day of fragments of a second.
        private static let mostBoxes = 200_000
        private static let zeros = Data(count: 1 << 16)

        let file: FileHandle
        private var boxCount = 0

        init(file: FileHandle) { self.file = file }

        mutating func clean(from start: UInt64, to end: UInt64, depth: Int) throws {
            for box in try boxes(from: start, to: end) {
                switch box.type {
                case _ where Self.notes.contains(box.type): try free(box)
                case "trak" where try !isKept(box): try free(box)
                case "mvhd", "tkhd", "mdhd": try removeTimes(box)
                case _ where Self.containers.contains(box.type) && depth < 4:
                    try clean(from: box.content, to: box.end, depth: depth + 1)
                default: break
                }
            }
        }

        /// The boxes of a part of the file, as far as they are whole.
        private mutating func boxes(from start: UInt64, to end: UInt64) throws -> [Box] {
            var (at, found) = (start, [Box]())
            while at + 8 <= end, boxCount < Self.mostBoxes {
                boxCount += 1
                let head = try read(16, at: at)
                guard head.count >= 8 else { break }
                var (size, content) = (UInt64(head.bigEndian32(0)), at + 8)
                if size == 1, head.count == 16 {
                    size = UInt64(head.bigEndian32(8)) << 32 | UInt64(head.bigEndian32(12))
                    content = at + 16
                } else if size == 0 {
                    size = end - at
                }
                guard size >= content - at, size <= end - at else { break }
                let type = String(decoding: head[4..<8], as: UTF8.self)
                found.append(Box(type: type, start: at, content: content, end: at + size))
                at += size
            }
            return found
        }

        private func read(_ count: Int, at place: UInt64) throws -> [UInt8] {
            try file.seek(toOffset: place)
            return Array(try file.read(upToCount: count) ?? Data())
        }

        /// True unless the track says that it is something else than picture, sound or words.
        private mutating func isKept(_ track: Box) throws -> Bool {
            guard
                let media = try boxes(from: track.content, to: track.end).first(where: { $0.type == "mdia" }),
                let handler = try boxes(from: media.content, to: media.end).first(where: { $0.type == "hdlr" }
                )
            else { return true }
            let head = try read(12, at: handler.content)
            return head.count < 12 || Self.keptTracks.contains(String(decoding: head[8..<12], as: UTF8.self))
        }

        private func removeTimes(_ box: Box) throws {
            let isLong = try read(1, at: box.content).first == 1
            let end = min(box.content + (isLong ? 20 : 12), box.end)
            try writeZeros(from: box.content + 4, to: end)
        }

        private func free(_ box: Box) throws {
            try file.seek(toOffset: box.start + 4)
            try file.write(contentsOf: Data("free".utf8))
            try writeZeros(from: box.content, to: box.end)
        }

        private func writeZeros(from start: UInt64, to end: UInt64) throws {
            guard start < end else { return }
            try file.seek(toOffset: start)
            var left = end - start
            while left > 0 {
                let part = min(left, UInt64(Self.zeros.count))
                try file.write(contentsOf: Self.zeros.prefix(Int(part)))
                left -= part
            }
        }
    }
}
