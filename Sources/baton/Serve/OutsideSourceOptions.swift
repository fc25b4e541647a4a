import ArgumentParser
import Composition

/// Options for the outside sources of the diary.
struct OutsideSourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Let people ask MusicBrainz from the diary: https://musicbrainz.org, or a mirror; off unless given.",
            valueName: "url"))
    var musicbrainz: String?

    @Option(
        help: ArgumentHelp(
            "Let people ask setlist.fm from the diary, with the key in this file; off unless given.",
            valueName: "file"),
        completion: .file())
    var setlistfmKeyFile: String?

    @Option(help: ArgumentHelp("Another address of setlist.fm.", valueName: "url", visibility: .hidden))
    var setlistfm = OutsideSourceSettings().setlistFMAddress

    @Option(
        help: ArgumentHelp(
            "Let people look for videos on YouTube from the diary, with the key in this file; off unless given.",
            valueName: "file"),
        completion: .file())
    var youtubeKeyFile: String?

    @Option(
        help: ArgumentHelp("Another address of YouTube's interface.", valueName: "url", visibility: .hidden))
    var youtube = OutsideSourceSettings().youTubeAddress

    @Option(
        help: ArgumentHelp(
            "Mail address or web address of the house, which these sources are told.", valueName: "address"))
    var contact: String?

    var settings: OutsideSourceSettings {
        var settings = OutsideSourceSettings()
        (settings.musicBrainz, settings.setlistFMKeyFile) = (musicbrainz, setlistfmKeyFile)
        (settings.setlistFMAddress, settings.contact) = (setlistfm, contact)
        (settings.youTubeKeyFile, settings.youTubeAddress) = (youtubeKeyFile, youtube)
        return settings
    }
}
