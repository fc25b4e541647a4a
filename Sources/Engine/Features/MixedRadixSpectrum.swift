import RealModule

/// A power spectrum without a library, for the engine in pages. An adapter of a library is faster.
///
/// A complex transform of half the length that sorts itself, and one pass that makes a real one of it. Lengths whose
/// half has only the factors 2, 3 and 5 take O(n log n) steps; another prime factor p takes O(n p).
/// - Source: P. N. Swarztrauber, “FFT algorithms for vector computers”, Parallel Computing 1 (1984), Stockham's form.
public final class MixedRadixSpectrum: SpectrumTransform {
    public let blockLength: Int
    public let input: UnsafeMutablePointer<Float>
    private let half: Int
    private let a: UnsafeMutablePointer<SIMD2<Float>>
    private let b: UnsafeMutablePointer<SIMD2<Float>>
    /// e^(-2πi k / half)
    private let twiddles: UnsafeMutablePointer<SIMD2<Float>>
    /// e^(-2πi k / blockLength)
    private let unpack: UnsafeMutablePointer<SIMD2<Float>>
    /// The factors of half the length, in the order of their passes.
    private var radices: [Int] = []

    /// - Precondition: the length is even and positive.
    public init(blockLength: Int) {
        precondition(blockLength > 0 && blockLength.isMultiple(of: 2), "\(blockLength) is no even length")
        self.blockLength = blockLength
        half = blockLength / 2
        input = .allocate(capacity: blockLength)
        input.initialize(repeating: 0, count: blockLength)
        func aligned(_ count: Int) -> UnsafeMutablePointer<SIMD2<Float>> {
            UnsafeMutableRawPointer.allocate(
                byteCount: count * MemoryLayout<SIMD2<Float>>.stride,
                alignment: MemoryLayout<SIMD4<Float>>.alignment
            ).bindMemory(to: SIMD2<Float>.self, capacity: count)
        }
        (a, b) = (aligned(half), aligned(half))
        a.initialize(repeating: .zero, count: half)
        b.initialize(repeating: .zero, count: half)
        twiddles = .allocate(capacity: half)
        unpack = .allocate(capacity: half + 1)
        for k in 0..<half {
            let angle = -2 * Double.pi * Double(k) / Double(half)
            (twiddles + k).initialize(to: SIMD2(Float(Double.cos(angle)), Float(Double.sin(angle))))
        }
        for k in 0...half {
            let angle = -2 * Double.pi * Double(k) / Double(blockLength)
            (unpack + k).initialize(to: SIMD2(Float(Double.cos(angle)), Float(Double.sin(angle))))
        }
        var rest = half
        for radix in [4, 2, 3, 5] {
            while rest.isMultiple(of: radix) {
                radices.append(radix)
                rest /= radix
            }
        }
        var prime = 7
        while rest > 1 {
            if prime * prime > rest { prime = rest }
            while rest.isMultiple(of: prime) {
                radices.append(prime)
                rest /= prime
            }
            prime += 2
        }
    }

    deinit {
        for memory in [a, b, twiddles, unpack] { memory.deallocate() }
        input.deallocate()
    }

    public func transform(into power: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(a).copyMemory(
            from: input, byteCount: blockLength * MemoryLayout<Float>.stride)
        var (x, y) = (a, b)
        var n = half
        var s = 1
        for radix in radices {
            if s.isMultiple(of: 2) {
                pass(radix, of: n, from: pairs(x), to: pairs(y), distance: s / 2)
            } else {
                pass(radix, of: n, from: x, to: y, distance: s)
            }
            swap(&x, &y)
            n /= radix
            s *= radix
        }
        for k in 0...half {
            let z = x[k == half ? 0 : k], c = x[k == 0 ? 0 : half - k]
            let even = SIMD2(z.x + c.x, z.y - c.y) * 0.5
            let odd = SIMD2(z.y + c.y, c.x - z.x) * 0.5
            let value = even + odd.times(unpack[k])
            power[k] = value.x * value.x + value.y * value.y
        }
    }

    /// The same memory, two complex numbers at once.
    private func pairs(_ numbers: UnsafeMutablePointer<SIMD2<Float>>) -> UnsafeMutablePointer<SIMD4<Float>> {
        UnsafeMutableRawPointer(numbers).bindMemory(to: SIMD4<Float>.self, capacity: half / 2)
    }

