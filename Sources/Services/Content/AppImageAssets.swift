import Concert

/// The app's own images among a concert's assets: those whose names are splash, help or info, with any extension.
struct AppImageAssets: Equatable, Sendable {
    /// Cover image, shown while there is nothing else to see.
    var splashImage: ContentAsset?
    /// Image that explains the use of the app.
    var helpImage: ContentAsset?
    /// Image about the concert, showing for example its sponsors or venue.
    var infoImage: ContentAsset?

    /// Finds the images by name. If several assets have one of the names (`info.png`, `info.svg`), the alphabetically
    /// first counts.
    init(_ assets: [ContentAsset]) {
        func named(_ word: String) -> ContentAsset? {
            assets.filter {
                $0.folder == .AppAssets && $0.mediaType.hasPrefix("image/") && $0.name.lowercasedStem == word
            }
            .min { $0.name.text < $1.name.text }
        }
        (splashImage, helpImage, infoImage) = (named("splash"), named("help"), named("info"))
    }
}

extension AssetName {
    /// The name in lower case without the extension: `splash` for `Splash.png`.
    package var lowercasedStem: String {
        let text = text.lowercased()
        return text.lastIndex(of: ".").map { String(text[..<$0]) } ?? text
    }
}

extension ContentAsset {
    /// The path of the file in web addresses. It contains part of the digest, so that a phone does not show an older
    /// file of the same name from its cache.
    package func address(as name: String? = nil) -> String {
        "/images/\(folder == .AppAssets ? "AppAssets/" : "")\(name ?? self.name.text)?v=\(digest.prefix(8))"
    }
}
