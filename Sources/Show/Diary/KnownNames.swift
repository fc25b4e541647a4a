/// Names that mean the same: nicknames of works and halls, titles in other languages, towns and countries.
///
/// Each line is one thing. A name `Composer: words` is a work whose title has the words; `@XX` is a country's code.
public enum KnownNames {
    /// One of the names of a thing.
    public enum Name: Hashable, Sendable {
        /// Words that one name of the diary has.
        case words([String])
        /// A work: words of the composer's name and of the title.
        case work(composer: [String], title: [String])
        /// ISO 3166-1 alpha-2.
        case country(String)
    }

    /// The most words of a name in the table.
    public static let mostWords = byWords.keys.map { $0.split(separator: " ").count }.max() ?? 0

    /// All names of what these folded words name; empty if the table does not know them.
    public static func names(_ words: some Collection<String>) -> [Name] {
        byWords[words.joined(separator: " ")] ?? []
    }

    private static let byWords: [String: [Name]] = {
        var table: [String: [Name]] = [:]
        for line in lines.split(separator: "\n") {
            let names = line.split(separator: "=").map { name(String($0)) }
            for case .words(let words) in names { table[words.joined(separator: " "), default: []] += names }
        }
        return table
    }()

    private static func name(_ text: String) -> Name {
        let words = FoldedName.words(text, splittingAtApostrophes: false)
        guard let colon = text.firstIndex(of: ":") else {
            return text.contains("@") ? .country(words.joined().uppercased()) : .words(words)
        }
        return .work(
            composer: FoldedName.words(String(text[..<colon]), splittingAtApostrophes: false),
            title: FoldedName.words(String(text[colon...]), splittingAtApostrophes: false))
    }

