/// One changed row of a table, for replication: its present values, or that it was deleted.
public struct RowChange: Equatable, Sendable {
    public var table: String
    /// The values of the primary key, in the key's order.
    public var primaryKey: [SQLiteValue]
    /// The row's values in the order of the table's columns; nil for a deleted row.
    public var row: [SQLiteValue]?

    public init(table: String, primaryKey: [SQLiteValue], row: [SQLiteValue]?) {
        self.table = table
        self.primaryKey = primaryKey
        self.row = row
    }
}

/// An SQLite value, as stored.
public enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(UInt64)
    case text([UInt8])
    case blob([UInt8])

    var byteCount: Int {
        switch self {
        case .null: 1
        case .integer, .real: 9
        case .text(let bytes), .blob(let bytes): bytes.count + 5
        }
    }
}

/// Encodes changed rows as bytes: each row's table, key and values. Texts and blobs are preceded by their length.
public enum RowChangeCoding {
    /// The maximum number of values in a row.
    private static let mostValues = 64

    public static func encode(_ changes: [RowChange]) -> [UInt8] {
        var out: [UInt8] = []
        for change in changes {
            appendBytes(Array(change.table.utf8), &out)
            appendValues(change.primaryKey, &out)
            out.append(change.row == nil ? 0 : 1)
            if let row = change.row { appendValues(row, &out) }
        }
        return out
    }

    /// Decodes changed rows; nil if the bytes are not complete rows.
    public static func decode(_ bytes: ArraySlice<UInt8>) -> [RowChange]? {
        var reader = Reader(rest: bytes)
        var changes: [RowChange] = []
        while !reader.rest.isEmpty {
            guard let table = reader.readBytes(), let key = reader.readValues(),
                let isThere = reader.readByte()
            else {
                return nil
            }
            var row: [SQLiteValue]?
            if isThere == 1 {
                guard let values = reader.readValues() else { return nil }
                row = values
            } else if isThere != 0 {
                return nil
            }
            changes.append(
                RowChange(table: String(decoding: table, as: UTF8.self), primaryKey: key, row: row))
        }
        return changes
    }

    private static func appendBytes(_ bytes: [UInt8], _ out: inout [UInt8]) {
        appendNumber(UInt64(bytes.count), 4, &out)
        out += bytes
    }

    private static func appendNumber(_ number: UInt64, _ count: Int, _ out: inout [UInt8]) {
        for index in (0..<count).reversed() {
            out.append(UInt8(truncatingIfNeeded: number >> UInt64(index * 8)))
        }
    }

    private static func appendValues(_ values: [SQLiteValue], _ out: inout [UInt8]) {
        out.append(UInt8(values.count))
        for value in values {
            switch value {
            case .null: out.append(0)
            case .integer(let number):
                out.append(1)
                appendNumber(UInt64(bitPattern: number), 8, &out)
            case .real(let bits):
                out.append(2)
                appendNumber(bits, 8, &out)
            case .text(let bytes):
                out.append(3)
                appendBytes(bytes, &out)
            case .blob(let bytes):
                out.append(4)
                appendBytes(bytes, &out)
            }
        }
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func readByte() -> UInt8? { rest.popFirst() }

        mutating func readNumber(_ count: Int) -> UInt64? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
        }

        mutating func readBytes() -> [UInt8]? {
            guard let count = readNumber(4), rest.count >= Int(count) else { return nil }
            defer { rest = rest.dropFirst(Int(count)) }
            return Array(rest.prefix(Int(count)))
        }

        mutating func readValues() -> [SQLiteValue]? {
            guard let count = readByte(), Int(count) <= RowChangeCoding.mostValues else { return nil }
            var values: [SQLiteValue] = []
            for _ in 0..<count {
                switch readByte() {
                case 0: values.append(.null)
                case 1:
                    guard let bits = readNumber(8) else { return nil }
                    values.append(.integer(Int64(bitPattern: bits)))
                case 2:
                    guard let bits = readNumber(8) else { return nil }
                    values.append(.real(bits))
                case 3:
                    guard let bytes = readBytes() else { return nil }
                    values.append(.text(bytes))
                case 4:
                    guard let bytes = readBytes() else { return nil }
                    values.append(.blob(bytes))
                default: return nil
                }
            }
            return values
        }
    }
}
