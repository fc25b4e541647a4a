/// The drawing of a stamp: strokes, fills and letters in a square of 1,000 by 1,000 units around its centre, with y
/// downwards.
///
/// Music stands draw the same paths (Sources/Services/Stands/Pages/stand/remarks/stamps.js); change both files
/// together.
struct StampDrawing: Equatable {
    /// A path that is stroked with round ends; a path of one point is a dot.
    struct StrokedPath: Equatable {
        let strokeWidth: Double
        let svgPath: String

        init(_ width: Double, _ path: String) {
            self.strokeWidth = width
            self.svgPath = path
        }
    }

    /// Slanted letters of a given height, centred at `centreX`.
    struct Letters: Equatable {
        let text: String
        let letterHeight: Double
        let centreX: Double

        init(_ text: String, letterHeight: Double, centreX: Double = 0) {
            self.text = text
            self.letterHeight = letterHeight
            self.centreX = centreX
        }
    }

    /// The distance of the letters' baseline below their middle, as a fraction of their height.
    static let baselineOffset = 0.27

    let strokedPaths: [StrokedPath]
    let filledPaths: [String]
    let letters: Letters?

    private init(strokedPaths: [StrokedPath] = [], filledPaths: [String] = [], letters: Letters? = nil) {
        self.strokedPaths = strokedPaths
        self.filledPaths = filledPaths
        self.letters = letters
    }

    /// - Returns: nil for letters in a box, because the width of the box depends on the letters.
    init?(_ stamp: AnnotationStamp) {
        switch stamp {
        case .downBow:
            self.init(
                strokedPaths: [StrokedPath(80, "M-360 440L-360 -400L360 -400L360 440")],
                filledPaths: ["M-360 -400L360 -400L360 -110L-360 -110Z"])
        case .upBow:
            self.init(
                strokedPaths: [StrokedPath(85, "M-280 -480L0 480L280 -480")])
        case .slur:
            self.init(
                strokedPaths: [StrokedPath(20, "M-900 240C-500 -260 500 -260 900 240")],
                filledPaths: ["M-900 240C-500 -260 500 -260 900 240C500 -140 -500 -140 -900 240Z"])
        case .pizzicato:
            self.init(
                letters: Letters("pizz.", letterHeight: 720))
        case .arco:
            self.init(
                letters: Letters("arco", letterHeight: 720))
        case .mute:
            self.init(
                letters: Letters("con sord.", letterHeight: 720))
        case .breath:
            self.init(
                filledPaths: [
                    "M-60 -330C60 -400 190 -310 170 -130C150 80 20 260 -130 360"
                        + "C-20 220 50 80 40 -30C-60 0 -150 -70 -150 -170C-150 -250 -110 -300 -60 -330"
                        + "Z"
                ])
        case .caesura:
            self.init(
                strokedPaths: [StrokedPath(80, "M-310 480L-30 -480"), StrokedPath(80, "M30 480L310 -480")])
        case .fermata:
            self.init(
                strokedPaths: [StrokedPath(190, "M0 130L0 130")],
                filledPaths: ["M-500 240C-500 -480 500 -480 500 240L450 240C410 -290 -410 -290 -450 240Z"])
        case .accent:
            self.init(
                strokedPaths: [StrokedPath(80, "M-450 -230L450 0L-450 230")])
        case .staccato:
            self.init(
                strokedPaths: [StrokedPath(260, "M0 0L0 0")])
        case .tenuto:
            self.init(
                strokedPaths: [StrokedPath(110, "M-420 0L420 0")])
        case .marcato:
            self.init(
                strokedPaths: [StrokedPath(95, "M-260 380L0 -390L260 380")])
        case .trill:
            self.init(
                strokedPaths: [
                    StrokedPath(
                        75,
                        "M-120 30C-60 -110 20 -110 90 0C160 110 240 110 310 0"
                            + "C380 -110 460 -110 530 0C600 110 670 110 740 -10")
                ],
                letters: Letters("tr", letterHeight: 860, centreX: -430))
        case .crescendo:
            self.init(
                strokedPaths: [StrokedPath(60, "M950 -280L-950 0L950 280")])
        case .diminuendo:
            self.init(
                strokedPaths: [StrokedPath(60, "M-950 -280L950 0L-950 280")])
        case .sharp:
            self.init(
                strokedPaths: [
                    StrokedPath(60, "M-120 -400L-120 500"), StrokedPath(60, "M120 -500L120 400"),
                    StrokedPath(125, "M-240 -100L240 -200"), StrokedPath(125, "M-240 200L240 100"),
                ])
        case .flat:
            self.init(
                strokedPaths: [StrokedPath(60, "M-190 -560L-190 420")],
                filledPaths: [
                    "M-190 -20C-60 -150 230 -160 230 50C230 210 20 320 -190 450L-190 340"
                        + "C-50 250 90 160 90 60C90 -60 -70 -40 -190 90Z"
                ])
        case .natural:
            self.init(
                strokedPaths: [
                    StrokedPath(60, "M-170 -520L-170 230"), StrokedPath(60, "M170 -230L170 520"),
                    StrokedPath(125, "M-140 -140L140 -210"), StrokedPath(125, "M-140 210L140 140"),
                ])
        case .glasses:
            self.init(
                strokedPaths: [
                    StrokedPath(
                        75,
                        "M-470 60C-470 -51 -381 -140 -270 -140C-159 -140 -70 -51 -70 60"
                            + "C-70 171 -159 260 -270 260C-381 260 -470 171 -470 60Z"),
                    StrokedPath(
                        75,
                        "M70 60C70 -51 159 -140 270 -140C381 -140 470 -51 470 60"
                            + "C470 171 381 260 270 260C159 260 70 171 70 60Z"),
                    StrokedPath(75, "M-70 30C-40 -40 40 -40 70 30"), StrokedPath(75, "M-470 30L-570 -190"),
                    StrokedPath(75, "M470 30L570 -190"),
                ])
        case .attention:
            self.init(
                strokedPaths: [
                    StrokedPath(80, "M0 -430L500 400L-500 400Z"), StrokedPath(100, "M0 -150L0 130"),
                    StrokedPath(110, "M0 270L0 270"),
                ])
        case .dynamicMark(let letters): self.init(letters: Letters(letters, letterHeight: 1_000))
        case .boxedLetters: return nil
        }
    }
}
