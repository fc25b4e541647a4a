/// The settings of a named screen that a technician changes; a setting that is nil stays as it is, so that two people
/// can change different settings of one screen.
struct ScreenSettingsChange: Decodable, Sendable {
    var shows: String?
    var languages: [String]?
    var size: Double?
    var colours: [String]?
    var sizes: [Double]?
    var position: String?
    var align: String?
    var lettering: String?
    var font: String?
    var margins: [Double]?
    var brightness: Double?
    var area: Double?
    var ground: String?
    var ignoresBlank: Bool?
    var fallsBack: Bool?
    var filmOffset: Int?

    /// Returns the settings after this change. They are not checked; see ``ScreenSettings/fault``.
    func applied(to settings: ScreenSettings) -> ScreenSettings {
        var changed = settings
        changed.shows = shows ?? settings.shows
        changed.languages = languages ?? settings.languages
        changed.size = size ?? settings.size
        changed.colours = colours ?? settings.colours
        changed.sizes = sizes ?? settings.sizes
        changed.position = position ?? settings.position
        changed.align = align ?? settings.align
        changed.lettering = lettering ?? settings.lettering
        changed.font = font ?? settings.font
        changed.margins = margins ?? settings.margins
        changed.brightness = brightness ?? settings.brightness
        changed.area = area ?? settings.area
        changed.ground = ground ?? settings.ground
        changed.ignoresBlank = ignoresBlank ?? settings.ignoresBlank
        changed.fallsBack = fallsBack ?? settings.fallsBack
        changed.filmOffset = filmOffset ?? settings.filmOffset
        return changed
    }
}
