"""What the tests of pages, the tests of the whole system and the research share: independent of the server, by the
published formats alone. Each folder whose scripts are run from it has a link to it, so that all import `lib`.
"""
