import Diary

/// The works and intervals of a programme.
extension NYPhilReader {
    mutating func item(_ element: Any, _ place: String) -> ProgrammeItem {
        guard let fields = element as? [String: Any] else {
            note(.lineWithoutWork, place, "\(element)")
            return ProgrammeItem(kind: .unknown, title: "\(element)")
        }
        noteUnknown(
            fields, ["ID", "composerName", "workTitle", "movement", "conductorName", "soloists", "interval"],
            place)
        let sourceID = fields["ID"] as? String
        let conductors = conductors(fields["conductorName"], place)
        let soloists = soloists(fields["soloists"], place)
        if fields["interval"] != nil, fields["composerName"] == nil, fields["workTitle"] == nil {
            let name = text(fields["interval"], place + " interval") ?? "Intermission"
            note(.intervalAmongWorks, place, name)
            return ProgrammeItem(
                kind: .interval, sourceID: sourceID, title: name, conductors: conductors, soloists: soloists)
        }
        let composer = composer(fields["composerName"], place)
        let title = text(fields["workTitle"], place + " workTitle")
        guard composer != nil || title != nil else {
            note(.lineWithoutWork, place, sourceID ?? "")
            return ProgrammeItem(
                kind: .unknown, sourceID: sourceID, conductors: conductors, soloists: soloists)
        }
        if composer == nil { note(.withoutComposer, place, title ?? "") }
        if title == nil { note(.withoutTitle, place, composer ?? "") }
        let movement = text(fields["movement"], place + " movement")
        let number = (sourceID ?? "").prefix { $0 != "*" }
        if !number.isEmpty { compare(String(number), "\(composer ?? ""): \(title ?? "")", place) }
        return ProgrammeItem(
            work: number.isEmpty ? nil : "\(Self.source)-\(number)", sourceID: sourceID,
            composer: composer ?? "",
            title: title ?? "", movements: movement.map { [$0] } ?? [], conductors: conductors,
            soloists: soloists,
            isEncore: Self.isEncore(title ?? "", movement ?? ""))
    }

    /// Notes a work number with several titles, and a title with several numbers.
    private mutating func compare(_ number: String, _ work: String, _ place: String) {
        if let other = worksByNumber[number] {
            if other != work { note(.workWithSeveralTitles, place, "\(number): “\(work)”, “\(other)”") }
        } else {
            worksByNumber[number] = work
        }
        if let other = numbersByWork[work] {
            if other != number { note(.titleWithSeveralNumbers, place, "\(work): \(number), \(other)") }
        } else {
            numbersByWork[work] = number
        }
    }

    private static func isEncore(_ title: String, _ movement: String) -> Bool {
        let words = FoldedName.fold(title + " " + movement)
        return words.hasPrefix("encore ") || words.hasSuffix(" as encore")
    }

    private mutating func composer(_ value: Any?, _ place: String) -> String? {
        guard var name = text(value, place + " composerName") else { return nil }
        guard name.hasSuffix(",") else { return name }
        note(.strayComma, place, name)
        while let last = name.last, last == "," || last == " " { name.removeLast() }
        return name.isEmpty ? nil : name
    }

    private mutating func conductors(_ value: Any?, _ place: String) -> [String] {
        guard let value else { return [] }
        let place = place + " conductorName"
        guard let names = (value as? String)?.split(separator: ";", omittingEmptySubsequences: false) else {
            _ = text(value, place)
            return []
        }
        guard names.count > 1 else { return text(value, place).map { [$0] } ?? [] }
        note(.severalConductors, place, value as? String ?? "")
        var conductors: [String] = []
        for name in names {
            let words = name.split(separator: " ")
            guard !words.isEmpty else {
                note(.blankConductor, place, value as? String ?? "")
                continue
            }
            let conductor = words.joined(separator: " ")
            if conductors.contains(conductor) {
                note(.conductorTwice, place, conductor)
            } else {
                conductors.append(conductor)
            }
        }
        return conductors
    }

    private mutating func soloists(_ list: Any?, _ place: String) -> [ProgrammeItem.Soloist] {
        var soloists: [ProgrammeItem.Soloist] = []
        for (index, element) in (list as? [Any] ?? []).enumerated() {
            let place = "\(place) soloists[\(index + 1)]"
            guard let fields = element as? [String: Any] else {
                note(.emptySoloist, place, "\(element)")
                continue
            }
            noteUnknown(fields, ["soloistName", "soloistInstrument", "soloistRoles"], place)
            let name = text(fields["soloistName"], place + " soloistName")
            if name == nil { note(.soloistWithoutName, place) }
            let role = text(fields["soloistRoles"], place + " soloistRoles")
            soloists.append(
                ProgrammeItem.Soloist(
                    name: name ?? "",
                    instrument: text(fields["soloistInstrument"], place + " soloistInstrument"),
                    role: role == "S" ? "soloist" : role == "A" ? "assisting" : role))
        }
        return soloists
    }
}
