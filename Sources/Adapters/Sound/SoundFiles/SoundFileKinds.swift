import Foundation

/// The kinds of sound files that are looked for in folders, by the endings of their names. ``SoundFileReader`` or
/// ``SoundConversion`` reads them.
public enum SoundFileKinds {
    /// The endings with their types for browsers; those that need no conversion first.
    private static let all: [(ending: String, contentType: String)] = [
        ("ogg", "audio/ogg"), ("flac", "audio/flac"), ("wav", "audio/wav"), ("wave", "audio/wav"),
        ("oga", "audio/ogg"), ("opus", "audio/ogg"), ("mp3", "audio/mpeg"), ("aif", "audio/aiff"),
        ("aiff", "audio/aiff"), ("w64", "audio/x-w64"), ("caf", "audio/x-caf"), ("m4a", "audio/mp4"),
        ("aac", "audio/aac"), ("wma", "audio/x-ms-wma"), ("mp4", "video/mp4"), ("m4v", "video/mp4"),
        ("mov", "video/quicktime"), ("webm", "video/webm"),
    ]

    public static var endings: [String] { all.map(\.ending) }

    /// True for a file name with an ending of a sound file.
    public static func isSound(_ name: String) -> Bool { kind(of: name) != nil }

    /// The type of a file for browsers; nil if it is no sound file.
    public static func contentType(of name: String) -> String? { kind(of: name)?.contentType }

    private static func kind(of name: String) -> (ending: String, contentType: String)? {
        let ending = (name as NSString).pathExtension.lowercased()
        return all.first { $0.ending == ending }
    }

    /// The paths of the sound of a recording's folder: its files `audio.ENDING`, in the order of the list.
    public static func sounds(in folder: String) -> [String] {
        let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        let sounds = files.filter { ($0 as NSString).deletingPathExtension == "audio" }
        return all.flatMap { kind in
            sounds.filter { ($0 as NSString).pathExtension.lowercased() == kind.ending }
        }.map { folder + "/" + $0 }
    }
}
