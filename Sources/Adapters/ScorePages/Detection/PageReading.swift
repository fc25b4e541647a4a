/// A page as the detector reads it: its orientation, its staves, and the possible bar lines of its systems.
struct PageReading {
    var turn: PageTurn
    var slants = SlantField()
    /// The ink of all staves at their right ends minus the ink at their left ends, where clefs stand.
    private var endWeight = 0.0
    private var reach = 0
    var systems: [StaffSystem] = []
    var candidates: [[SystemBarLine]] = []
    /// The staves of each system, laid out level.
    var strips: [[StaffStrip]] = []

    /// Pictures with more pixels than this are shrunk first, so that none takes long.
    static let mostPixels = 12_000_000

    /// The reach of smoothing along level lines, in pixels on either side: usually, and if copying has broken them.
    private static let (usualReach, brokenReach) = (4, 14)
    /// Fewer staves than this, or staves of which less is clear, may be what is left of broken ones.
    private static let (fewStaves, clearEnough) = (3, 0.6)

    /// By how much the left end of a staff is darker than its right end at least, if a clef is seen.
    private static let clearClefs = 0.05

    init(_ given: GreyImage) {
        turn = PageTurn(quarters: 0, slope: 0, width: given.width, height: given.height)
        guard given.width >= 100, given.height >= 100 else { return }
        let image = given.shrunk(toPixels: Self.mostPixels)
        (turn.width, turn.height) = (image.width, image.height)
        let dark = PageDarkness(image)
        let down = StaffScale(dark.levelInk(reach: Self.usualReach), along: .down)
        let across = StaffScale(dark.uprightInk(), along: .across)
        let isOnSide = (across?.strength ?? 0) > (down?.strength ?? 0) * 3 / 2
        read(image, dark, quarters: isOnSide ? 1 : 0, reach: Self.usualReach)
        if hasFewStaves {
            for quarters in [turn.quarters, 1 - turn.quarters] {
                var other = self
                other.read(image, dark, quarters: quarters, reach: Self.brokenReach)
                if other.clearLength > clearLength * 1.2 { self = other }
            }
        }
        setUpright(image)
    }

    /// Turns a page round that lies upside down: clefs stand at the left ends of staves. If those do not say it, the
    /// lines do that join staves at their left ends.
    private mutating func setUpright(_ image: GreyImage) {
        let staves = Double(systems.reduce(0) { $0 + $1.staves.count })
        guard staves > 0, endWeight > -Self.clearClefs * staves else { return }
        var other = self
        other.read(image, nil, quarters: turn.quarters + 2, reach: reach)
        if endWeight > Self.clearClefs * staves || other.leftLines > leftLines { self = other }
    }

    /// The lines that join neighbouring staves at their left ends.
    private var leftLines: Int { systems.flatMap(\.gaps).count { $0.leftLine >= 0.9 } }

    private var hasFewStaves: Bool {
        let shares = systems.flatMap(\.staves).map(\.clearShare).sorted()
        return shares.count < Self.fewStaves || shares[shares.count / 2] < Self.clearEnough
    }

    /// The length of all staff lines that are seen clearly, in pixels.
    private var clearLength: Double {
        systems.flatMap(\.staves).reduce(0) { $0 + $1.clearShare * ($1.right - $1.left) }
    }

    /// Reads the page as it was given, turned clockwise by quarters. `first` is its darkness before it is turned.
    private mutating func read(_ given: GreyImage, _ first: PageDarkness?, quarters: Int, reach: Int) {
        (turn.quarters, turn.slope, self.reach) = (quarters, 0, reach)
        (systems, candidates, strips, endWeight) = ([], [], [], 0)
        let image = PageTurn.turned(given, quarters: quarters)
        var dark = quarters == 0 ? first ?? PageDarkness(image) : PageDarkness(image)
        var level = dark.levelInk(reach: reach)
        guard var scale = StaffScale(level, along: .down) else { return }
        var profiles = LineProfiles(level, scale)
        let slope = profiles.slope()
        if abs(slope) * Double(image.width) > 3 {
            turn.slope = slope
            dark = PageDarkness(PageTurn.levelled(image, slope: slope))
            level = dark.levelInk(reach: reach)
            scale = StaffScale(level, along: .down) ?? scale
            profiles = LineProfiles(level, scale)
        }
        let ink = dark.uprightInk()
        let staves = StaffTracker(profiles: profiles, ink: level, scale: scale).staves()
        slants = SlantField(staves, ink)
        var levelStrips = staves.map { StaffStrip($0, ink, slants) }[...]
        endWeight = levelStrips.reduce(0) { $0 + $1.endWeight }
        let strokes = levelStrips.map { StrokeFinder($0).strokes().map(BarLineJudge.judged) }
        slants = slants.aligned(staves, strokes, ink)
        systems = SystemGrouping(ink: ink, slants: slants).systems(staves, strokes)
        candidates = systems.map { system in
            SystemBarLineFinder(system: system, slants: slants).candidates().map(BarLineJudge.judged)
        }
        for system in systems {
            strips.append(Array(levelStrips.prefix(system.staves.count)))
            levelStrips = levelStrips.dropFirst(system.staves.count)
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
