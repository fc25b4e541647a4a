/// The printed pixels of a page: 1 for ink, 0 for paper.
struct InkImage {
    let width: Int
    let height: Int
    let pixels: [UInt8]

    /// True for ink; false outside the picture.
    @inline(__always) func isInk(_ x: Int, _ y: Int) -> Bool {
        x >= 0 && y >= 0 && x < width && y < height && pixels[y * width + x] != 0
    }
}
