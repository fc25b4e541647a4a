import Diary

/// Changes the works of an entry.
extension EntryEdit {
    /// Checks that the new list lacks no work that was heard, because what is known of its performance would be lost.
    static func checkHeardWorksStay(
        _ works: [EntryFieldValue.Work], in programme: ConcertProgramme
    ) throws(DiaryInputFault) {
        var changed = programme
        try setWorks(works, in: &changed)
        let kept = Set(changed.items.compactMap(\.heard))
        let lost = programme.items.filter { $0.heard.map { !kept.contains($0) } ?? false }
        guard !lost.isEmpty else { return }
        let titles = Set(lost.map { "“\($0.title)”" }).sorted().joined(separator: ", ")
        throw DiaryInputFault(
            "works",
            "Heard in this concert: \(titles). If you remove that, its times, tempo and confidence are lost for good.",
            status: 409, code: "heard-works")
    }

    /// Changes the list of works. A work that stays keeps what was heard of it.
    static func setWorks(
        _ works: [EntryFieldValue.Work], in programme: inout ConcertProgramme
    ) throws(DiaryInputFault) {
        guard works.count <= mostWorks else {
            throw DiaryInputFault("works", "An entry has at most \(mostWorks) works; write fewer.")
        }
        let (groups, old) = (programme.workGroups, programme.items)
        let intervals = old.enumerated().filter { $0.element.kind != .work }
        var unused = groups.indices.map { Optional(groups[$0]) }
        var items: [(item: ProgrammeItem, origin: FieldOrigin, from: Int?)] = []
        for (index, work) in works.enumerated() {
            let composer = try checkedText(work.composer, "works", limit: longestTextBytes)
            let title = try checkedText(work.title, "works", limit: longestTextBytes)
            guard !title.isEmpty else {
                throw DiaryInputFault("works", "Work \(index + 1) has no title; write one.")
            }
            let same = unused.firstIndex { $0?.title == title && $0?.composer == composer }
            // A work at the same place, which stands nowhere else, has got another name.
            let renamed =
                unused.indices.contains(index) && unused[index] != nil
                    && !works.contains {
                        $0.title == groups[index].title && $0.composer == groups[index].composer
                    }
                ? index : nil
            guard let slot = same ?? renamed, let group = unused[slot] else {
                items.append((ProgrammeItem(composer: composer, title: title), .typed, nil))
                continue
            }
            unused[slot] = nil
            for place in group.items {
                var item = old[place]
                if same == nil { (item.composer, item.title, item.work) = (composer, title, nil) }
                items.append(
                    (item, same == nil ? .typed : programme.provenance.origin(of: "items/\(place)"), place))
            }
        }
        for (place, interval) in intervals {
            let after = items.lastIndex { $0.from.map { $0 < place } ?? false }.map { $0 + 1 } ?? 0
            items.insert((interval, programme.provenance.origin(of: "items/\(place)"), place), at: after)
        }
        programme.items = items.map(\.item)
        let before = programme.provenance.fields
        programme.provenance.fields = before.filter { !$0.key.hasPrefix("items") }
        for (index, item) in items.enumerated() {
            programme.provenance.set(item.origin, for: "items/\(index)")
            // The fields of an item go with it: what was typed of its performers stays typed.
            guard let from = item.from else { continue }
            for (path, origin) in before.sorted(by: { $0.key < $1.key })
            where path.hasPrefix("items/\(from)/") {
                programme.provenance.set(
                    origin, for: "items/\(index)/" + path.dropFirst("items/\(from)/".count))
            }
        }
    }
}
