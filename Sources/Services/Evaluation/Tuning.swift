import Alignment
import Features
import Foundation

/// The parameters of an experiment: the defaults, changed by a JSON file that `BATON_TUNING` names.
///
/// The file holds `{"filter": {…}, "features": {…}, "method": {"name": …}}` with any of the fields of
/// ``FilterParameters`` and ``FeatureParameters``, and one of ``Method``'s names. It serves the search for better defaults; nothing the product does needs it.
struct Tuning {
    var filter = FilterParameters()
    var features = FeatureParameters()
    var method = Method.forwardFilter

    /// The alignment methods there are.
    enum Method: String {
        case forwardFilter = "forward-filter"
        case onlineTimeWarping = "online-time-warping"
    }

    static func fromEnvironment() throws -> Tuning {
        guard let path = ProcessInfo.processInfo.environment["BATON_TUNING"] else { return Tuning() }
        let changes = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        let sections = changes as? [String: [String: Any]] ?? [:]
        var tuning = Tuning()
        tuning.filter = try changed(tuning.filter, by: sections["filter"] ?? [:])
        tuning.features = try changed(tuning.features, by: sections["features"] ?? [:])
        if let name = sections["method"]?["name"] as? String {
            guard let method = Method(rawValue: name) else { throw UnknownField(name: name) }
            tuning.method = method
        }
        return tuning
    }

    /// The method, ready to follow.
    func alignment(on references: [ReferenceFrames]) -> any AlignmentMethod {
        switch method {
        case .forwardFilter: ForwardFilter(references: references, parameters: filter)
        case .onlineTimeWarping:
            OnlineTimeWarping(
                reference: references[0],
                tiles: ReferenceTiles(frames: references[0].values, dimensions: references[0].dimensions))
        }
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
