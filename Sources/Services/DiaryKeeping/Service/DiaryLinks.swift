import Diary
import Foundation

/// Links from an entry to the house's other material of that evening: the report, the recording, the slides.
struct DiaryLinks: Sendable {
    let data: String
    /// The folder of the show that is running; nil if there is none.
    let runningShow: @Sendable () -> String?
    /// The name of the running evening, the same on both servers of a pair.
    let runningEvening: @Sendable () -> String?

    /// The addresses by name. Those who run the house see all; listeners the slides of a concert that is served now.
    func links(of programme: ConcertProgramme, for viewer: DiaryViewer) -> [String: String] {
        guard let show = programme.items.lazy.compactMap(\.heard?.show).first, show == runningEvening() else {
            return recording(of: programme, for: viewer)
        }
        var links = recording(of: programme, for: viewer)
        links["slides"] = "/"
        if viewer.isStaff { links["report"] = "/report" }
        return links
    }

    private func recording(of programme: ConcertProgramme, for viewer: DiaryViewer) -> [String: String] {
        guard let role = viewer.person?.role, role == .technician || role == .administrator,
            let show = programme.items.lazy.compactMap(\.heard?.show).first, !show.contains("/"),
            // The recording has the name of this server's own log.
            let name = show == runningEvening() ? runningShow() : show,
            FileManager.default.fileExists(atPath: "\(data)/recordings/\(name)/recording.json")
        else { return [:] }
        return ["recording": "/recordings"]
    }
}
