"""The bars that the players of a benchmark recording play at each time, and the wished reaction of each stand."""

import time

from lib.waiting import hold_for

NEAR = 0.5  # seconds around the wished moment


class Plays:
    """A recording that is broken off and, after a pause, begun again from an earlier measure."""

    def __init__(self, evening, start, broken_off, pause, again):
        """`start` in seconds since 1970, the others in seconds: of the recording, of quiet, of the recording."""
        self.evening, self.case = evening, evening.case
        self.start, self.from_second = start, 0.0
        self.broken_off = start + broken_off
        self.again, self.again_second = self.broken_off + pause, again

    def begin_again(self):
        self.start, self.from_second = self.again, self.again_second

    def when(self, measure):
        """Seconds since 1970 at which a measure begins, in the passage that is played now."""
        return self.start + self.case.at[measure] - self.from_second

    def bar(self):
        now = time.time()
        return max((measure for measure in self.case.at if self.when(measure) <= now), default=self.case.first)

    def sleep_until(self, moment):
        hold_for(moment - time.time())  # the players play

    def wait(self, index):
        """Until a measure, counted from the first."""
        self.sleep_until(self.when(self.case.first + index))

    def pages(self, stand):
        return self.evening.part_pages if stand is self.evening.carl else self.evening.score_pages

    def page(self, stand):
        return self.pages(stand).page(self.bar())

    def is_right(self, stand):
        """It lies at the music's page, or at the next where that is due."""
        page = self.page(stand)
        return stand.pages == [page] or stand.pages == [page + 1] and time.time() > self.wished(stand, page) - NEAR

    def wished(self, stand, page):
        """The time at which a stand should turn away from a page: the page's end, less the lead at the length of its
        last measure."""
        last = self.pages(stand).measures(page)[1]
        length = self.case.at[last + 1] - self.case.at[last]
        return self.when(last + 1) - self.evening.leads[stand.name] * min(max(0.4 + 0.3 * length, 0.7), 1.3)

    def judge(self, begin, end, leaving_out=None):
        """Each turn that was to be made in a stretch was made near its moment, and no other."""
        for stand in self.evening.stands:
            if stand is not leaving_out:
                self.judge_stand(stand, begin, end)

    def judge_stand(self, stand, begin, end):
        that, pages = self.evening.that, self.pages(stand)
        moments = {page + 1: self.wished(stand, page) for page in range(pages.count)
                   if pages.measures(page)[1] + 1 in self.case.at}
        lies = next((lying for at, lying in reversed(stand.turned) if at <= begin), [0])
        made = [(at, lying) for at, lying in stand.turned if begin < at < end and lying != lies]
        due = {page: at for page, at in moments.items() if begin + NEAR < at < end - NEAR and at > self.start}
        for page, at in due.items():
            late = next((turned - at for turned, lying in made if lying == [page]), None)
            that(f"{stand.name} turns to page {page + 1} when it is due", late is not None and abs(late) <= NEAR, late)
            if late is not None:
                self.evening.turns.append(late)
                print(f"        {late:+.2f} s", flush=True)
        # A turn that is due at the very edge of the stretch may lie on either side.
        edge = [page for page, at in moments.items() if min(abs(at - begin), abs(at - end)) <= NEAR]
        known = [[page] for page in [*due, *edge]]
        wrong = [(at - self.start, lying) for at, lying in made if lying not in known]
        that(f"{stand.name} turns no page wrongly", not wrong and len(made) <= len(known), (wrong, made))
