/// A request, as far as a route sees it.
public struct WebRequest: Sendable {
    public let path: String
    /// The values of the path's parameters, percent-decoded.
    public let parameters: [String: String]
    /// The parsed query; empty if the query is longer than ``longestQueryBytes``. ``rawQuery`` always has it.
    public let query: [String: String]
    /// The longest query that is parsed. Our pages' queries are shorter; parsing longer ones would be work that
    /// strangers could cause.
    static let longestQueryBytes = 8_192
    /// The query as it was sent, for addresses where a name may occur twice.
    public let rawQuery: String
    /// The signed-in person; nil on routes that are open to anybody.
    public let person: WebPerson?
    /// The token of the sign-in.
    let token: String?
    /// The mark that the browser got at an earlier sign-in.
    let device: String?
    /// Numeric address of the visitor: the connection's other side, or the address reported by a trusted proxy.
    public let address: String
    /// True if the request comes from the machine that the server runs on.
    let isOwnMachine: Bool
    public let contentType: String
    /// The origin of the page that sent the request; empty if the browser names none.
    let origin: String
    public let body: [UInt8]
    /// The uploaded file, on routes that accept one; deleted after the answer unless it is moved.
    public let upload: UploadedFile?
}

/// A request body that was written to the disk.
public struct UploadedFile: Equatable, Sendable {
    public let path: String
    public let byteCount: Int
}

/// The visitors who may use a route.
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

/// One address of the server, with its access rights and limits.
public struct WebRoute: Sendable {
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    public let method: Method
    /// The path, for example `/api/cues/:piece`; a part that begins with a colon is a parameter.
    public let path: String
    public let access: Access
    /// The maximum size of the request body; nil for the server's default.
    public let bodyLimitBytes: Int?
    let handler: Handler
    /// The check before a body is read and while a file arrives; nil if there is none.
    private(set) var intake: WriteAdmission?

    /// Decides whether something may be written now.
    /// - Parameters:
    ///   - person: the author.
    ///   - bytes: the size that the request announces; data already written is not counted again.
    /// - Returns: a refusal, or nil.
    public typealias WriteAdmission = @Sendable (_ person: WebPerson?, _ bytes: Int) async -> WebResponse?

    enum Handler: Sendable {
        case answer(@Sendable (WebRequest) async -> WebResponse)
        case stream(EventHub)
        case personal(PersonalStreams)
        case upload(folder: String, @Sendable (WebRequest) async -> WebResponse)
    }

    /// A route that answers with bytes. All methods except `get` need the header `X-Baton: 1` and our own origin.
    public init(
        _ method: Method, _ path: String, _ access: Access, bodyLimitBytes: Int? = nil,
        answer: @escaping @Sendable (WebRequest) async -> WebResponse
    ) {
        self.init(method, path, access, bodyLimitBytes, .answer(answer))
    }

    /// A route that stays open and sends the events of a hub.
    public static func stream(_ path: String, _ access: Access, _ hub: EventHub) -> WebRoute {
        WebRoute(.get, path, access, 0, .stream(hub))
    }

    /// A route that stays open and sends each connection its own messages.
    public static func personal(_ path: String, _ access: Access, _ streams: PersonalStreams) -> WebRoute {
        WebRoute(.get, path, access, 0, .personal(streams))
    }

    /// A route whose body is written to the disk as it arrives, so that a large file takes no memory.
    /// - Parameter folder: the folder for the arriving file, on the disk where it will stay.
    public static func upload(
        _ method: Method, _ path: String, _ access: Access, limitBytes: Int, folder: String,
        answer: @escaping @Sendable (WebRequest) async -> WebResponse
    ) -> WebRoute {
        precondition(method != .get, "what is fetched has no body")
        return WebRoute(method, path, access, limitBytes, .upload(folder: folder, answer))
    }

    /// The same route with a check: requests that make something new are refused if `intake` returns a refusal.
    ///
    /// Removing is always allowed, because it makes room.
    public func admitting(_ intake: @escaping WriteAdmission) -> WebRoute {
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
