import Glibc
import Synchronization
import Testing

@testable import Platform
@testable import TestHelpers

/// What is locked of a server's memory. The tests lock no whole process.
@Suite(.ownThreads) struct MemoryLockTests {
    @Test func programAndLibrariesAreFoundAndNothingElse() throws {
        let files = mappedFiles()
        for symbol in ["malloc", "swift_retain"] {
            let place = try #require(dlsym(nil, symbol))
            let file = try #require(files.first { $0.bytes.contains(place) }, "the library of \(symbol)")
            #expect(file.isForRealTime, "\(file.name) is called by real-time threads")
        }
        #expect(files.contains { !$0.isForRealTime }, "Foundation, which no real-time thread calls")
        var onStack = 0
        withUnsafePointer(to: &onStack) { place in
            #expect(!files.contains { $0.bytes.contains(UnsafeRawPointer(place)) })
        }
    }

    @Test(.enabled(if: canLock(bytes: 2 * usedStackBytes)))
    func theStackOfARealTimeThreadIsThereBeforeItIsUsed() throws {
        let resident = Mutex<[UInt8]>([])
        let thread = try RealTimeThread(name: "deep", priority: 10) { _ in
            var place = 0
            let pages = withUnsafePointer(to: &place) { place in
                // Within what was locked, which began a few calls above.
                let page = UInt(4_096)
                let first = (UInt(bitPattern: place) - UInt(usedStackBytes) / 2) / page * page
                var pages = [UInt8](repeating: 0, count: usedStackBytes / 2 / Int(page) - 2)
                mincore(UnsafeMutableRawPointer(bitPattern: first), pages.count * Int(page), &pages)
                return pages
            }
            resident.withLock { $0 = pages }
        }
        thread.stop()
        let pages = resident.withLock { $0 }
        #expect(pages.count > 50)
        #expect(pages.allSatisfy { $0 & 1 == 1 })
    }
}

private func canLock(bytes: Int) -> Bool {
    let place = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    defer { munmap(place, bytes) }
    return mlock(place, bytes) == 0
}

extension UnsafeRawBufferPointer {
    fileprivate func contains(_ place: UnsafeRawPointer) -> Bool {
        guard let baseAddress else { return false }
        return place >= baseAddress && place < baseAddress + count
    }
}
