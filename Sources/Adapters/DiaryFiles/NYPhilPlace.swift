/// City, country and time zone of a place as the Philharmonic writes it: `Manhattan, NY`, `Tokyo, JAPAN`.
struct NYPhilPlace {
    var city: String?
    var countryCode: String?
    /// The zone's name; nil if a state has several or the country is not known.
    var timeZone: String?

    init(_ location: String) {
        let parts = location.split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") }
        guard let last = parts.last else { return }
        if parts.count > 1, let zone = Self.states[last] {
            countryCode = "US"
            timeZone = zone
        } else if let country = Self.countries[last.uppercased()] {
            countryCode = country.code
            timeZone = country.zone
        } else {
            return
        }
        city = parts[0]
    }

    private static let eastern = "America/New_York"
    private static let central = "America/Chicago"
    private static let mountain = "America/Denver"
    private static let pacific = "America/Los_Angeles"

    /// The states; nil for those with places in several zones.
    private static let states: [String: String?] = [
        "NY": eastern, "NJ": eastern, "CT": eastern, "PA": eastern, "MA": eastern, "DC": eastern,
        "MD": eastern,
        "DE": eastern, "RI": eastern, "RH": eastern, "NH": eastern, "VT": eastern, "ME": eastern,
        "VA": eastern,
        "WV": eastern, "NC": eastern, "SC": eastern, "GA": eastern, "OH": eastern, "MI": nil, "FL": nil,
        "IN": nil,
        "KY": nil, "TN": nil, "IL": central, "WI": central, "MN": central, "IA": central, "MO": central,
        "AR": central, "LA": central, "MS": central, "AL": central, "OK": central, "TX": nil, "KS": nil,
        "NE": nil,
        "SD": nil, "ND": nil, "CO": mountain, "WY": mountain, "UT": mountain, "MT": mountain, "NM": mountain,
        "ID": nil, "AZ": "America/Phoenix", "CA": pacific, "California": pacific, "NV": pacific,
        "WA": pacific,
        "OR": nil, "HI": "Pacific/Honolulu", "AK": nil,
    ]

    private static let countries: [String: (code: String, zone: String?)] = [
        "GERMANY": ("DE", "Europe/Berlin"), "W. GERMANY": ("DE", "Europe/Berlin"),
        "JAPAN": ("JP", "Asia/Tokyo"),
        "CHINA": ("CN", "Asia/Shanghai"), "ENGLAND": ("GB", "Europe/London"),
        "SCOTLAND": ("GB", "Europe/London"),
        "WALES": ("GB", "Europe/London"), "ITALY": ("IT", "Europe/Rome"), "FRANCE": ("FR", "Europe/Paris"),
        "CANADA": ("CA", nil), "USSR": ("SU", nil), "RUSSIA": ("RU", nil), "AUSTRIA": ("AT", "Europe/Vienna"),
        "BRAZIL": ("BR", nil), "SWITZERLAND": ("CH", "Europe/Zurich"), "ARGENTINA": ("AR", nil),
        "KOREA": ("KR", "Asia/Seoul"), "SOUTH KOREA": ("KR", "Asia/Seoul"),
        "DEMOCRATIC PEOPLE'S REPUBLIC OF KOREA": ("KP", "Asia/Pyongyang"), "SPAIN": ("ES", "Europe/Madrid"),
        "CANARY ISLANDS": ("ES", "Atlantic/Canary"), "TAIWAN": ("TW", "Asia/Taipei"),
        "BELGIUM": ("BE", "Europe/Brussels"), "NETHERLANDS": ("NL", "Europe/Amsterdam"),
        "MEXICO": ("MX", nil),
        "GREECE": ("GR", "Europe/Athens"), "POLAND": ("PL", "Europe/Warsaw"),
        "LUXEMBOURG": ("LU", "Europe/Luxembourg"), "SINGAPORE": ("SG", "Asia/Singapore"),
        "HUNGARY": ("HU", "Europe/Budapest"), "VENEZUELA": ("VE", "America/Caracas"),
        "CHILE": ("CL", "America/Santiago"), "TURKEY": ("TR", "Europe/Istanbul"),
        "SWEDEN": ("SE", "Europe/Stockholm"), "AUSTRALIA": ("AU", nil),
        "DENMARK": ("DK", "Europe/Copenhagen"),
        "COLOMBIA": ("CO", "America/Bogota"), "ECUADOR": ("EC", "America/Guayaquil"),
        "URUGUAY": ("UY", "America/Montevideo"), "FINLAND": ("FI", "Europe/Helsinki"),
        "CZECH REPUBLIC": ("CZ", "Europe/Prague"), "ISRAEL": ("IL", "Asia/Jerusalem"),
        "PORTUGAL": ("PT", "Europe/Lisbon"), "DOMINICAN REPUBLIC": ("DO", "America/Santo_Domingo"),
        "INDIA": ("IN", "Asia/Kolkata"), "INDIA (BOMBAY)": ("IN", "Asia/Kolkata"),
        "PUERTO RICO": ("PR", "America/Puerto_Rico"), "THE PHILIPPINES": ("PH", "Asia/Manila"),
        "UNITED ARAB EMIRATES": ("AE", "Asia/Dubai"), "NEW ZEALAND": ("NZ", "Pacific/Auckland"),
        "IRELAND": ("IE", "Europe/Dublin"), "MONACO": ("MC", "Europe/Monaco"), "PERU": ("PE", "America/Lima"),
        "BOLIVIA": ("BO", "America/La_Paz"), "PARAGUAY": ("PY", "America/Asuncion"),
        "LEBANON": ("LB", "Asia/Beirut"), "SERBIA": ("RS", "Europe/Belgrade"),
        "NORWAY": ("NO", "Europe/Oslo"),
        "THAILAND": ("TH", "Asia/Bangkok"), "INDONESIA": ("ID", nil), "MALAYSIA": ("MY", "Asia/Kuala_Lumpur"),
        "SLOVENIA": ("SI", "Europe/Ljubljana"), "VIETNAM": ("VN", "Asia/Ho_Chi_Minh"),
        "PANAMA": ("PA", "America/Panama"), "CROATIA": ("HR", "Europe/Zagreb"), "MACAU": ("MO", "Asia/Macau"),
        "LITHUANIA": ("LT", "Europe/Vilnius"),
    ]
}
