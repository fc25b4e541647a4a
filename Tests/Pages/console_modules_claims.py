"""The modules that need no server, tried in the browser itself."""

from browser import ENGINE
from console_case import BrowserCase


class ModuleTest(BrowserCase):
    """The modules that need no server, tried in the browser itself."""

    def setUp(self):
        self.driver.get(self.base + "/no-such-page")

    def fill_disk(self):
        """No sign-in can be written until the test has ended."""
        self.need_script()
        self.server.server.fill_disk()
        self.addCleanup(self.server.server.free_disk)

    def test_giving_back_says_before_where_the_audience_goes(self):
        words = self.later("""
            const { goingWords } = await import('/console/giveback.js');
            const at = (measure, more = {}) =>
                ({ piece: 0, played: measure, measure, state: 'following', silent: false, ...more });
            const position = { ...at(13), holder: { kind: 'technician' }, audience: { view: 'live' }, proving: null };
            const keys = { baton: 'M', hold: 'H' };
            const pieces = [{ name: 'Prelude' }, { name: 'Minuet' }];
            const say = (follower, p = {}, show = {}) =>
                goingWords({ position: { ...position, ...p }, follower, show, pieces, keys });
            const holder = { kind: 'follower' };
            return [say(at(16)), say(at(13)), say(at(4, { piece: 1 })), say(at(16, { state: 'lost' })),
                say(at(16, { silent: true })),
              say(at(16), { proving: { measure: 16, inMs: 2100 } }), say(at(16), { holder }, { held: true }),
              say(at(64), { holder, proving: { measure: 64, inMs: 2100 } }),
              say(at(64), { holder, proving: { measure: 64, inMs: null } }),
              say(at(64), { holder }), say(at(16), { audience: { view: 'frozen' } })];""")
        self.assertEqual(words, [
            "M: the audience goes from 13 to 16", "", "M: the audience goes from 13 to bar 4 of “Minuet”",
            "M: the audience stays at 13; the follower is lost", "",
            "M: the audience goes from 13 to 16, once the follower is sure", "H: the audience goes from 13 to 16",
            "The follower is sure of bar 64: the audience goes there in 3 s",
            "The follower tries bar 64 and is not sure; the audience stays", "", "M: the position goes from 13 to 16"])

    def test_faults_that_are_over_leave_the_list_after_a_minute(self):
        self.assertEqual(self.later("""
            const { ShownFaults } = await import('/console/faults.js');
            const fault = (id, over, count = 1) => ({ id, over, count, sentence: id });
            const faults = new ShownFaults();
            const shown = (seconds, list) => {
              if (list) faults.take(list, seconds * 1000);
              return faults.at(seconds * 1000).map(({ id, over }) => (over ? `${id} over` : id)).join(', ');
            };
            return [shown(0, [fault('past', true), fault('input', false), fault('disk', false)]),
                shown(10, [fault('past', true), fault('input', true), fault('disk', false)]), shown(69), shown(71),
                // The fault comes again and ends between two lists.
                shown(80, [fault('past', true), fault('input', true, 2), fault('disk', false)]),
                // It comes again and stays.
                shown(90, [fault('past', true), fault('input', false, 3), fault('disk', true)]), shown(200)];"""),
            ["input, disk", "disk, input over", "disk, input over", "disk", "disk, input over", "input, disk over",
             "input"])

    def test_overruns_and_dropouts_are_marked_for_a_minute_and_counted_for_the_show(self):
        self.assertEqual(self.later("""
            document.body.innerHTML = `<dl id="readings"></dl><canvas id="level"></canvas><p id="level-text"></p>
                <p id="clock"></p>`;
            let seconds = 0;
            performance.now = () => seconds * 1000;
            const { Desk } = await import('/console/desk.js');
            const { showHealth } = await import('/console/health.js');
            const desk = new Desk();
            showHealth(desk);
            const shown = (at, xruns, overruns = 0, more = {}) => {
              seconds = at;
              desk.set('meters', { xruns, overruns, clipped: 0, packetsFailed: 0, packetsPerSecond: 5, ...more });
              const say = (css) => document.querySelector(css);
              return ['overruns', 'xruns', 'packets'].map((id) => say(`[data-reading=${id}]`))
                .map((e) => `${e.lastChild.textContent}${e.dataset.bad === 'true' ? ' bad' : ''}`)
                .concat(say('#level-text').dataset.bad === 'true' ? 'clips' : []).join(', ');
            };
            const more = { clipped: 2, packetsFailed: 1 };
            // Nobody knows when what stands there at first was counted.
            return [shown(0, 2), shown(10, 3), shown(69, 3), shown(70, 3), shown(80, 4, 1), shown(100, 5, 1),
                shown(141, 5, 1), shown(161, 5, 1), shown(170, 5, 1, more), shown(231, 5, 1, more),
                // Another server counts anew.
                shown(240, 0), shown(250, 1)];"""),
            ["0, 2, 5.0 /s", "0, 3 bad, 5.0 /s", "0, 3 bad, 5.0 /s", "0, 3, 5.0 /s", "1 bad, 4 bad, 5.0 /s",
             "1 bad, 5 bad, 5.0 /s", "1, 5 bad, 5.0 /s", "1, 5, 5.0 /s", "1, 5, 5.0 /s · 1 failed bad, clips",
             "1, 5, 5.0 /s · 1 failed", "0, 0, 5.0 /s", "0, 1 bad, 5.0 /s"])

    def test_tempo_is_told_only_while_something_is_followed(self):
        self.assertEqual(self.later("""
            const { tempoOf } = await import('/console/tempo.js');
            const at = (mode, sinceMs = 60_000) => tempoOf({ mode, sinceMs, tempo: 1.1 });
            return [at('following'), at('coasting'), at('manual'), at('lost', 9000), at('lost', 11_000), at('waiting'),
                at('finished'), at('resting'), at('held'), tempoOf({ mode: 'following', tempo: null })];"""),
            [1.1, 1.1, 1.1, 1.1, None, None, None, None, None, None])

    def test_targets_answer_only_if_they_have_answered(self):
        self.assertEqual(self.later("""
            const { targetsReading } = await import('/console/health.js');
            const target = (kind, ok, answers) => ({ kind, ok, answers });
            const packets = target('multicast', true, false);
            return [[], [packets], [packets, target('osc', true, false)],
                [target('osc', true, true), target('mqtt', true, true)],
                [target('osc', false, true), target('osc', true, true), target('osc', true, false)]]
              .map((list) => targetsReading(list)).map(({ words, isBad }) => [words, isBad]);"""),
            [["None set up", False], ["None set up", False], ["1 unconfirmed", False], ["2 answering", False],
             ["1 failing · 1 answering · 1 unconfirmed", True]])

    def test_epochs_compare_by_term_then_change(self):
        self.assertEqual(self.later("""
            const { compareEpochs: c, newerEpoch, readEpoch } = await import('/shared/epoch.js');
            const { TermFence } = await import('/console/fence.js');
            const fence = new TermFence();
            return [c('1.4', '1.5') < 0, c('1.10', '1.9') > 0, c('2.0', '1.99') > 0, c('1.4', '1.4') === 0,
                c('x', '0.0') < 0,
                newerEpoch(undefined, '1.1'), readEpoch('1.-2'), readEpoch('1'),
                fence.admits(3, 'a'), fence.admits(2), fence.admits(3), fence.admits(undefined), fence.admits(1, 'b'),
                    fence.term];"""),
            [True, True, True, True, True, "1.1", None, None, True, False, True, True, True, 1])

    def test_key_names_do_not_depend_on_caps_lock_or_layout(self):
        self.assertEqual(self.later("""
            const { keyName: k } = await import('/console/keymap.js');
            return [k({key: ' '}), k({key: 'g'}), k({key: 'G'}), k({key: 'L', shiftKey: true}),
                k({key: '?', shiftKey: true}),
                k({key: '¡', code: 'Digit1', altKey: true}), k({key: 'Escape', shiftKey: true}), k({key: 'Shift'}),
                    k({key: 'r', ctrlKey: true}), k({key: 'ä'})];"""),
            ["Space", "G", "G", "Shift+L", "?", "Alt+1", "Shift+Escape", None, "Ctrl+R", "Ä"])

    def test_key_map_refuses_conflicts_and_broken_memories(self):
        self.assertEqual(self.later("""
            const { KeyMap } = await import('/console/keymap.js');
            const { actions } = await import('/console/actions.js');
            const map = new KeyMap(actions); const all = Object.values(actions).flatMap((a) => a.keys);
            const refusals = [map.bind('hold', 'T'), map.bind('hold', '4'), map.bind('hold', 'Enter'),
                map.bind('hold', 'Ctrl+R')].every(Boolean);
            const bound = map.bind('hold', 'X');
            const kept = map.changes(); const other = new KeyMap(actions);
            return [new Set(all).size === all.length, refusals, bound, map.actionOf('X'), map.actionOf('H'), kept,
                other.restore(kept), other.actionOf('X'), other.restore({hold: ['T']}), other.actionOf('T'),
                other.restore({nobody: ['X']}),
                other.restore('x'), other.restore({hold: [3]}), other.restore(null)];"""),
            [True, True, None, "hold", None, {"hold": ["X"]}, True, "hold", False, "tap", False, False, False, True])

    def test_places_are_spelled_as_the_score_spells_them(self):
        self.assertEqual(self.later("""
            const { placeOf, sectionPlace } = await import('/console/places.js');
            const sections = [{label: 'C'}, {label: '12a'}, {label: 'Trio'}];
            return [placeOf(' 57 ', sections), placeOf('c', sections), placeOf('57/2', sections),
                placeOf('trio', sections),
                placeOf('12A', sections), placeOf('Z', sections), sectionPlace('12a')];"""),
            ["57", "C", "57/2", "Trio", "s:12a", "Z", "s:12a"])

    def test_csv_round_trips_and_names_the_broken_line(self):
        self.assertEqual(self.later("""
            const { readCsv, writeCsv } = await import('/console/csv.js');
            const rows = [['a,b', 'c"d', 'e\\nf', ''], ['', ' g ', 'ü', '"']];
            const fail = (text) => { try { readCsv(text); return ''; } catch (e) { return e.message; } };
            return [JSON.stringify(readCsv(writeCsv(rows))) === JSON.stringify(rows),
                readCsv('\\ufeffa,b\\r\\n\\r\\nc,d'),
                fail('a\\n"b" c').startsWith('Line 2'), fail('a"b').startsWith('Line 1'), fail('"a').length > 0,
                    readCsv('')];"""),
            [True, [["a", "b"], ["c", "d"]], True, True, True, []])

    def test_csv_of_spreadsheets_is_read_and_nothing_is_run_there(self):
        self.assertEqual(self.later("""
            const { readCsv, shield, unshield } = await import('/console/csv.js');
            const { rowsOf } = await import('/console/cuerows.js');
            const odd = ['=A1', '+1', '-1 dB', '@x', '\\tx', "'=1", "''", "'quoted'", "don't", 'a=b', ''];
            const cue = (text) => { const { place, name, kind, auto, earliness_ms } = rowsOf(text)[0];
                return [place, name, kind, auto, earliness_ms]; };
            return [readCsv('\ufeffa;"b;c";d\\r\\n1;2;3,5'), readCsv('a\\tb,c'), readCsv('sep=;\\r\\na,b;c'),
                cue('place;name;kind;auto;earliness_ms\\n3;"Lights; blue";note;no;250,0'),
                cue("Place,Name,Kind\\n3,'-10 dB,note"),
                odd.every((text) => unshield(shield(text)) === text),
                    odd.map(shield).some((text) => /^[=+\\-@\\t]/.test(text))];"""),
            [[["a", "b;c", "d"], ["1", "2", "3,5"]], [["a\tb", "c"]], [["a,b", "c"]],
             ["3", "Lights; blue", "note", "no", "250"], ["3", "-10 dB", "note", "yes", "0"], True, False])

    def test_cues_that_two_people_change_are_merged(self):
        self.assertEqual(self.later("""
            const { describeConflict, mergeRows, rowsOf } = await import('/console/cuerows.js');
            const list = (...names) => rowsOf('place,name,kind\\n' + names.map((name, at) => `${at + 1},${name},note`)
                .join('\\n'));
            const base = list('A', 'B', 'C');
            const merge = (change, theirs) => {
                const mine = base.map((row) => ({ ...row }));
                const origins = new Map(mine.map((row, at) => [row, base[at]]));
                change(mine);
                const { rows, both } = mergeRows(base, mine, theirs, (row) => origins.get(row));
                return [rows.map((row) => row.name).join(' '), both.map(describeConflict).join(' ')];
            };
            const nothing = () => {};
            return [merge(nothing, base), merge(nothing, list('A', 'X', 'C')),
                merge((rows) => { rows[0].name = 'mine'; }, list('A', 'X', 'C')),
                merge((rows) => rows.splice(0, 1), list('A', 'X', 'C')),
                merge((rows) => rows.push(...list('new')), list('A', 'B')),
                merge((rows) => { rows[1].name = 'mine'; }, list('A', 'X', 'C')),
                merge((rows) => { rows[1].name = 'X'; }, list('A', 'X', 'C')),
                merge((rows) => rows.splice(1, 1), list('A', 'X', 'C')),
                merge((rows) => { rows[2].name = 'mine'; }, list('A', 'B'))];"""),
            [["A B C", ""], ["A X C", ""], ["mine X C", ""], ["X C", ""], ["A B new", ""], ["A X mine C",
              "Both of you have changed “B”: “X” is theirs, “mine” is yours; the table has both."],
             ["A X C", ""], ["A X C", ""],
             ["A B mine", "They have removed “C”, which you have changed; yours is in the table again."]])

    def test_messages_keep_the_rules_of_the_wire(self):
        self.assertEqual(self.later("""
            const { messageMistake: m } = await import('/console/messages.js');
            const base = {title: 'Hi', body: 'there', style: 'AUTO', buttonText: ''};
            return [m(base), ...[{body: 'a|b'}, {body: 'a\\nb'}, {style: 'BUTTON'},
                {title: 'Link', buttonText: 'ftp://x'}, {title: '', body: ''},
                {body: 'ü'.repeat(600)}].map((change) => typeof m({...base, ...change})),
                    m({...base, title: 'Link', style: 'BUTTON', buttonText: 'https://x.example/'})];"""),
            [None, "string", "string", "string", "string", "string", "string", None])

    def test_sign_in_leads_only_to_pages_of_this_server(self):
        self.assertEqual(self.later("""
            const { nextPath: n } = await import('/login/next.js');
            return ['', '?next=/report', '?next=//evil.example', '?next=https://evil.example/',
                '?next=/%5Cevil.example', '?next=/login', '?next=javascript:alert(1)'].map((search) =>
                    n(search, 'technician'));"""),
            ["/console", "/report", "/console", "/console", "/console", "/console", "/console"])

    def test_sign_in_leads_to_where_the_role_begins(self):
        self.assertEqual(self.later("""
            const { nextPath: n } = await import('/login/next.js');
            const roles = ['musician', 'editor', 'technician', 'administrator'];
            return [roles.map((role) => n('', role)), roles.map((role) => n('?next=//evil.example', role)),
                roles.map((role) => n('?next=/account', role))];"""),
            [["/stand", "/library", "/console", "/console"]] * 2 + [["/account"] * 4])

    def test_a_sign_in_that_could_not_be_saved_is_read_before_one_goes_on(self):
        self.fill_disk()
        self.driver.delete_all_cookies()
        self.driver.get(self.base + "/login?next=/report")
        self.script("document.getElementById('name').value = 'ines';"
                    "document.getElementById('password').value = 'open sesame';"
                    "document.getElementById('submit').click()")
        self.until(lambda: "could not be saved" in self.text("say"), "the sentence is shown")
        self.until(lambda: self.text("submit") == "Go on", "and a button to go on")
        self.assertIn("/login", self.driver.current_url)
        self.script("document.getElementById('submit').click()")
        self.until(lambda: "/report" in self.driver.current_url, "then it goes where one wanted to")

    def test_an_answer_from_before_the_sign_in_leads_nowhere(self):
        if ENGINE != "chromium":
            self.skipTest("holds an answer back by DevTools")
        self.fill_disk()
        self.driver.delete_all_cookies()
        script = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
            const really = window.fetch;
            window.held = new Promise((go) => { window.release = go; });
            window.fetch = (path, how) => path === "/api/me" ? window.held.then(() => really(path, how))
                : really(path, how);"""})
        try:
            self.driver.get(self.base + "/login?next=/report")
            self.script("document.getElementById('name').value = 'ines';"
                        "document.getElementById('password').value = 'open sesame';"
                        "document.getElementById('submit').click()")
            self.until(lambda: self.text("submit") == "Go on", "signed in, with a sentence to read")
            self.later("window.release(); await really('/api/me'); await new Promise((go) => setTimeout(go, 100));")
            self.assertIn("/login", self.driver.current_url)
            self.assertIn("could not be saved", self.text("say"))
        finally:
            self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)

    def test_a_takeover_is_no_rate_of_packets(self):
        self.assertEqual(self.later("""
            const { rates } = await import('/report/numbers.js');
            return rates([[0, 0], [10_000, 50], [20_000, 1_000_090], [30_000, 1_000_140], [40_000, 10]]);"""),
            [[10_000, 5], [30_000, 5], [40_000, 0]])

    def test_a_piece_that_sounds_twice_is_drawn_twice(self):
        self.assertEqual(self.later("""
            const { soundingStretches } = await import('/report/numbers.js');
            const bar = (at, liveSeconds = null) => ({ at, liveSeconds, referenceSeconds: 2 });
            return [soundingStretches({ measures: [bar(1_000, 2), bar(3_000, 3), bar(20_000), bar(600_000, 2),
                bar(602_000)] }), soundingStretches({ measures: [bar(100_000)],
                states: [[10_000, 'following'], [15_000, 'waiting'], [99_000, 'following']] }),
                soundingStretches({ measures: [] }), soundingStretches({})];"""),
            [[[1_000, 22_000], [600_000, 604_000]], [[10_000, 15_000], [99_000, 102_000]], [], []])

    def test_sign_in_leads_back_to_the_very_place(self):
        self.assertEqual(self.later("""
            const { nextPath: n } = await import('/login/next.js');
            return [n('?next=' + encodeURIComponent('/edit?x=1#/3/track/abc'), 'editor'),
                n('?next=/edit', 'editor', '#/3/words'),
                n('?next=' + encodeURIComponent('/edit#/3'), 'editor', '#/4'),
                    n('?next=//evil.example', 'editor', '#/3')];"""),
            ["/edit?x=1#/3/track/abc", "/edit#/3/words", "/edit#/3", "/library"])

    def test_pieces_are_told_apart_by_what_differs(self):
        self.assertEqual(self.later("""
            const { shortNames } = await import('/edit/names.js');
            return shortNames(['Beethoven, Symphony 1: Allegro', 'Beethoven, Symphony 2: Allegro',
                'Mozart, Sonata: Rondo',
                'Haydn, Sonata: Rondo', 'Bach, X: I', 'Bach, X: I', '', 'Satie, Gymnopédie']);"""),
            ["Symphony 1: Allegro", "Symphony 2: Allegro", "Mozart, Sonata: Rondo", "Haydn, Sonata: Rondo",
             "Bach, X: I (1)",
             "Bach, X: I (2)", "Untitled piece", "Gymnopédie"])

    def test_numbers_under_a_report_rise_or_are_marked_as_a_return(self):
        marks = self.later("""
            const { measureMarks } = await import('/report/numbers.js');
            const count = (from, until) => Array.from({ length: until - from + 1 }, (_, index) => from + index);
            return [measureMarks([2, 3, 2, 3, 4], 20), measureMarks([...count(1, 50), ...count(2, 51)], 20),
                measureMarks([], 20)];""")
        self.assertEqual(marks[0],
                         [[0, "2", False], [1, "3", False], [2, "↩ 2", True], [3, "3", False], [4, "4", False]])
        self.assertIn([50, "↩ 2", True], marks[1])
        self.assertLessEqual(len(marks[1]), 21)
        last = 0
        for _, words, is_return in marks[1]:
            number = int(words.split()[-1])
            self.assertTrue(is_return or number > last, words)
            last = number
        self.assertEqual(marks[2], [])

    def test_times_have_24_hours_in_every_browser(self):
        self.assertEqual(self.later("""
            const { hour } = await import('/rehearsal/words.js');
            return hour(new Date(2026, 10, 28, 16, 58).getTime());"""), "16:58")

    def test_a_reports_confidence_has_gaps_where_nothing_was_followed(self):
        runs, spans = self.later("""
            const { confidenceRuns, stateSpans } = await import('/report/numbers.js');
            // Now for a moment, played five minutes later; the music rests once, and once the follower says nothing.
            const piece = { states: [[0, 'following'], [2000, 'left'], [300_000, 'waiting'], [310_000, 'following'],
                [320_000, 'coasting'], [322_000, 'following'], [330_000, 'resting'], [340_000, 'following'],
                [400_000, 'left']],
              confidence: [[0, .9], [1000, .8], [300_000, 0], [305_000, 0], [310_000, .7], [315_000, .8], [321_000, .4],
                [325_000, .9], [332_000, .1], [341_000, .9], [345_000, .9], [370_000, .8], [372_000, .8]],
              measures: [] };
            return [confidenceRuns(piece).map((run) => run.map(([at]) => at / 1000)), stateSpans(piece)];""")
        self.assertEqual(runs, [[0, 1], [310, 315, 321, 325], [341, 345], [370, 372]])
        self.assertEqual(spans[-1], [340_000, 372_000, "following"], "no state outlasts the piece")
        self.assertEqual(len(self.later("""
            const { confidenceRuns } = await import('/report/numbers.js');
            return confidenceRuns({ confidence: [[0, .9], [5000, .8]] });""")), 1, "without states")
