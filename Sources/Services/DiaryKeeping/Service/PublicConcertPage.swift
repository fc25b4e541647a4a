import Diary

/// The page of a published concert that search engines and shared links open. It needs no script.
enum PublicConcertPage {
    /// - Parameter jsonLD: the concert as schema.org knows it; safe within a `script` element.
    static func text(
        _ concert: DiaryConcert, of programme: ConcertProgramme, by ensemble: Ensemble?, jsonLD: String
    ) -> String {
        let title = programme.title ?? ensemble?.name ?? "A concert"
        let place = [concert.venue, concert.city ?? concert.location].compactMap { $0 }.joined(
            separator: ", ")
        let when = concert.date.description + (concert.time.map { ", \($0)" } ?? "")
        let works = programme.workGroups.map { group in
            let movements = group.items.flatMap { programme.items[$0].movements }
            let name = [group.composer, group.title].filter { !$0.isEmpty }.joined(separator: ": ")
            let list =
                movements.isEmpty
                ? "" : "<br><small>" + escaped(movements.joined(separator: " · ")) + "</small>"
            return "    <li>\(escaped(name))\(list)</li>"
        }
        return """
            <!doctype html>
            <html lang="en">
            <head>
              <meta charset="utf-8">
              <meta name="viewport" content="width=device-width, initial-scale=1">
              <title>\(escaped(title)) · Diary</title>
              <link rel="icon" href="/shared/mark.svg" type="image/svg+xml">
              <link rel="stylesheet" href="/shared/base.css">
              <link rel="stylesheet" href="/diary/diary.css">
              <script type="application/ld+json">\(jsonLD)</script>
            </head>
            <body>
              <main>
                <div class="heading">
                  <h1>\(escaped(title))</h1>
                  <p class="facts">\(escaped([when, place].filter { !$0.isEmpty }.joined(separator: " · ")))</p>
                  <p class="facts">\(escaped(ensemble?.name ?? ""))</p>
                </div>
                <ol id="programme">
            \(works.joined(separator: "\n"))
                </ol>
                <p class="row"><a class="button" href="/diary#/concerts/\(escaped(percentEncoded(concert.id)))">Open in the
                  diary</a></p>
              </main>
            </body>
            </html>

            """
    }

    static func escaped(_ text: String) -> String {
        // Not by character: a sign that joins the next one would hide it.
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    static func percentEncoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == 0x2D || byte == 0x5F || byte == 0x2E
            let digits = String(byte, radix: 16, uppercase: true)
            result += isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
        }
    }
}
