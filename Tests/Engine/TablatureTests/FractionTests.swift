import Testing

@testable import Tablature

@Suite struct FractionTests {
    @Test func sumsAndProductsAreExactAndReduced() {
        #expect(Fraction(1, 3) + Fraction(1, 6) == Fraction(1, 2))
        #expect((Fraction(3, 2) * Fraction(2, 3)).text == "1")
        #expect(Fraction(-6, -4).text == "3/2")
        #expect(Fraction(1, 3) < Fraction(34, 100))
    }

    @Test func textIsReadInThreeForms() {
        #expect(Fraction("3/2") == Fraction(3, 2))
        #expect(Fraction("-2") == Fraction(-2))
        #expect(Fraction("0.25") == Fraction(1, 4))
        for text in ["", "1/0", "x", "1/2/3", "99999999999999999999", "inf"] {
            #expect(Fraction(text) == nil, "\(text)")
        }
    }

    @Test func noDenominatorOverflows() {
        var sum = Fraction.zero
        for prime in [997, 991, 983, 977, 971, 967, 953, 947, 941, 937, 929, 919] {
            sum += Fraction(1, prime)
        }
        let expected = [997, 991, 983, 977, 971, 967, 953, 947, 941, 937, 929, 919].reduce(0.0) {
            $0 + 1 / Double($1)
        }
        #expect(abs(sum.value - expected) < 1e-6)
        var product = Fraction(1 << 39)
        for _ in 0..<20 { product = product * Fraction(1 << 39) }
        #expect(product.value > 0)
    }

    @Test func numbersBeyondMeaningAreNoFractions() {
        for text in [
            "-9223372036854775808", "-9223372036854775808/1", "1/-9223372036854775808", "1e300", "nan",
        ] {
            #expect(Fraction(text) == nil, "\(text)")
        }
    }
}
