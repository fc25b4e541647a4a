/// The beginning of an MPEG-4 file, as far as it says what sound or pictures are in it.
enum MPEG4File {
    /// - Parameter tracks: what each track is (`soun`, `vide`) and the letters of its first entry, such as `mp4a`.
    static func bytes(_ tracks: [(kind: String, entry: String)], brand: String = "M4A ") -> [UInt8] {
        box("ftyp", Array(brand.utf8) + [0, 0, 0, 0])
            + box("mdat", [UInt8](repeating: 0, count: 2_000))
            + box(
                "moov",
                box("mvhd", [UInt8](repeating: 0, count: 100)) + tracks.flatMap { track($0.kind, $0.entry) })
    }

    private static func track(_ kind: String, _ entry: String) -> [UInt8] {
        let handler = box(
            "hdlr", [UInt8](repeating: 0, count: 8) + Array(kind.utf8) + [UInt8](repeating: 0, count: 13))
        let entries = box("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + box(entry, [UInt8](repeating: 0, count: 28)))
        return box("trak", box("mdia", handler + box("minf", box("stbl", entries))))
    }

    private static func box(_ letters: String, _ content: [UInt8]) -> [UInt8] {
        let size = content.count + 8
        return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array(letters.utf8)
            + content
    }
}
