/// A page as the detector reads it: its orientation, its staves, and the possible bar lines of its systems.
struct PageReading {
    var turn: PageTurn
    var slants = SlantField()
    /// How much more ink the staves have at their right ends than at their left ends, where clefs stand.
    private var endWeight = 0.0
    var systems: [StaffSystem] = []
    var candidates: [[SystemBarLine]] = []

    /// Pictures with more pixels than this are shrunk first, so that none takes long.
    static let mostPixels = 12_000_000

    init(_ given: GreyImage) {
        turn = PageTurn(quarters: 0, slope: 0, width: given.width, height: given.height)
        guard given.width >= 100, given.height >= 100 else { return }
        var image = given.shrunk(toPixels: Self.mostPixels)
        (turn.width, turn.height) = (image.width, image.height)
        var dark = PageDarkness(image)
        let down = StaffScale(dark.levelInk(), along: .down)
        let across = StaffScale(dark.uprightInk(), along: .across)
        if let across, across.strength > (down?.strength ?? 0) * 3 / 2 {
            turn.quarters = 1
            image = PageTurn.turned(image, quarters: 1)
            dark = PageDarkness(image)
        }
        read(image, dark)
        let staves = systems.reduce(0) { $0 + $1.staves.count }
        guard staves > 0, endWeight > 0.05 * Double(staves) else { return }
        turn.quarters += 2
        turn.slope = 0
        image = PageTurn.turned(image, quarters: 2)
        read(image, PageDarkness(image))
    }

    private mutating func read(_ image: GreyImage, _ first: PageDarkness) {
        (systems, candidates) = ([], [])
        var dark = first
        var level = dark.levelInk()
        guard var scale = StaffScale(level, along: .down) else { return }
        var profiles = LineProfiles(level, scale)
        let slope = profiles.slope()
        if abs(slope) * Double(image.width) > 3 {
            turn.slope = slope
            dark = PageDarkness(PageTurn.levelled(image, slope: slope))
            level = dark.levelInk()
            scale = StaffScale(level, along: .down) ?? scale
            profiles = LineProfiles(level, scale)
        }
        let ink = dark.uprightInk()
        let staves = StaffTracker(profiles: profiles, ink: level, scale: scale).staves()
        slants = SlantField(staves, ink)
        let strips = staves.map { StaffStrip($0, ink, slants) }
        endWeight = strips.reduce(0) { $0 + $1.endWeight }
        let strokes = strips.map { StrokeFinder($0).strokes().map(BarLineJudge.judged) }
        systems = SystemGrouping(ink: ink, slants: slants).systems(staves, strokes)
        candidates = systems.map { system in
            BarLineJudge.likeTheirNeighbours(
                SystemBarLineFinder(system: system, slants: slants).candidates().map(BarLineJudge.judged))
        }
    }
}

extension GreyImage {
    /// Returns the picture with every second, third, … row and column left out until it has few enough pixels.
    func shrunk(toPixels most: Int) -> GreyImage {
        var step = 1
        while (width / step) * (height / step) > most { step += 1 }
        guard step > 1 else { return self }
        let (newWidth, newHeight) = (width / step, height / step)
        var small = [UInt8](repeating: 255, count: newWidth * newHeight)
        for y in 0..<newHeight {
            for x in 0..<newWidth {
                var sum = 0
                for down in 0..<step {
                    for across in 0..<step {
                        sum += Int(pixels[(y * step + down) * width + x * step + across])
                    }
                }
                small[y * newWidth + x] = UInt8(sum / (step * step))
            }
        }
        return GreyImage(width: newWidth, height: newHeight, pixels: small)
    }
}