    /// One pass of a radix over sequences of `n` numbers, `s` of which lie side by side.
    @inline(__always)
    private func pass<C: ComplexNumbers>(
        _ radix: Int, of n: Int, from x: UnsafeMutablePointer<C>, to y: UnsafeMutablePointer<C>,
        distance s: Int
    ) {
        let m = n / radix
        let step = half / n
        switch radix {
        case 4:
            for p in 0..<m {
                let w1 = twiddles[p * step], w2 = twiddles[2 * p * step], w3 = twiddles[3 * p * step]
                let x0 = x + s * p, x1 = x + s * (p + m), x2 = x + s * (p + 2 * m),
                    x3 = x + s * (p + 3 * m)
                let y0 = y + s * 4 * p
                for q in 0..<s {
                    let c0 = x0[q], c1 = x1[q], c2 = x2[q], c3 = x3[q]
                    let e = c0 + c2, f = c0 - c2, g = c1 + c3, h = c1 - c3
                    let ih = h.timesMinusI
                    y0[q] = e + g
                    y0[q + s] = (f + ih).times(w1)
                    y0[q + 2 * s] = (e - g).times(w2)
                    y0[q + 3 * s] = (f - ih).times(w3)
                }
            }
        case 2:
            for p in 0..<m {
                let w = twiddles[p * step]
                for q in 0..<s {
                    let c0 = x[q + s * p], c1 = x[q + s * (p + m)]
                    y[q + s * 2 * p] = c0 + c1
                    y[q + s * (2 * p + 1)] = (c0 - c1).times(w)
                }
            }
        case 3:
            let h: Float = 0.8660254037844386
            for p in 0..<m {
                let w1 = twiddles[p * step], w2 = twiddles[2 * p * step]
                let x0 = x + s * p, x1 = x + s * (p + m), x2 = x + s * (p + 2 * m)
                let y0 = y + s * 3 * p
                for q in 0..<s {
                    let c0 = x0[q], t = x1[q] + x2[q], d = x1[q] - x2[q]
                    let base = c0 - 0.5 * t, r = d.timesMinusI * h
                    y0[q] = c0 + t
                    y0[q + s] = (base + r).times(w1)
                    y0[q + 2 * s] = (base - r).times(w2)
                }
            }
        case 5:
            let (k1, k2, s1, s2): (Float, Float, Float, Float) = (
                0.30901699437494745, -0.8090169943749475, 0.9510565162951535, 0.5877852522924731
            )
            for p in 0..<m {
                let w1 = twiddles[p * step], w2 = twiddles[2 * p * step], w3 = twiddles[3 * p * step],
                    w4 = twiddles[4 * p * step]
                let x0 = x + s * p, x1 = x0 + s * m, x2 = x1 + s * m, x3 = x2 + s * m, x4 = x3 + s * m
                let y0 = y + s * 5 * p
                for q in 0..<s {
                    let c0 = x0[q]
                    let a1 = x1[q] + x4[q], b1 = x1[q] - x4[q], a2 = x2[q] + x3[q], b2 = x2[q] - x3[q]
                    let e1 = c0 + k1 * a1 + k2 * a2, e2 = c0 + k2 * a1 + k1 * a2
                    let f1 = s1 * b1 + s2 * b2, f2 = s2 * b1 - s1 * b2
                    let i1 = f1.timesMinusI, i2 = f2.timesMinusI
                    y0[q] = c0 + a1 + a2
                    y0[q + s] = (e1 + i1).times(w1)
                    y0[q + 2 * s] = (e2 + i2).times(w2)
                    y0[q + 3 * s] = (e2 - i2).times(w3)
                    y0[q + 4 * s] = (e1 - i1).times(w4)
                }
            }
        default:
            for p in 0..<m {
                for r in 0..<radix {
                    let w = twiddles[r * p * step]
                    for q in 0..<s {
                        var sum = x[q + s * p]
                        for j in 1..<radix {
                            sum += x[q + s * (p + j * m)].times(twiddles[(r * j % radix) * (half / radix)])
                        }
                        y[q + s * (radix * p + r)] = sum.times(w)
                    }
                }
            }
        }
    }
}

/// Complex numbers side by side: real part, imaginary part, and so on.
private protocol ComplexNumbers: SIMD where Scalar == Float {
    /// Each number times -i.
    var timesMinusI: Self { get }
}

extension SIMD2<Float>: ComplexNumbers {
    @inline(__always) fileprivate var timesMinusI: Self { Self(y, -x) }
}

extension SIMD4<Float>: ComplexNumbers {
    @inline(__always) fileprivate var timesMinusI: Self { Self(y, -x, w, -z) }
}

extension ComplexNumbers {
    /// Each number times a complex one.
    @inline(__always)
    fileprivate func times(_ factor: SIMD2<Float>) -> Self { self * factor.x - timesMinusI * factor.y }
}

public final class MixedRadixSpectrumMaker: SpectrumTransformMaker {
    public init() {}

    public func makeTransform(blockLength: Int) -> any SpectrumTransform {
        MixedRadixSpectrum(blockLength: blockLength)
    }
}
