import Alignment
import Features
import Foundation

/// The parameters of an experiment: the defaults, changed by a JSON file that `BATON_TUNING` names.
///
/// The file holds `{"filter": {…}, "features": {…}}` with any of the fields of ``FilterParameters`` and
/// ``FeatureParameters``. It serves the search for better defaults; nothing the product does needs it.
struct Tuning {
    var filter = FilterParameters()
    var features = FeatureParameters()

    static func fromEnvironment() throws -> Tuning {
        guard let path = ProcessInfo.processInfo.environment["BATON_TUNING"] else { return Tuning() }
        let changes = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        let sections = changes as? [String: [String: Any]] ?? [:]
        var tuning = Tuning()
        tuning.filter = try changed(tuning.filter, by: sections["filter"] ?? [:])
        tuning.features = try changed(tuning.features, by: sections["features"] ?? [:])
        return tuning
    }

    private static func changed<Parameters: Codable>(
        _ defaults: Parameters, by changes: [String: Any]
    ) throws -> Parameters {
        let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(defaults))
        var fields = encoded as? [String: Any] ?? [:]
        for (name, value) in changes {
            guard fields[name] != nil else { throw UnknownField(name: name) }
            fields[name] = value
        }
        return try JSONDecoder().decode(Parameters.self, from: JSONSerialization.data(withJSONObject: fields))
    }

    struct UnknownField: Error, CustomStringConvertible {
        var name: String
        var description: String { "BATON_TUNING names '\(name)', which is no parameter." }
    }
}
