/// An HTTP request as a route's handler receives it.
public struct WebRequest: Sendable {
    public let path: String
    /// The values of the path's parameters by name, percent-decoded.
    public let pathParameters: [String: String]
    /// The parsed query; empty if the query is longer than ``longestQueryBytes``. ``rawQuery`` is always complete.
    public let queryParameters: [String: String]
    /// The maximum length in bytes of a query that is parsed. The pages' own queries are shorter. Strangers could
    /// cause work with longer queries.
    static let longestQueryBytes = 8_192
    /// The query exactly as it was sent, for routes where a name may occur more than once.
    public let rawQuery: String
    /// The signed-in person; nil if the route is open to anybody, or nobody is signed in.
    public let person: WebPerson?
    /// The secret token of the sign-in, from the cookie or the header field Authorization.
    let sessionToken: String?
    /// The device mark: a secret text that this browser received at an earlier sign-in.
    let deviceMark: String?
    /// The visitor's numeric address: the other end of the connection, or the address that a trusted proxy reports.
    public let visitorAddress: String
    /// True if the request comes from the machine on which the server runs.
    public let isOwnMachine: Bool
    public let contentType: String
    /// The origin of the page that sent the request; empty if the browser did not send one.
    let origin: String
    public let body: [UInt8]
    /// The uploaded file, on routes that accept one. It is deleted after the response unless the handler moved it.
    public let uploadedFile: UploadedFile?
    /// The token that a program sent in the header field `Authorization: Bearer …`; nil if it sent none.
    public internal(set) var bearerToken: String? = nil
    /// Whether the request arrived over TLS.
    var transport = WebTransport.plain
    /// The device, on routes that recognise devices.
    public internal(set) var device = RecognisedDevice()
}

/// Whether an upload may begin.
public enum UploadAdmission: Sendable {
    /// The object is the upload's room, as long as it is kept.
    case admitted(any AnyObject & Sendable)
    case refused(WebResponse)

    public var refusal: WebResponse? {
        if case .refused(let answer) = self { answer } else { nil }
    }
}

/// A request body that was written to a file on the disk.
public struct UploadedFile: Equatable, Sendable {
    public let path: String
    public let byteCount: Int
}

/// The people who may use a route or a page.
public enum RouteAccess: Equatable, Sendable {
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

/// One address of the server: its method and path, the people who may use it, and its handler.
public struct WebRoute: Sendable {
    /// The HTTP method of a route.
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    public let method: Method
    /// The path, for example `/api/cues/:piece`. A part that begins with a colon is a parameter.
    public let path: String
    public let access: RouteAccess
    /// The maximum size of the request body in bytes; nil uses the server's default.
    public let bodyLimitBytes: Int?
    var handler: Handler
    /// Gives the answer to an error that has none itself; nil if this address knows no answer either.
    var explain: @Sendable (any Error) -> (any AnsweringError)? = { _ in nil }
    /// A check before a request body is read, repeated while a file arrives; nil if there is none.
    private(set) var writeCheck: WriteCheck?
    /// Takes room for what a request brings, before its body is read; nil if it needs none.
    private(set) var admission: Admission?
    /// True if the handler of a route for anybody wants to know who is signed in.
    private(set) var identifiesVisitor = false
    /// Tells by the path's parameters whether somebody has set up the device; nil if the route recognises no devices.
    private(set) var isNamedDevice: (@Sendable ([String: String]) -> Bool)?
    /// True if pages of the other server of a pair may use the route too.
    private(set) var isOpenToOtherServer = false
    /// False if the handler writes nothing to the disk, or asks for room itself. A full disk does not close the route.
    public private(set) var needsDiskSpace = true

    /// Decides whether data may be written now, for example because there is enough space.
    /// - Parameters:
    ///   - person: the person who sends the data.
    ///   - bytes: the announced size of the data. When the check is repeated during an upload, it is 0.
    /// - Returns: a refusal; nil if the data may be written.
    public typealias WriteCheck = @Sendable (_ person: WebPerson?, _ bytes: Int) async -> WebResponse?

    /// Takes room for what a request brings. The room is given back when the request has been answered.
    /// - Parameters:
    ///   - person: the person who sends the data.
    ///   - bytes: the announced size of the data, or the route's limit where none is announced.
    public typealias Admission = @Sendable (_ person: WebPerson?, _ bytes: Int) async -> UploadAdmission

