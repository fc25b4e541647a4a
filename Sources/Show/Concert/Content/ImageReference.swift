/// A reference to an image in a text: `$image.png, caption`, or `image.png, caption` without the dollar sign.
///
/// Without the sign, the name must not contain spaces, and a comma or the end of the text must follow. So a sentence
/// that merely mentions a file is not changed.
struct ImageReference {
    /// The range of the reference. It begins at the sign or, without a sign, at the name; it ends after the name, or
    /// after the comma that follows.
    var range: Range<Substring.Index>
    var name: AssetName
    var hasCaption: Bool

    /// Finds all references to images in a text.
    /// - Complexity: O(length), because a name is searched only within the length limit of names.
    static func all(in text: Substring) -> [ImageReference] {
        guard mayContainImageNames(text) else { return [] }
        var marks: [ImageReference] = []
        var index = text.startIndex
        var isWordStart = true
        while index < text.endIndex {
            let character = text[index]
            if character == "$" || (isWordStart && isNameCharacter(character)),
                let mark = readReference(at: index, in: text, hasDollarSign: character == "$")
            {
                marks.append(mark)
                index = mark.range.upperBound
                isWordStart = true
            } else {
                isWordStart = character.isWhitespace || character == "("
                index = text.index(after: index)
            }
        }
        return marks
    }

    /// True if a dot is followed by a letter with which an image's file extension begins. Most texts name no image,
    /// and this check saves going through them character by character.
    private static func mayContainImageNames(_ text: Substring) -> Bool {
        var before: UInt8 = 0
        for byte in text.utf8 {
            if before == UInt8(ascii: "."), extensionFirstLetters.contains(byte | 0x20) { return true }
            before = byte
        }
        return false
    }

    private static let extensionFirstLetters = Set(AssetName.imageFileExtensions.compactMap(\.utf8.first))

    private static func readReference(
        at start: Substring.Index, in text: Substring, hasDollarSign isSigned: Bool
    )
        -> ImageReference?
    {
        let nameStart = isSigned ? text.index(after: start) : start
        var end = nameStart
        var length = 0
        while end < text.endIndex, length < AssetName.longestBytes {
            let character = text[end]
            guard isNameCharacter(character) || (isSigned && character == " ") else { break }
            end = text.index(after: end)
            length += 1
            // The name ends at the first image ending that is not followed by a name character.
            guard end == text.endIndex || !isNameCharacter(text[end]) || isFullStop(at: end, in: text) else {
                continue
            }
            guard let name = try? AssetName(String(text[nameStart..<end])), name.isImage else { continue }
            let behind = text[end...].drop { $0 == " " }
            if behind.first == "," {
                return ImageReference(
                    range: start..<behind.index(after: behind.startIndex), name: name, hasCaption: true)
            }
            guard isSigned || behind.isEmpty else { return nil }
            return ImageReference(range: start..<end, name: name, hasCaption: false)
        }
        return nil
    }

    /// True if the dot at an index is a sentence's full stop and not part of a file name.
    private static func isFullStop(at index: Substring.Index, in text: Substring) -> Bool {
        guard text[index] == "." else { return false }
        let next = text.index(after: index)
        return next == text.endIndex || !isNameCharacter(text[next])
    }

    private static func isNameCharacter(_ character: Character) -> Bool {
        guard let code = character.asciiValue else { return character.isLetter || character.isNumber }
        return switch code {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
