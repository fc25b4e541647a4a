import Basics
import Testing

/// A name is one line that shows what it is.
@Suite struct NameRuleTests {
    @Test(arguments: [
        ("Anna Berg", "Anna Berg"), ("  Anna\tBerg \n", "Anna Berg"), ("Anna\r\nBerg", "Anna Berg"),
        ("Anna\u{2028}Berg", "Anna Berg"), ("\u{202E}greB annA\u{202C}", "greB annA"),
        ("An\u{200B}na", "Anna"), ("\u{FEFF}Anna", "Anna"), ("Anna\u{0}", "Anna"), ("\u{0}\u{200F}", ""),
        ("Ágnes 小澤", "Ágnes 小澤"),
    ])
    func aNameIsStoredAsItIsSeen(text: String, name: String) {
        #expect(NameRule.cleaned(text) == name)
        #expect(NameRule.isFit(name) == !name.isEmpty)
    }

    @Test(arguments: [
        ("Anna", "Аnna"), ("Anna", "Annа"), ("Hans", "Нans"), ("Oscar", "Оѕсаr"), ("Nora", "Νora"),
        ("Anna", "ANNA"),
        ("Anna Berg", "Anna\u{A0}Berg"), ("Anna", "An\u{200D}na"), ("Kim", "Кіm"),
    ])
    func namesThatLookAlikeHaveOneShape(one: String, other: String) {
        #expect(NameRule.shape(of: one) == NameRule.shape(of: other))
    }

    @Test(arguments: [
        ("Anna", "Anne"), ("Ян", "Jan"), ("Ágnes", "Agnes"), ("Anna 1", "Anna 2"), ("Лев", "Lev"),
    ])
    func namesThatLookDifferentHaveTwo(one: String, other: String) {
        #expect(NameRule.shape(of: one) != NameRule.shape(of: other))
    }

    @Test(arguments: [
        ("breathe\nhere", "breathe\nhere"), ("a\u{0}b", "ab"), ("a\r\nb\rc", "a\nb\nc"), ("a\tb", "a\tb"),
        ("a\u{2028}b\u{7}", "a\nb"),
    ])
    func aTextKeepsItsLinesAndLosesControlCharacters(text: String, cleaned: String) {
        #expect(NameRule.cleanedText(text) == cleaned)
    }
}
