import Diary

/// The answer of a source, with the source's name, which the page shows next to it.
struct OutsideAnswer<Found: Encodable>: Encodable {
    var source: String
    var found: [Found]
}

struct OutsideEnsembleJSON: Encodable {
    var mbid: String
    var name: String
    var facts: String
    var link: String

    init(_ found: OutsideEnsemble) {
        (mbid, name, link) = (found.mbid, found.name, found.link)
        facts = [found.kind, found.area, found.remark, found.genre].filter { !$0.isEmpty }
            .joined(separator: " · ")
    }
}

struct OutsideWorkJSON: Encodable {
    var mbid: String
    var title: String
    var composer: String
    var facts: String
    var link: String

    init(_ found: OutsideWork) {
        (mbid, title, composer, link) = (found.mbid, found.title, found.composer, found.link)
        facts = [found.composer, found.kind, found.remark].filter { !$0.isEmpty }.joined(separator: " · ")
    }
}

struct OutsideSetlistJSON: Encodable {
    var id: String
    var date: String
    var ensemble: String
    var tour: String
    var venue: String
    var city: String
    var works: [EntryFieldValue.Work]
    var link: String

    init(_ found: OutsideSetlist) {
        (id, date, ensemble, tour) = (found.id, found.date.description, found.ensemble, found.tour)
        (venue, city, link) = (found.venue, found.city, found.link)
        works = found.songs.map { .init(composer: $0.composer, title: $0.title) }
    }
}

struct OutsideVideoJSON: Encodable {
    var title: String
    var facts: String
    var link: String

    init(_ found: OutsideVideo) {
        (title, link) = (found.title, found.link)
        facts = [found.channel, found.published?.description ?? ""].filter { !$0.isEmpty }.joined(
            separator: " · ")
    }
}
