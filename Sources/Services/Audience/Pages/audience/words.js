// The page's own words. A language without words here is spoken to in English.

const english = {
  skip: "Skip to the slide", live: "Live", liveOn: "Live: you see the slide of the moment",
  liveOff: "Live: go to the slide of the moment", back: "Back to the programme", programme: "Programme",
  programmeNotes: "Programme notes", notesBright: "PDF, a bright page", notesPage: "To read here", glossary: "Glossary",
  info: "About this concert", help: "Help",
  settings: "Text and light", refresh: "Refresh", kept: "On this phone", nowPlaying: "Playing now",
  viewLive: "View Live",
  quiet: "No music just now", quietHint: "Leave this page open. It turns to the music by itself.",
  over: "The concert is over", overHint: "Thank you for listening. You can go on reading here.",
  liveOver: "Live: the concert is over",
  comesFirst: "First: {name}",
  unheard: "Listening for the hall …", unheardHint: "What plays is known here as soon as the hall is heard.",
  noText: "No text for this piece. The next one comes by itself.",
  slideOf: "{n} of {all}", slideOfSpoken: "Slide {n} of {all}", previous: "Previous slide", next: "Next slide",
  track: "Track", tracks: "What would you like to read?", language: "Language", timeline: "Form of the piece",
  timelineSpoken: "Form of the piece. Now: {section}", timelineBare: "Form of the piece",
  soon: "The first slide comes with the music.", laterLocked: "The next slide comes with the music.",
  connected: "Live Stream Connected", failed: "Live Stream Error",
  nothingLive: "Live Stream Connected. No music just now.",
  ended: "The live stream has ended.", offline: "Not in the hall. You can read what this phone has kept.",
  reconnecting: "No connection to the hall. Trying again.",
  behind: "The hall’s server is behind. Waiting for the newest word.",
  notHeard: "The hall is not heard at the moment. You see what was heard last.", waiting: "Waiting for the concert …",
  helpPicture: "The slide view with its parts named; the list below says the same.",
  infoPicture: "A picture about this concert.",
  black: "The screen is dark for this moment.",
  noAwake: "This phone may lock by itself. Touch it now and then, or turn off auto-lock for tonight.",
  textSize: "Text size", contrast: "Contrast", contrastNormal: "Normal", contrastHigh: "High", brightness: "Brightness",
  theme: "Colours", themeDark: "Dark", themeLight: "Light", themeAuto: "As the phone", motion: "Motion",
  motionFull: "Gentle",
  motionLess: "None", delay: "Delay for radio listeners",
  delayHint: "Listening at home? Move this until the slides fit what you hear.",
  seconds: "{n} s", percent: "{n} %", awake: "Keep the screen awake", close: "Close", measures: "Measures {from}–{to}",
  measure: "Measure {from}", here: "now", sharps: "{n} sharps", sharp: "1 sharp", flats: "{n} flats", flat: "1 flat",
  plain: "no sharps or flats",
  newcomer: "Easy to begin with", listener: "For regular listeners", expert: "For those who want to know more",
  history: "History", words: "Words",
  keptHint: "What you saw tonight stays on this phone to read later, until you delete it.",
  keptNone: "Nothing is kept on this phone.",
  keptCannot: "This address can’t keep anything on the phone: that needs https.",
  remove: "Delete", removeSpoken: "Delete {name}", removeAll: "Delete everything", keepAgain: "Keep this concert",
  removed: "Deleted: {name}", removedAll: "Everything is deleted.",
  bytes: "{n} KB", slides: "{n} slides", oneSlide: "1 slide", keptMark: "kept on this phone",
  earlier: "Kept from earlier",
  ignore: "Ignore", takeMe: "Take me there", ok: "OK", delayed: "{n} s later", fresh: "Everything is up to date.",
  stale: "Could not reach the hall. Nothing was changed.", visit: "Visit the website",
  noInfo: "There is nothing more to say about this concert.",
  begins: "It begins: follow", follow: "Back to the music", playsElsewhere: "Playing now: {name}",
  comesNext: "Next: {name}",
  musicAt: "The music is at slide {n} of {all}", musicBegins: "The music has begun",
  noTextShort: "No text for this piece",
  liveQuiet: "Live: nothing plays just now", liveTrouble: "Live: the connection is lost. Try again",
  liveGone: "No live stream. Try again",
  noLive: "No stream",
  noStream: "There is no live stream: the hall is not reached. The music takes over when it is heard.",
  removeAsk: "Delete {name} from this phone?", removeAllAsk: "Delete everything that this phone has kept?",
  keepIt: "Keep",
  noPicture: "A picture belongs here. It has not come.", goesOn: "This slide goes on below",
  wholeGlossary: "Whole glossary",
  chooseTrack: "Choose what to read", cast: "On stage tonight",
  notesMissing: "The programme notes could not be loaded.",
  more: "More", playsNow: "plays now",
  helpLive: "shows the slide of the moment. Green: you see it. Plain: you read something else, or nothing plays; " +
    "touch it to go back. Red: the connection is lost.",
  helpSlides: "turn through the slides you have seen. Swiping does the same. Slides still to come wait for the music.",
  helpTimeline: "is the loudness of the whole piece, in the colours of its sections; dots are where slides change. " +
    "Touch it for the form of the piece.",
  helpTrack: "chooses what you read and in which language.",
  helpLook: "text size, brightness, colours and the delay for radio listeners.",
  helpWords: "Underlined words are explained: touch them.",
  helpRefresh: "loads everything anew and joins the live stream again.",
  helpHall: "Please keep the phone dim and silent. This page never makes a sound.", helpKeys: "Keys",
  keysTurn: "turn slides", keysLive: "go live", keysHome: "programme", keysTrack: "track", keysForm: "form",
  keysWords: "glossary", keysLook: "text and light", keysHelp: "help", keysSize: "text size", keysClose: "close",
  printed: "Printed from the audience page",
};