    enum Handler: Sendable {
        case answer(@Sendable (WebRequest) async throws -> WebResponse)
        case stream(EventHub)
        case carrier(StreamCarriers)
        case personalStreams(PersonalStreams)
        case upload(folder: String, @Sendable (WebRequest) async throws -> WebResponse)
    }

    /// A route whose handler returns a response, or throws an ``AnsweringError``. All methods except `get` need the
    /// header `X-Baton: 1` and an origin of this server.
    public init(
        _ method: Method, _ path: String, _ access: RouteAccess, bodyLimitBytes: Int? = nil,
        answer: @escaping @Sendable (WebRequest) async throws -> WebResponse
    ) {
        self.init(method, path, access, bodyLimitBytes, .answer(answer))
    }

    /// A route that stays open and sends the events of a hub, the same to all clients.
    public static func stream(_ path: String, _ access: RouteAccess, _ hub: EventHub) -> WebRoute {
        WebRoute(.get, path, access, 0, .stream(hub))
    }

    /// The route of the connections that carry several streams of one browser.
    static func carrier(_ carriers: StreamCarriers) -> WebRoute {
        var route = WebRoute(.get, StreamCarriers.path, .anybody, 0, .carrier(carriers))
        // The connection of signed-in staff is kept when connections become scarce.
        route.identifiesVisitor = true
        return route
    }

    /// A route that stays open and sends each client its own messages.
    public static func personalStreams(_ path: String, _ access: RouteAccess, _ streams: PersonalStreams)
        -> WebRoute
    {
        WebRoute(.get, path, access, 0, .personalStreams(streams))
    }

    /// A route that receives a file. The request body is written to the disk as it arrives, so that a large file takes
    /// no memory.
    /// - Parameter folder: the folder for the arriving file, on the same disk as its final place.
    public static func upload(
        _ method: Method, _ path: String, _ access: RouteAccess, limitBytes: Int, folder: String,
        answer: @escaping @Sendable (WebRequest) async throws -> WebResponse
    ) -> WebRoute {
        precondition(method != .get, "what is fetched has no body")
        return WebRoute(method, path, access, limitBytes, .upload(folder: folder, answer))
    }

    /// A copy of the route with an additional check: requests that add or change something are refused if the check
    /// returns a refusal.
    ///
    /// Requests that delete something are always allowed, because they make room.
    public func addingWriteCheck(_ intake: @escaping WriteCheck) -> WebRoute {
        guard changesState, method != .delete else { return self }
        var route = self
        let before = self.writeCheck
        route.writeCheck = { person, bytes in
            if let refused = await before?(person, bytes) { return refused }
            return await intake(person, bytes)
        }
        return route
    }

    /// A copy of the route whose requests need room until they are answered.
    public func admittingUploads(_ admission: @escaping Admission) -> WebRoute {
        var route = self
        route.admission = admission
        return route
    }

    /// A copy of a route for anybody whose handler is told who is signed in, because those see more.
    public var identifyingVisitor: WebRoute {
        var route = self
        route.identifiesVisitor = true
        return route
    }

    /// A copy of a route for anybody that gives known devices precedence. A device sends its mark as `?known=`.
    /// - Parameter isNamed: tells by the path's parameters whether somebody has set up the device.
    public func recognisingDevices(
        named isNamed: @escaping @Sendable ([String: String]) -> Bool = { _ in false }
    ) -> WebRoute {
        var route = self
        route.isNamedDevice = isNamed
        return route
    }

    /// A copy of a route for anybody that pages of the other server of a pair may use too: a screen listens to both.
    public var openToOtherServer: WebRoute {
        precondition(access == .anybody, "nobody is signed in at the other server")
        var route = self
        route.isOpenToOtherServer = true
        return route
    }

    /// A copy of a route whose handler writes nothing to the disk, or asks for room itself.
    public var withoutDiskSpace: WebRoute {
        var route = self
        route.needsDiskSpace = false
        return route
    }

    private init(_ method: Method, _ path: String, _ access: RouteAccess, _ limit: Int?, _ handler: Handler) {
        self.method = method
        self.path = path
        self.access = access
        self.bodyLimitBytes = limit
        self.handler = handler
    }

    var changesState: Bool { method != .get }
}
