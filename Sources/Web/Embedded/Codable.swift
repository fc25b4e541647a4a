// Compiled into each module of the engine for pages, whose Swift has no `Codable`: there, values are not written.
public typealias Codable = Any
