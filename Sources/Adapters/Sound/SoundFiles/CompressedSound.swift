import Glibc

/// The sound of a file that libsndfile does not read: an MPEG-4 container (M4A, MP4, MOV), or bare AAC.
public enum CompressedSound: Equatable, Sendable {
    case aac
    case appleLossless
    /// The shop's own program alone can decode it.
    case protected
    /// Another sound, by the four letters that the file has for it.
    case other(letters: String)
    /// The file ends before the tables that say what is in it: a recording or a copy was broken off.
    case incomplete
    /// The tables name no sound, or are damaged.
    case silent

    /// The sound of a file; nil if the file is neither MPEG-4 nor bare AAC.
    init?(of path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let end = Int(lseek(descriptor, 0, SEEK_END))
        let file = MPEG4Bytes(descriptor: descriptor)
        let head = file.read(8, at: 0)
        guard head.count == 8 else { return nil }
        if head[0] == 0xFF, head[1] & 0xF6 == 0xF0 {
            self = .aac
        } else if MPEG4Bytes.letters(head[4...]) == "ftyp" {
            self = file.sound(endingAt: end)
        } else {
            return nil
        }
    }
}

/// Reads the boxes of an MPEG-4 file without its sound: each has its length, four letters, and its content.
private struct MPEG4Bytes {
    let descriptor: Int32

    private struct Box {
        var letters: String
        var content: Range<Int>
    }

    /// More boxes beside each other, and more tracks, are not read: a damaged file may have a box on every eight bytes.
    private static let mostBoxes = 1_000
    private static let mostTracks = 16

    static func letters(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }

    /// At most `count` bytes: fewer at the end of the file.
    func read(_ count: Int, at offset: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = pread(descriptor, &bytes, count, off_t(offset))
        return Array(bytes.prefix(max(0, read)))
    }

    func sound(endingAt end: Int) -> CompressedSound {
        guard let movie = boxes(in: 0..<end).first(where: { $0.letters == "moov" }) else {
            return .incomplete
        }
        for track in boxes(in: movie.content).filter({ $0.letters == "trak" }).prefix(Self.mostTracks) {
            guard let media = inner(["mdia"], of: track), let handler = inner(["hdlr"], of: media),
                Self.letters(read(4, at: handler.content.lowerBound + 8)[...]) == "soun",
                let table = inner(["minf", "stbl", "stsd"], of: media)
            else { continue }
            // A version, flags and the number of entries come before the entries.
            let entries =
                min(table.content.lowerBound + 8, table.content.upperBound)..<table.content.upperBound
            guard let entry = boxes(in: entries).first else { continue }
            switch entry.letters {
            case "mp4a": return .aac
            case "alac": return .appleLossless
            case "drms", "enca": return .protected
            default: return .other(letters: entry.letters)
            }
        }
        return .silent
    }

    /// The first box on a path of boxes within another.
    private func inner(_ path: [String], of box: Box) -> Box? {
        var inside: Box? = box
        for letters in path {
            inside = inside.flatMap { boxes(in: $0.content).first { $0.letters == letters } }
        }
        return inside
    }

    /// The boxes in a range of the file; the last one may be cut.
    private func boxes(in range: Range<Int>) -> [Box] {
        var found: [Box] = []
        var at = range.lowerBound
        while at + 8 <= range.upperBound, found.count < Self.mostBoxes {
            let head = read(16, at: at)
            guard head.count >= 8 else { break }
            var size = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
            var headLength = 8
            if size == 1, head.count == 16, head[8] == 0 {
                size = head[9...].reduce(0) { $0 << 8 | Int($1) }
                headLength = 16
            }
            // The last box of a file may leave its length open.
            if size == 0 { size = range.upperBound - at }
            guard size >= headLength else { break }
            let end = at + min(size, range.upperBound - at)
            found.append(Box(letters: Self.letters(head[4..<8]), content: min(at + headLength, end)..<end))
            at = end
        }
        return found
    }
}
