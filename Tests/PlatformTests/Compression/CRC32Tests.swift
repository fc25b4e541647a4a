import Platform
import Testing

@Suite struct CRC32Tests {
    /// The check value of “123456789”, as in RFC 1952.
    @Test func checksumIsTheStandardOne() {
        #expect(CRC32.checksum(Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(CRC32.checksum([]) == 0 && CRC32.checksum(ContiguousArray()) == 0)
    }

    @Test func checksumGoesOnWhereItEnded() {
        let bytes = Array("123456789".utf8)
        for cut in 0...bytes.count {
            let first = CRC32.checksum(bytes[..<cut])
            #expect(CRC32.checksum(bytes[cut...], after: first) == 0xCBF4_3926)
        }
    }

    @Test func bytesThatLieApartCountTheSame() {
        #expect(CRC32.checksum("123456789".utf8.reversed().reversed()) == 0xCBF4_3926)
    }
}
