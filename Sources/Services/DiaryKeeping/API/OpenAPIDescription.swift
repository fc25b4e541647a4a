import Foundation
import WebServer

/// The description of the 15 calls in OpenAPI 3.1, served at `/api/diary/openapi.json`.
enum OpenAPIDescription {
    /// A JSON value that is put together in code.
    indirect enum Value: Encodable {
        case text(String)
        case number(Int)
        case flag(Bool)
        case list([Value])
        case object([String: Value])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            case .flag(let flag): try container.encode(flag)
            case .list(let list): try container.encode(list)
            case .object(let fields): try container.encode(fields)
            }
        }
    }

    static let json = JSONBody.encode(document)

    /// The paths with their methods, as `GET /api/diary/bands/{id}`.
    static var calls: [String] {
        operations.map { "\($0.method.uppercased()) \($0.path)" }.sorted()
    }

    private static var document: Value {
        var paths: [String: [String: Value]] = [:]
        for operation in operations {
            paths[operation.path, default: [:]][operation.method] = operation.value
        }
        return .object([
            "openapi": .text("3.1.0"),
            "info": .object([
                "title": .text("Baton's diary"), "version": .text("1.0"),
                "description": .text(
                    "Who played what, when and where. Every call carries the token of an application or of an "
                        + "administrator. Times are those of the place, without a time zone. Lists come in parts: "
                        + "limit and offset choose one, the header X-Total-Count has the length of the whole."
                ),
            ]),
            "paths": .object(paths.mapValues { .object($0) }),
            "security": .list([.object(["token": .list([])])]),
            "components": .object([
                "securitySchemes": .object([
                    "token": .object(["type": .text("http"), "scheme": .text("bearer")])
                ]),
                "schemas": .object(OpenAPISchemas.all),
            ]),
        ])
    }

    // MARK: Operations

    struct Operation {
        var method: String
        var path: String
        var summary: String
        var parameters: [Value] = []
        var body: String?
        var answer: Value
        var refusals: [Int]

        var value: Value {
            var responses: [String: Value] = [
                "200": .object([
                    "description": .text("The answer."),
                    "headers": .object(isList ? ["X-Total-Count": totalCount] : [:]),
                    "content": .object(["application/json": .object(["schema": answer])]),
                ])
            ]
            for status in refusals {
                responses[String(status)] = .object([
                    "description": .text(OpenAPIDescription.meanings[status] ?? "A refusal."),
                    "content": .object([
                        "application/json": .object(["schema": OpenAPIDescription.reference("Refusal")])
                    ]),
                ])
            }
            var fields: [String: Value] = [
                "summary": .text(summary), "operationId": .text(identifier), "responses": .object(responses),
                "parameters": .list(parameters + (method == "post" ? [changeHeader] : [])),
            ]
            if let body {
                fields["requestBody"] = .object([
                    "required": .flag(true),
                    "content": .object([
                        "application/json": .object(["schema": OpenAPIDescription.reference(body)])
                    ]),
                ])
            }
            return .object(fields)
        }

        private var isList: Bool {
            if case .object(let fields) = answer, case .text("array")? = fields["type"] {
                true
            } else {
                false
            }
        }

        private var identifier: String {
            let words = path.split(separator: "/").dropFirst(2).flatMap { $0.split(separator: "-") }
            return method + words.map { $0.filter(\.isLetter).capitalized }.joined()
        }

        private var totalCount: Value {
            .object([
                "description": .text("The length of the whole list."),
                "schema": .object(["type": .text("integer")]),
            ])
        }

        private var changeHeader: Value {
            .object([
                "name": .text("X-Baton"), "in": .text("header"), "required": .flag(true),
                "description": .text("Always 1. Pages of other sites cannot send it."),
                "schema": .object(["type": .text("string"), "enum": .list([.text("1")])]),
            ])
        }
    }

    fileprivate static let meanings = [
        400: "The request cannot be read, or a parameter is wrong; the sentence says which.",
        401: "The token is missing, unknown or withdrawn.", 403: "The token may not do this.",
        404: "There is no such record.",
        409: "There is such a record already, with other fields; the sentence has its id.",
        413: "The request is too large.",
        422: "A field is wrong; the sentence and “field” say which.", 429: "Too many calls in a short time.",
        503: "The diary cannot be used now.", 507: "The disk is full.",
    ]

    static func reference(_ name: String) -> Value {
        .object(["$ref": .text("#/components/schemas/\(name)")])
    }

    private static func list(of name: String) -> Value {
        .object(["type": .text("array"), "items": reference(name)])
    }

    private static func reading(
        _ path: String, _ summary: String, _ parameters: [Value], _ answer: Value, isOne: Bool = false
    ) -> Operation {
        var all = parameters
        if case .object(let fields) = answer, case .text("array")? = fields["type"] {
            all += OpenAPISchemas.paging
        }
        return Operation(
            method: "get", path: "/api/diary/" + path, summary: summary, parameters: all, answer: answer,
            refusals: [400, 401, 403, 429, 503] + (isOne ? [404] : []))
    }

    private static func writing(_ path: String, _ summary: String, _ record: String) -> Operation {
        Operation(
            method: "post", path: "/api/diary/" + path, summary: summary, body: record,
            answer: reference(record),
            refusals: [400, 401, 403, 409, 413, 422, 429, 503, 507])
    }

    static let operations: [Operation] = {
        typealias Parameter = OpenAPISchemas
        let (start, end) = (
            Parameter.query("start", "The first day; a month or a year is its first."),
            Parameter.query("end", "The last day; a month or a year is its last.")
        )
        let location = Parameter.query("location", "Words of the venue, the city or the country's code.")
        return [
            reading("bands", "All ensembles.", [], list(of: "Band")),
            reading(
                "bands/{id}", "One ensemble, by its MBID or the diary's id.", [Parameter.identifier],
                reference("Band"),
                isOne: true),
            reading(
                "bands/find-by-name", "The ensembles whose names have all words.",
                [Parameter.query("name", "Words of the name.", isRequired: true)], list(of: "BandSummary")),
            writing("bands", "Adds or updates an ensemble.", "Band"),
            writing("tourdate", "Adds or updates a concert.", "TourDate"),
            reading(
                "tourdate/find", "The concerts of an ensemble, in the order of time.",
                [
                    Parameter.query("band", "The MBID or the diary's id.", isRequired: true), start, end,
                    location,
                ],
                list(of: "TourDate")),
            writing("event", "Adds or updates an event of several ensembles.", "Event"),
            reading("event/{id}", "One event.", [Parameter.identifier], reference("Event"), isOne: true),
            reading(
                "event/find", "The events that match, without their performances.",
                [Parameter.query("event", "Words of the description."), start, end, location],
                list(of: "Event")),
            writing("venue", "Adds or updates a venue.", "Venue"),
            reading(
                "venue/find", "The venues whose names have all words.",
                [
                    Parameter.query("pattern", "Words of the name.", isRequired: true),
                    Parameter.query("city", "The city."), Parameter.country,
                ], list(of: "Venue")),
            writing("city", "Adds or updates a city.", "City"),
            reading(
                "city/find", "The cities whose names have all words.",
                [Parameter.query("pattern", "Words of the name.", isRequired: true), Parameter.country],
                list(of: "City")),
            writing("country", "Adds or updates a country.", "Country"),
            Operation(
                method: "post", path: "/api/diary/country/sync",
                summary: "The list of countries, unless the caller has it already.",
                parameters: [Parameter.query("current", "The hash of the list that the caller has.")],
                answer: reference("CountrySync"), refusals: [400, 401, 403, 413, 429, 503, 507]),
        ]
    }()
}