const german = {
  skip: "Zur Folie springen", live: "Live", liveOn: "Live: Sie sehen die Folie des Augenblicks",
  liveOff: "Live: zur Folie des Augenblicks", back: "Zurück zum Programm", programme: "Programm",
  programmeNotes: "Programmheft", notesBright: "PDF, eine helle Seite", notesPage: "Hier zu lesen", glossary: "Glossar",
  info: "Über dieses Konzert", help: "Hilfe",
  settings: "Schrift und Licht", refresh: "Neu laden", kept: "Auf diesem Telefon", nowPlaying: "Jetzt erklingt",
  viewLive: "Live ansehen",
  quiet: "Gerade keine Musik", quietHint: "Lassen Sie diese Seite offen. Sie folgt der Musik von selbst.",
  over: "Das Konzert ist zu Ende", overHint: "Danke fürs Zuhören. Hier lässt sich weiter lesen.",
  liveOver: "Live: das Konzert ist zu Ende",
  comesFirst: "Zuerst: {name}",
  unheard: "Der Saal wird gesucht …", unheardHint: "Was erklingt, steht hier, sobald der Saal zu hören ist.",
  noText: "Kein Text zu diesem Stück. Das nächste kommt von selbst.",
  slideOf: "{n} von {all}", slideOfSpoken: "Folie {n} von {all}", previous: "Vorige Folie", next: "Nächste Folie",
  track: "Spur", tracks: "Was möchten Sie lesen?", language: "Sprache", timeline: "Form des Stücks",
  timelineSpoken: "Form des Stücks. Jetzt: {section}", timelineBare: "Form des Stücks",
  soon: "Die erste Folie kommt mit der Musik.", laterLocked: "Die nächste Folie kommt mit der Musik.",
  connected: "Live-Übertragung verbunden", failed: "Fehler der Live-Übertragung",
  nothingLive: "Live-Übertragung verbunden. Gerade keine Musik.",
  ended: "Die Live-Übertragung ist zu Ende.",
  offline: "Nicht im Saal. Sie können lesen, was dieses Telefon behalten hat.",
  reconnecting: "Keine Verbindung zum Saal. Neuer Versuch läuft.",
  behind: "Der Server im Saal ist im Rückstand. Bitte warten.",
  notHeard: "Der Saal ist im Augenblick nicht zu hören. Sie sehen, was zuletzt zu hören war.",
  waiting: "Das Konzert kommt gleich …",
  helpPicture: "Die Folienansicht mit ihren Teilen; die Liste darunter sagt dasselbe.",
  infoPicture: "Ein Bild zu diesem Konzert.",
  black: "Der Bildschirm bleibt für diesen Moment dunkel.",
  noAwake: "Dieses Telefon sperrt sich vielleicht von selbst. Berühren Sie es ab und zu, oder schalten Sie die " +
    "Sperre heute aus.",
  textSize: "Schriftgröße", contrast: "Kontrast", contrastNormal: "Normal", contrastHigh: "Hoch",
  brightness: "Helligkeit",
  theme: "Farben", themeDark: "Dunkel", themeLight: "Hell", themeAuto: "Wie das Telefon", motion: "Bewegung",
  motionFull: "Sanft",
  motionLess: "Keine", delay: "Verzögerung für Radiohörer",
  delayHint: "Sie hören zu Hause? Schieben Sie, bis die Folien zum Klang passen.",
  seconds: "{n} s", percent: "{n} %", awake: "Bildschirm wach halten", close: "Schließen",
  measures: "Takte {from}–{to}",
  measure: "Takt {from}", here: "jetzt", sharps: "{n} Kreuze", sharp: "1 Kreuz", flats: "{n} b", flat: "1 b",
  plain: "keine Vorzeichen",
  newcomer: "Leicht für den Anfang", listener: "Für regelmäßige Hörer", expert: "Für alle, die mehr wissen wollen",
  history: "Geschichte", words: "Wörter",
  keptHint: "Was Sie heute sahen, bleibt zum Nachlesen auf diesem Telefon, bis Sie es löschen.",
  keptNone: "Auf diesem Telefon liegt nichts.",
  keptCannot: "Unter dieser Adresse kann nichts behalten werden: dazu braucht es https.",
  remove: "Löschen", removeSpoken: "{name} löschen", removeAll: "Alles löschen", keepAgain: "Dieses Konzert behalten",
  removed: "Gelöscht: {name}", removedAll: "Alles ist gelöscht.",
  bytes: "{n} KB", slides: "{n} Folien", oneSlide: "1 Folie", keptMark: "auf diesem Telefon",
  earlier: "Von früher behalten",
  ignore: "Nicht jetzt", takeMe: "Dorthin", ok: "OK", delayed: "{n} s später",
  fresh: "Alles ist auf dem neuesten Stand.",
  stale: "Der Saal ist nicht erreichbar. Nichts wurde geändert.", visit: "Zur Website",
  noInfo: "Mehr gibt es zu diesem Konzert nicht zu sagen.",
  begins: "Es beginnt: mitlesen", follow: "Zurück zur Musik", playsElsewhere: "Jetzt erklingt: {name}",
  comesNext: "Als Nächstes: {name}",
  musicAt: "Die Musik ist bei Folie {n} von {all}", musicBegins: "Die Musik hat begonnen",
  noTextShort: "Kein Text zu diesem Stück",
  liveQuiet: "Live: gerade erklingt nichts", liveTrouble: "Live: die Verbindung fehlt. Noch einmal versuchen",
  liveGone: "Keine Live-Übertragung. Noch einmal versuchen",
  noLive: "Kein Live",
  noStream: "Keine Live-Übertragung: der Saal ist nicht erreichbar. Ist er zu hören, führt die Seite zur Musik.",
  removeAsk: "{name} von diesem Telefon löschen?", removeAllAsk: "Alles löschen, was dieses Telefon behalten hat?",
  keepIt: "Behalten",
  noPicture: "Hier gehört ein Bild hin. Es ist nicht gekommen.", goesOn: "Diese Folie geht unten weiter",
  wholeGlossary: "Ganzes Glossar",
  chooseTrack: "Wählen, was man liest", cast: "Heute auf der Bühne",
  notesMissing: "Das Programmheft konnte nicht geladen werden.",
  more: "Mehr", playsNow: "erklingt jetzt",
  helpLive: "zeigt die Folie des Augenblicks. Grün: Sie sehen sie. Ohne Farbe: Sie lesen etwas anderes, oder es " +
    "erklingt nichts; berühren Sie es, um zurückzukehren. Rot: die Verbindung fehlt.",
  helpSlides: "blättern durch die Folien, die schon zu sehen waren. Wischen geht auch. Spätere Folien warten auf die " +
    "Musik.",
  helpTimeline: "ist die Lautstärke des ganzen Stücks in den Farben seiner Abschnitte; Punkte sind die " +
    "Folienwechsel. Berühren öffnet die Form des Stücks.",
  helpTrack: "wählt, was Sie lesen und in welcher Sprache.",
  helpLook: "Schriftgröße, Helligkeit, Farben und die Verzögerung für Radiohörer.",
  helpWords: "Unterstrichene Wörter werden erklärt: berühren Sie sie.",
  helpRefresh: "lädt alles neu und verbindet die Live-Übertragung wieder.",
  helpHall: "Bitte lassen Sie das Telefon dunkel und stumm. Diese Seite macht nie ein Geräusch.", helpKeys: "Tasten",
  keysTurn: "blättern", keysLive: "live", keysHome: "Programm", keysTrack: "Spur", keysForm: "Form",
  keysWords: "Glossar", keysLook: "Schrift und Licht", keysHelp: "Hilfe", keysSize: "Schriftgröße",
  keysClose: "schließen", printed: "Gedruckt von der Publikumsseite",
};

const languages = { en: english, de: german };
let spoken = "en";

export const speaks = () => spoken;

/** Chooses the language of the page's own words; returns whether it changed. */
export function speak(tag) {
  const wanted = (tag ?? "en").split("-")[0].toLowerCase();
  const before = spoken;
  spoken = wanted in languages ? wanted : "en";
  document.documentElement.lang = spoken;
  return spoken !== before;
}

/** The words of a name, with what stands in braces filled in. */
export function say(name, values = {}) {
  const text = languages[spoken][name] ?? english[name];
  if (text === undefined) throw new Error(`There are no words “${name}”.`);
  return text.replace(/\{(\w+)\}/g, (whole, key) => String(values[key] ?? whole));
}

/** Writes the words into everything that names them: data-word for text, data-label for the accessible name. */
export function sayAll(root = document) {
  for (const element of root.querySelectorAll("[data-word]")) element.textContent = say(element.dataset.word);
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
  }
}
