import Diary
import Foundation

/// The countries of ISO 3166-1 with their names in many languages, from Debian's package iso-codes.
package struct CountryList: Sendable {
    package var countries: [Country]
    /// Says that the list is empty, and what to do; nil if it is there.
    package var missingSentence: String?

    package init(countries: [Country], missingSentence: String? = nil) {
        (self.countries, self.missingSentence) = (countries, missingSentence)
    }

    /// The list that is installed on this machine.
    package static var installed: CountryList { CountryList(root: "/usr/share") }

    /// The languages whose names are read, beside English. All of them together have 60,000 names.
    static let languages = [
        "ar", "bg", "ca", "cs", "da", "de", "el", "es", "et", "fi", "fr", "he", "hr", "hu", "it", "ja", "ko",
        "lt",
        "lv", "nb", "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "tr", "uk", "vi", "zh_CN",
    ]

    private struct ISOFile: Decodable {
        struct Entry: Decodable {
            var alpha_2: String
            var name: String
            var common_name: String?
        }

        var entries: [Entry]

        enum CodingKeys: String, CodingKey { case entries = "3166-1" }
    }

    /// - Parameter root: the folder with `iso-codes/json` and `locale`.
    init(root: String) {
        guard let bytes = try? Data(contentsOf: URL(filePath: root + "/iso-codes/json/iso_3166-1.json")),
            let file = try? JSONDecoder().decode(ISOFile.self, from: bytes)
        else {
            countries = []
            missingSentence =
                "The diary has no list of countries, because the package iso-codes is not installed; install it "
                + "(apt-get install iso-codes) and start again."
            return
        }
        let translations = Self.languages.compactMap { language -> (String, TranslationFile)? in
            let path = "\(root)/locale/\(language)/LC_MESSAGES/iso_3166-1.mo"
            return TranslationFile(path: path).map { (language.replacingOccurrences(of: "_", with: "-"), $0) }
        }
        countries = file.entries.map { entry in
            var names = ["en": entry.common_name ?? entry.name]
            for (language, words) in translations {
                names[language] = entry.common_name.flatMap { words[$0] } ?? words[entry.name]
            }
            return Country(code: entry.alpha_2, name: names)
        }.sorted { $0.code < $1.code }
    }
}

/// The translations of a compiled gettext file (`.mo`). A file that is damaged has no translations.
struct TranslationFile {
    private let words: [String: String]

    subscript(word: String) -> String? { words[word] }

    init?(path: String) {
        guard let data = try? Data(contentsOf: URL(filePath: path)), data.count < 4 << 20 else { return nil }
        self.init(Array(data))
    }

    init?(_ bytes: [UInt8]) {
        func number(_ offset: Int) -> Int? {
            guard offset >= 0, offset + 4 <= bytes.count else { return nil }
            return (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        func text(_ table: Int, _ index: Int) -> String? {
            guard let length = number(table + 8 * index), let start = number(table + 8 * index + 4),
                length >= 0,
                start >= 0, start + length <= bytes.count
            else { return nil }
            return String(validating: bytes[start..<start + length], as: UTF8.self)
        }
        guard number(0) == 0x9504_12de, let count = number(8), count < 100_000, let originals = number(12),
            let translated = number(16)
        else { return nil }
        var found: [String: String] = [:]
        for index in 0..<count {
            guard let word = text(originals, index), let other = text(translated, index), !word.isEmpty,
                !other.isEmpty
            else { continue }
            found[word] = other
        }
        words = found
    }
}
