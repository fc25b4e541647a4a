/// A request, as far as a route sees it.
public struct WebRequest: Sendable {
    public let path: String
    /// Parts of the path that the route left open, percent-decoded.
    public let parameters: [String: String]
    /// Empty where the query is longer than ``longestQueryBytes``: ``rawQuery`` has it all the same.
    public let query: [String: String]
    /// Longer than anything a page of ours asks; taking a longer one apart is work that strangers could order.
    static let longestQueryBytes = 8_192
    /// The query as it was sent, for addresses where a name may come twice.
    public let rawQuery: String
    /// Nobody on routes that are open to anybody.
    public let person: WebPerson?
    /// The token of the sign-in.
    let token: String?
    /// The mark that the browser got at an earlier sign-in.
    let device: String?
    /// Numeric address of who asks: of the other side, or what a trusted proxy says of it.
    public let address: String
    /// It comes from the machine that the server runs on.
    let isOwnMachine: Bool
    public let contentType: String
    /// Of the page that asks, as browsers name it; empty where none is named.
    let origin: String
    public let body: [UInt8]
    /// What was uploaded, on routes that take a file; gone after the answer unless it is moved.
    public let upload: ArrivedFile?
}

/// A request body that went to the disk.
public struct ArrivedFile: Equatable, Sendable {
    public let path: String
    public let byteCount: Int
}

/// Who may use a route.
public enum Access: Equatable, Sendable {
    case anybody
    case signedIn
    case roles(Set<WebRole>)

    func admits(_ person: WebPerson?) -> Bool {
        switch self {
        case .anybody: true
        case .signedIn: person != nil
        case .roles(let roles): person.map { roles.contains($0.role) } ?? false
        }
    }
}

/// One address of the server, with everything that guards it.
public struct WebRoute: Sendable {
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    public let method: Method
    /// As in `/api/cues/:piece`; a part that begins with a colon is a parameter.
    public let path: String
    public let access: Access
    /// Of the request body; nil for the server's usual limit.
    public let bodyLimitBytes: Int?
    let handler: Handler
    /// Asked before a body is read, and while a file arrives; nil where nothing is asked.
    private(set) var intake: Intake?

    /// Whether something may be written now.
    /// - Parameters:
    ///   - person: who would write it.
    ///   - bytes: how much the request says it brings; what is written already is not counted again.
    /// - Returns: a refusal, or nil.
    public typealias Intake = @Sendable (_ person: WebPerson?, _ bytes: Int) async -> WebAnswer?

    enum Handler: Sendable {
        case answer(@Sendable (WebRequest) async -> WebAnswer)
        case stream(EventHub)
        case personal(PersonalStreams)
        case upload(folder: String, @Sendable (WebRequest) async -> WebAnswer)
    }

    /// A route that answers with bytes. Everything but `get` needs the header `X-Baton: 1` and our own origin.
    public init(
        _ method: Method, _ path: String, _ access: Access, bodyLimitBytes: Int? = nil,
        answer: @escaping @Sendable (WebRequest) async -> WebAnswer
    ) {
        self.init(method, path, access, bodyLimitBytes, .answer(answer))
    }

    /// A route that stays open and sends the events of a hub.
    public static func stream(_ path: String, _ access: Access, _ hub: EventHub) -> WebRoute {
        WebRoute(.get, path, access, 0, .stream(hub))
    }

    /// A route that stays open and tells each connection what is for it alone.
    public static func personal(_ path: String, _ access: Access, _ streams: PersonalStreams) -> WebRoute {
        WebRoute(.get, path, access, 0, .personal(streams))
    }

    /// A route whose body goes to the disk as it comes, so that a large file takes no memory.
    /// - Parameter folder: where it grows; on the disk on which it will stay.
    public static func upload(
        _ method: Method, _ path: String, _ access: Access, limitBytes: Int, folder: String,
        answer: @escaping @Sendable (WebRequest) async -> WebAnswer
    ) -> WebRoute {
        precondition(method != .get, "what is fetched has no body")
        return WebRoute(method, path, access, limitBytes, .upload(folder: folder, answer))
    }

    /// The same address, where what makes something new is taken in only while `intake` has nothing against it.
    ///
    /// What is removed is always taken: it makes room.
    public func admitting(_ intake: @escaping Intake) -> WebRoute {
        guard changes, method != .delete else { return self }
        var route = self
        let before = self.intake
        route.intake = { person, bytes in
            if let refused = await before?(person, bytes) { return refused }
            return await intake(person, bytes)
        }
        return route
    }

    var withoutIntake: WebRoute {
        var route = self
        route.intake = nil
        return route
    }

    private init(_ method: Method, _ path: String, _ access: Access, _ limit: Int?, _ handler: Handler) {
        self.method = method
        self.path = path
        self.access = access
        self.bodyLimitBytes = limit
        self.handler = handler
    }

    var changes: Bool { method != .get }
}
