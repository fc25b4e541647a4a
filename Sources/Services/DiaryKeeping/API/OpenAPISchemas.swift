/// The records and parameters in the description of the API.
enum OpenAPISchemas {
    typealias Value = OpenAPIDescription.Value

    // MARK: Parameters

    static func query(_ name: String, _ description: String, isRequired: Bool = false) -> Value {
        .object([
            "name": .text(name), "in": .text("query"), "description": .text(description),
            "required": .flag(isRequired), "schema": .object(["type": .text("string")]),
        ])
    }

    static let identifier = Value.object([
        "name": .text("id"), "in": .text("path"), "required": .flag(true),
        "schema": .object(["type": .text("string"), "pattern": .text("^[A-Za-z0-9_-]{1,100}$")]),
    ])

    static let country = Value.object([
        "name": .text("country"), "in": .text("query"), "description": .text("ISO 3166-1 alpha-2."),
        "schema": .object(["type": .text("string"), "pattern": .text("^([A-Za-z]{2})?$")]),
    ])

    static let paging: [Value] = [
        .object([
            "name": .text("limit"), "in": .text("query"),
            "description": .text("The most records of the answer."),
            "schema": .object([
                "type": .text("integer"), "minimum": .number(1), "maximum": .number(500),
                "default": .number(100),
            ]),
        ]),
        .object([
            "name": .text("offset"), "in": .text("query"),
            "description": .text("The records that are left out."),
            "schema": .object([
                "type": .text("integer"), "minimum": .number(0), "maximum": .number(10_000_000),
                "default": .number(0),
            ]),
        ]),
    ]

    // MARK: Records

    private static let text = Value.object(["type": .text("string")])
    private static let optionalText = Value.object([
        "type": .list([.text("string"), .text("null")])
    ])
    private static let id = Value.object([
        "type": .list([.text("string"), .text("null")]),
        "description": .text("The diary's id. Leave it out to add a record."),
    ])
    private static let code = Value.object([
        "type": .list([.text("string"), .text("null")]), "pattern": .text("^([A-Za-z]{2})?$"),
    ])
    private static let moment = Value.object([
        "type": .text("string"), "description": .text("The local date, or date and time, without a zone."),
        "pattern": .text(#"^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?)?$"#),
        "examples": .list([.text("2026-11-23T20:00:00.000")]),
    ])
    private static let optionalMoment = Value.object([
        "anyOf": .list([moment, .object(["type": .text("null")])])
    ])
    private static let localized = Value.object([
        "type": .text("object"), "additionalProperties": text,
        "propertyNames": .object(["pattern": .text("^[A-Za-z][A-Za-z0-9-]{1,19}$")]),
        "description": .text("Texts by language code."),
    ])

    private static func record(_ fields: [String: Value], required: [String]) -> Value {
        .object([
            "type": .text("object"), "properties": .object(fields),
            "required": .list(required.map { .text($0) }),
        ])
    }

    static let all: [String: Value] = [
        "Refusal": record(["error": text, "code": text, "field": text], required: ["error", "code"]),
        "Band": record(
            [
                "id": id,
                "MBID": .object([
                    "type": .list([.text("string"), .text("null")]), "format": .text("uuid"),
                    "description": .text("The MusicBrainz id."),
                ]),
                "name": text, "genre": optionalText, "source": optionalText,
                "imageUrl": .object([
                    "type": .list([.text("string"), .text("null")]), "pattern": .text("^(https?://.*)?$"),
                ]),
                "biography": .object(["anyOf": .list([localized, .object(["type": .text("null")])])]),
            ], required: ["name"]),
        "BandSummary": record(
            ["id": text, "MBID": optionalText, "name": text, "genre": text],
            required: ["id", "name", "genre"]),
        "TourDate": record(
            [
                "id": id, "bandId": text, "startDate": moment, "endDate": optionalMoment,
                "stage": optionalText,
                "venue": optionalText, "city": optionalText, "countryCode": code,
                "supportAct": .object(["type": .list([.text("boolean"), .text("null")])]),
            ], required: ["bandId", "startDate"]),
        "Slot": record(
            ["bandId": text, "startTime": optionalMoment, "endTime": optionalMoment], required: ["bandId"]),
        "Event": record(
            [
                "id": id, "description": text, "startDate": moment, "endDate": moment, "venue": optionalText,
                "city": optionalText, "countryCode": code,
                "performances": .object([
                    "type": .list([.text("object"), .text("null")]),
                    "description": .text("Day, then stage, then the performances."),
                    "additionalProperties": .object([
                        "type": .text("object"),
                        "additionalProperties": .object([
                            "type": .text("array"), "items": OpenAPIDescription.reference("Slot"),
                        ]),
                    ]),
                ]),
            ], required: ["description", "startDate", "endDate"]),
        "Venue": record(
            ["id": id, "name": text, "city": optionalText, "countryCode": code], required: ["name"]),
        "City": record(["id": id, "city": text, "countryCode": code], required: ["city"]),
        "Country": record(
            [
                "code": .object(["type": .text("string"), "pattern": .text("^[A-Za-z]{2}$")]),
                "name": localized,
            ], required: ["code", "name"]),
        "CountrySync": record(
            [
                "updated": .object(["type": .text("boolean")]), "hash": .object(["type": .text("string")]),
                "list": .object(["type": .text("array"), "items": OpenAPIDescription.reference("Country")]),
            ], required: ["updated"]),
    ]
}
