// The detector as a program: PGM files in, a line of JSON for each out. Research/detect-measures compiles it.
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
let wantsFeatures = arguments.first == "--features"

/// The most memory that this process had so far, in megabytes.
func mostMemory() throws -> Double {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropFirst().first).flatMap { Double($0) }.map { $0 / 1024 } ?? 0
}

for name in arguments.drop(while: { $0.hasPrefix("--") }) {
    let image = try GreyImage(pgm: [UInt8](Data(contentsOf: URL(fileURLWithPath: name))))
    let began = Date()
    let reading = PageReading(image)
    let frames = reading.frames()
    let measures = reading.measures()
    var answer: [String: Any] = ["file": name, "seconds": Date().timeIntervalSince(began)]
    answer["measures"] = zip(measures, frames).map { measure, frame in
        let box = measure.box
        var told: [String: Any] = [
            "system": measure.system, "confidence": measure.confidence,
            "box": [box.x, box.y, box.x + box.width, box.y + box.height],
        ]
        if wantsFeatures { told["features"] = frame.features }
        return told
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
                        "features": stroke.features, "odds": stroke.odds,
                        "picture": Data(stroke.picture).base64EncodedString(),
                    ] as [String: Any]
                }
            }
        }
        answer["lines"] = zip(reading.systems, reading.candidates).flatMap { system, candidates in
            candidates.map { line in
                [
                    "at": place(line.centre, system.middleRow),
                    "space": place(line.centre + system.space, system.middleRow), "features": line.features,
                    "probability": line.probability,
                ] as [String: Any]
            }
        }
    }
    answer["megabytes"] = try mostMemory()
    // Each line at once, so that whoever waits for it sees how far the work is.
    FileHandle.standardOutput.write(try JSONSerialization.data(withJSONObject: answer) + [0x0A])
}
