// The detector as a program: PGM files in, a line of JSON for each out. Tools/detect-measures compiles it.
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
let wantsFeatures = arguments.first == "--features"

for name in arguments.drop(while: { $0.hasPrefix("--") }) {
    let image = try GreyImage(pgm: [UInt8](Data(contentsOf: URL(fileURLWithPath: name))))
    let began = Date()
    let reading = PageReading(image)
    let measures = reading.measures()
    var answer: [String: Any] = ["file": name, "seconds": Date().timeIntervalSince(began)]
    answer["measures"] = measures.map {
        [
            "system": $0.system, "confidence": $0.confidence,
            "box": [$0.box.x, $0.box.y, $0.box.x + $0.box.width, $0.box.y + $0.box.height],
        ] as [String: Any]
    }
    func place(_ x: Double, _ y: Double) -> [Double] {
        let share = reading.turn.shareOfGivenPage(x, y)
        return [share.x, share.y]
    }
    answer["staves"] = reading.systems.map(\.staves.count)
    answer["quarters"] = reading.turn.quarters
    if wantsFeatures {
        answer["strokes"] = reading.systems.flatMap { system in
            zip(system.staves, system.strokes).flatMap { staff, strokes in
                strokes.map { stroke in
                    let row = staff.middle(at: stroke.centre)
                    return [
                        "at": place(stroke.centre, row), "space": place(stroke.centre + staff.space, row),
                        "features": stroke.features,
                    ] as [String: Any]
                }
            }
        }
        answer["lines"] = zip(reading.systems, reading.candidates).flatMap { system, candidates in
            candidates.map { line in
                [
                    "at": place(line.centre, system.middleRow),
                    "space": place(line.centre + system.space, system.middleRow), "features": line.features,
                ] as [String: Any]
            }
        }
    }
    print(String(decoding: try JSONSerialization.data(withJSONObject: answer), as: UTF8.self))
}
