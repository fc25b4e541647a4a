import Concert

/// The app's own pictures among a concert's files: those that are named splash, help or info, whatever their ending.
struct ContentPictures: Equatable, Sendable {
    /// The cover: while there is nothing else to see.
    var splash: ContentAsset?
    /// How the app is used.
    var help: ContentAsset?
    /// About the concert: sponsors, a house.
    var info: ContentAsset?

    /// Of several with one name (`info.png`, `info.svg`), the first by its whole name.
    init(_ assets: [ContentAsset]) {
        func named(_ word: String) -> ContentAsset? {
            assets.filter { $0.place == .AppAssets && $0.type.hasPrefix("image/") && $0.name.stem == word }
                .min { $0.name.text < $1.name.text }
        }
        (splash, help, info) = (named("splash"), named("help"), named("info"))
    }
}

extension AssetName {
    /// In small letters, without the ending: `splash` of `Splash.png`.
    var stem: String {
        let text = text.lowercased()
        return text.lastIndex(of: ".").map { String(text[..<$0]) } ?? text
    }
}

extension ContentAsset {
    /// Where phones find it. What bears the same name at every concert tells by its digest which one it is, so that
    /// no phone shows last week's.
    func address(as name: String? = nil) -> String {
        "/images/\(place == .AppAssets ? "AppAssets/" : "")\(name ?? self.name.text)?v=\(digest.prefix(8))"
    }
}