    private static let lines = """
        Rite of Spring = Rite = Sacre du printemps = Sacre = Frühlingsopfer = Consagración de la primavera = Stravinsky: sacre
        Firebird = Oiseau de feu = Feuervogel = Stravinsky: firebird
        Soldier's Tale = Histoire du soldat = Geschichte vom Soldaten
        Symphony of Psalms = Symphonie de Psaumes = Psalmensinfonie
        Eroica = Eroica Symphony = Beethoven: no 3 op 55
        Beethoven's Fifth = Schicksalssinfonie = Fate Symphony = Beethoven: no 5 op 67
        Pastoral = Pastorale = Pastoral Symphony = Beethoven: no 6 op 68
        Choral = Choral Symphony = Ode to Joy = Ode an die Freude = Beethoven: no 9 op 125
        Emperor = Emperor Concerto = Beethoven: no 5 op 73
        Moonlight = Moonlight Sonata = Mondscheinsonate = Beethoven: op 27
        Kreutzer = Kreutzer Sonata = Beethoven: op 47
        Missa solemnis = Solemn Mass = Beethoven: op 123
        Titan = Titan Symphony = Mahler: symphony no 1
        Resurrection = Resurrection Symphony = Auferstehung = Auferstehungssinfonie = Mahler: symphony no 2
        Tragic Symphony = Mahler: symphony no 6 = Schubert: symphony no 4
        Song of the Night = Lied der Nacht = Mahler: symphony no 7
        Symphony of a Thousand = Symphonie der Tausend = Sinfonie der Tausend = Mahler: symphony no 8
        Song of the Earth = Lied von der Erde
        Songs of a Wayfarer = Lieder eines fahrenden Gesellen
        Songs on the Death of Children = Kindertotenlieder
        Youth's Magic Horn = Knaben Wunderhorn
        New World = New World Symphony = From the New World = Neue Welt = Aus der Neuen Welt = Nouveau Monde = Dvorak: new world
        American Quartet = Dvorak: op 96
        Pathetique = Pathetic = Pathétique Symphony = Tchaikovsky: symphony no 6 = Beethoven: op 13
        Little Russian = Tchaikovsky: symphony no 2
        Winter Dreams = Winterträume = Tchaikovsky: symphony no 1
        Polish Symphony = Tchaikovsky: symphony no 3
        Nutcracker = Casse-noisette = Nussknacker
        Swan Lake = Lac des cygnes = Schwanensee
        Sleeping Beauty = Belle au bois dormant = Dornröschen
        Unfinished = Unfinished Symphony = Unvollendete = Schubert: b minor
        Great Symphony = Great C major = Schubert: c major
        Trout = Trout Quintet = Forelle = Forellenquintett = Schubert: trout
        Death and the Maiden = Tod und das Mädchen
        Winter's Journey = Winterreise
        Jupiter = Jupiter Symphony = Mozart: 551
        Haffner = Haffner Symphony = Mozart: 385
        Linz = Linz Symphony = Mozart: 425
        Prague Symphony = Prager Sinfonie = Mozart: 504
        Little Night Music = Kleine Nachtmusik
        Magic Flute = Zauberflöte = Flûte enchantée = Flauto magico
        Marriage of Figaro = Nozze di Figaro = Hochzeit des Figaro = Noces de Figaro
        Abduction from the Seraglio = Entführung aus dem Serail
        Coronation Mass = Krönungsmesse = Mozart: coronation
        Clock = Clock Symphony = Haydn: no 101
        Surprise = Surprise Symphony = Paukenschlag = Haydn: no 94
        Military Symphony = Haydn: no 100
        Drum Roll = Paukenwirbel = Haydn: no 103
        London Symphony = Haydn: no 104
        Farewell = Farewell Symphony = Abschiedssinfonie = Haydn: no 45
        Oxford Symphony = Haydn: no 92
        Miracle Symphony = Haydn: no 96
        Creation = Schöpfung
        Seasons = Jahreszeiten
        Italian Symphony = Mendelssohn: no 4
        Scottish Symphony = Scotch Symphony = Mendelssohn: no 3
        Reformation Symphony = Mendelssohn: no 5
        Hebrides = Fingal's Cave = Hebriden = Fingalshöhle
        Midsummer Night's Dream = Sommernachtstraum = Songe d'une nuit d'été
        Calm Sea and Prosperous Voyage = Meeresstille und glückliche Fahrt
        Rhenish = Rhenish Symphony = Rheinische = Schumann: no 3
        Spring Symphony = Frühlingssinfonie = Schumann: no 1
        German Requiem = Deutsches Requiem
        Song of Destiny = Schicksalslied
        Academic Festival Overture = Akademische Festouvertüre
        Romantic = Romantic Symphony = Romantische = Bruckner: no 4
        Fantastic Symphony = Symphonie fantastique = Fantastique
        Damnation of Faust = Damnation de Faust = Fausts Verdammnis
        Roman Carnival = Carnaval romain
        Organ Symphony = Orgelsinfonie = Saint-Saens: no 3
        Carnival of the Animals = Carnaval des animaux = Karneval der Tiere
        Dance of Death = Danse macabre = Totentanz
        Sea = La Mer = Mer = Debussy: mer
        Afternoon of a Faun = Après-midi d'un faune = Nachmittag eines Fauns
        Moonlight Debussy = Clair de lune
        Mother Goose = Mère l'Oye
        Spanish Rhapsody = Rapsodie espagnole
        Sorcerer's Apprentice = Apprenti sorcier = Zauberlehrling
        Left Hand Concerto = Concerto for the left hand = Ravel: left hand
        Pictures at an Exhibition = Tableaux d'une exposition = Bilder einer Ausstellung
        Night on Bald Mountain = Night on the Bare Mountain = Nuit sur le mont chauve
        Flight of the Bumblebee = Hummelflug
        Leningrad = Leningrad Symphony = Leningrader = Shostakovich: symphony no 7
        Babi Yar = Shostakovich: symphony no 13
        Year 1905 = Shostakovich: symphony no 11
        Classical Symphony = Prokofiev: symphony no 1
        Inextinguishable = Nielsen: no 4
        Sinfonia Antartica = Vaughan Williams: no 7
        Also sprach Zarathustra = Thus Spoke Zarathustra = Thus Spake Zarathustra
        Hero's Life = Heldenleben
        Death and Transfiguration = Tod und Verklärung
        Till Eulenspiegel = Merry Pranks
        Four Last Songs = Vier letzte Lieder
        Alpine Symphony = Alpensinfonie
        Domestic Symphony = Symphonia domestica
        Knight of the Rose = Rosenkavalier
        Woman without a Shadow = Frau ohne Schatten
        Transfigured Night = Verklärte Nacht
        Flying Dutchman = Fliegende Holländer = Vaisseau fantôme
        Mastersingers = Meistersinger = Maîtres chanteurs
        Twilight of the Gods = Götterdämmerung = Crépuscule des dieux
        Ride of the Valkyries = Walkürenritt = Walküre = Valkyrie
        Rhinegold = Rheingold
        Bat = Fledermaus = Chauve-souris
        Blue Danube = Schönen blauen Donau = Beau Danube bleu
        Bluebeard's Castle = Herzog Blaubarts Burg = Duke Bluebeard
        Miraculous Mandarin = Wunderbare Mandarin = Mandarin merveilleux
        Threepenny Opera = Dreigroschenoper
        St Matthew Passion = Matthäuspassion = Matthäus-Passion = Passion according to St Matthew = Bach: matthew
        St John Passion = Johannespassion = Johannes-Passion = Passion according to St John = Bach: john
        Christmas Oratorio = Weihnachtsoratorium
        Well-Tempered Clavier = Wohltemperierte Klavier
        Water Music = Wassermusik
        Four Seasons = Quattro stagioni = Vier Jahreszeiten = Vivaldi: seasons
        William Tell = Guillaume Tell = Wilhelm Tell
        Barber of Seville = Barbiere di Siviglia
        Force of Destiny = Forza del destino
        Enigma = Enigma Variations
        Lark = Lark Ascending
        Bartered Bride = Prodana nevesta = Verkaufte Braut
        Moldau = Vltava = Ma vlast = Smetana: moldau
        Lenny = Leonard Bernstein
        David Geffen Hall = Geffen = Geffen Hall = Avery Fisher Hall = Philharmonic Hall = Lincoln Center
        the Met = Met = Metropolitan Opera House = Metropolitan Opera
        Carnegie = Carnegie Hall
        Golden Hall = Goldener Saal = Musikverein = Grosser Musikvereinssaal
        Proms = Royal Albert Hall
        MSG = Madison Square Garden
        Concertgebouw = Royal Concertgebouw
        Vienna = Wien = Vienne = Viena
        Munich = München = Monaco di Baviera
        Cologne = Köln = Colonia
        Nuremberg = Nürnberg
        Prague = Praha = Prag = Praga
        Warsaw = Warszawa = Warschau = Varsovie
        Moscow = Moskau = Moskva = Moscou = Москва
        St Petersburg = Saint Petersburg = Leningrad = Sankt Petersburg
        Rome = Roma = Rom
        Milan = Milano = Mailand
        Venice = Venezia = Venedig = Venise
        Florence = Firenze = Florenz
        Naples = Napoli = Neapel
        Turin = Torino
        Lisbon = Lisboa = Lissabon
        Geneva = Genf = Genève
        Lucerne = Luzern
        Zurich = Zürich = Zurigo
        Brussels = Bruxelles = Brüssel
        Antwerp = Antwerpen = Anvers
        The Hague = Den Haag
        Copenhagen = København = Kopenhagen
        Gothenburg = Göteborg
        Bucharest = București = Bukarest
        Belgrade = Beograd = Belgrad
        Athens = Athen = Athina = Athènes
        Peking = Beijing
        Bombay = Mumbai
        NYC = New York City = New York = Manhattan
        Soviet Union = USSR = Sowjetunion = UdSSR = URSS = @SU
        Russia = Russland = Russie = @RU = @SU
        England = Great Britain = Britain = United Kingdom = UK = Grossbritannien = Scotland = Wales = @GB
        USA = America = United States = US = United States of America = Vereinigte Staaten = @US
        Holland = Netherlands = Niederlande = Pays-Bas = @NL
        Korea = South Korea = Südkorea = @KR
        North Korea = Nordkorea = @KP
        Czechoslovakia = Czech Republic = Tschechien = Tschechoslowakei = Czechia = @CZ = @CS
        West Germany = East Germany = Germany = @DE
        Yugoslavia = Jugoslawien = @YU = @RS
        Taiwan = @TW
        Vietnam = @VN
        """
}
