import Basics
import Foundation
import Hosting
import ShowControl

/// The OSC targets that were added on the console: a list in `DATA/osc-targets.json`.
enum OSCTargetFile {
    struct Entry: Codable {
        /// One line of at most 40 characters without `=`.
        var name: String
        /// `host:port`; over TCP with `tcp:` or `slip:` before it.
        var address: String
        /// True if it is told the show's state; left out counts as false.
        var receivesState: Bool?

        init(_ target: OSCTarget) {
            (name, address, receivesState) = (target.name, target.address, target.receivesState)
        }

        /// - Throws: ``ExplainedError`` if the name or the address cannot be used.
        func makeTarget() throws(ExplainedError) -> OSCTarget {
            let name = name.trimmingCharacters(in: .whitespaces)
            guard (1...40).contains(name.count), !name.contains("="),
                !name.unicodeScalars.contains(where: \.isControlOrLineBreak)
            else {
                throw ExplainedError(
                    "“\(name.prefix(60))” cannot be a target's name; write one to 40 characters in one line, "
                        + "without “=”.")
            }
            let place = address.trimmingCharacters(in: .whitespaces)
            guard !place.contains("=") else { throw ShowControlError.notHostAndPort(place) }
            var target = try OSCTarget("\(name)=\(place)", receivesState: receivesState ?? false)
            target.isAdded = true
            return target
        }
    }

    static func path(in dataFolder: String) -> String { dataFolder + "/osc-targets.json" }

    /// Writes those of the targets that were added.
    static func write(_ targets: [OSCTarget], to path: String) throws {
        try JSONFile.write(targets.filter(\.isAdded).map(Entry.init), to: path)
    }

    /// Returns the settings with the added targets. What cannot be used is left out, with a sentence for each.
    static func addingTargets(
        to settings: ShowControlService.Settings?, dataFolder: String, say: (String) -> Void
    ) -> ShowControlService.Settings? {
        guard var settings, let bytes = FileManager.default.contents(atPath: path(in: dataFolder)) else {
            return settings
        }
        guard let entries = try? JSONDecoder().decode([Entry].self, from: bytes) else {
            let copy = FileBackup.makeCopy(of: path(in: dataFolder)).map { "; it is kept as \($0)" } ?? ""
            say(
                "The list of OSC targets \(path(in: dataFolder)) is damaged\(copy). Add them again on the console.\n"
            )
            return settings
        }
        for entry in entries where settings.targets.count < OSCStateReceivers.maximumTargets {
            do throws(ExplainedError) {
                let target = try entry.makeTarget()
                // A target of the same name on the command line counts.
                guard !settings.targets.contains(where: { $0.isIdentified(by: target.name) }) else {
                    continue
                }
                var alone = settings
                alone.targets = [target]
                try alone.refuseTargetsAtThisServer()
                settings.targets.append(target)
            } catch {
                say("The OSC target “\(entry.name)” is left out: \(error.sentence)\n")
            }
        }
        return settings
    }
}
