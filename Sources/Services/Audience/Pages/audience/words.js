// The page's own words. A language without words here is spoken to in English.

const english = {
  skip: "Skip to the slide", live: "Live", liveOn: "Live: you see the slide of the moment",
  liveOff: "Live: go to the slide of the moment", back: "Back to the programme", programme: "Programme",
  programmeNotes: "Programme notes", notesBright: "PDF, a bright page", notesPage: "To read here", glossary: "Glossary",
  wasThere: "I was there", diary: "Tonight in the diary",
  info: "About this concert", help: "Help",
  settings: "Text and light", refresh: "Refresh", kept: "On this phone", nowPlaying: "Playing now",
  viewLive: "View Live",
  intermission: "Intermission", quiet: "No music just now",
  quietHint: "Leave this page open. It turns to the music by itself.",
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
  heldBack: "This network holds back live data, so slides come a moment late. Another network helps.",
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
  surtitles: "Titles", surtitleLanguage: "Language of the titles", original: "Original",
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
  helpRefresh: "loads everything again and joins the live stream again.",
  helpHall: "Please keep the phone dim and silent. This page never makes a sound.", helpKeys: "Keys",
  keysTurn: "turn slides", keysLive: "go live", keysHome: "programme", keysTrack: "track", keysForm: "form",
  keysWords: "glossary", keysLook: "text and light", keysHelp: "help", keysSize: "text size", keysClose: "close",
  printed: "Printed from the audience page",
};

const german = {
  skip: "Zur Folie springen", live: "Live", liveOn: "Live: Sie sehen die aktuelle Folie",
  liveOff: "Live: zur aktuellen Folie", back: "Zurück zum Programm", programme: "Programm",
  wasThere: "Ich war dabei", diary: "Der Abend im Tagebuch",
  programmeNotes: "Programmheft", notesBright: "PDF, heller Hintergrund", notesPage: "Hier lesen", glossary: "Glossar",
  info: "Über dieses Konzert", help: "Hilfe",
  settings: "Darstellung", refresh: "Neu laden", kept: "Auf diesem Telefon", nowPlaying: "Jetzt erklingt",
  viewLive: "Live mitlesen",
  intermission: "Pause", quiet: "Gerade keine Musik",
  quietHint: "Lassen Sie diese Seite geöffnet; sie folgt der Musik von selbst.",
  over: "Das Konzert ist zu Ende", overHint: "Vielen Dank fürs Zuhören. Hier können Sie weiterlesen.",
  liveOver: "Live: Das Konzert ist zu Ende",
  comesFirst: "Zuerst: {name}",
  unheard: "Verbindung zum Saal wird gesucht …",
  unheardHint: "Was gerade erklingt, steht hier, sobald der Saal erreicht ist.",
  noText: "Kein Text zu diesem Stück. Das nächste kommt von selbst.",
  slideOf: "{n} von {all}", slideOfSpoken: "Folie {n} von {all}", previous: "Vorige Folie", next: "Nächste Folie",
  surtitles: "Übertitel", surtitleLanguage: "Sprache der Übertitel", original: "Original",
  track: "Text", tracks: "Was möchten Sie lesen?", language: "Sprache", timeline: "Form des Stücks",
  timelineSpoken: "Form des Stücks. Jetzt: {section}", timelineBare: "Form des Stücks",
  soon: "Die erste Folie kommt mit der Musik.", laterLocked: "Die nächste Folie kommt mit der Musik.",
  connected: "Mit der Live-Übertragung verbunden", failed: "Live-Übertragung gestört",
  nothingLive: "Mit der Live-Übertragung verbunden. Gerade keine Musik.",
  ended: "Die Live-Übertragung ist zu Ende.",
  offline: "Nicht im Saal. Sie können lesen, was auf diesem Telefon gespeichert ist.",
  reconnecting: "Keine Verbindung zum Saal. Neuer Versuch läuft.",
  heldBack: "Dieses Netz hält Live-Daten zurück; die Folien kommen etwas später. Ein anderes Netz hilft.",
  behind: "Der Server im Saal ist im Rückstand. Bitte warten.",
  notHeard: "Aus dem Saal kommt gerade nichts an. Sie sehen, was zuletzt zu hören war.",
  waiting: "Warten auf das Konzert …",
  helpPicture: "Die Folienansicht mit beschrifteten Teilen; die Liste darunter sagt dasselbe.",
  infoPicture: "Ein Bild zu diesem Konzert.",
  black: "Der Bildschirm bleibt für diesen Moment dunkel.",
  noAwake: "Dieses Telefon sperrt sich vielleicht von selbst. Tippen Sie es ab und zu an oder schalten Sie die " +
    "automatische Sperre für heute aus.",
  textSize: "Schriftgröße", contrast: "Kontrast", contrastNormal: "Normal", contrastHigh: "Hoch",
  brightness: "Helligkeit",
  theme: "Farben", themeDark: "Dunkel", themeLight: "Hell", themeAuto: "Wie am Telefon", motion: "Bewegung",
  motionFull: "Sanft",
  motionLess: "Keine", delay: "Verzögerung für Radiohörer",
  delayHint: "Sie hören zu Hause zu? Verschieben Sie den Regler, bis die Folien zur Musik passen.",
  seconds: "{n}\u00a0s", percent: "{n}\u00a0%", awake: "Bildschirm eingeschaltet lassen", close: "Schließen",
  measures: "Takte {from}–{to}",
  measure: "Takt {from}", here: "jetzt", sharps: "{n} Kreuze", sharp: "1 Kreuz", flats: "{n} b", flat: "1 b",
  plain: "keine Vorzeichen",
  newcomer: "Für den Einstieg", listener: "Für geübte Hörer", expert: "Für alle, die mehr wissen wollen",
  history: "Geschichte", words: "Wörter",
  keptHint: "Was Sie heute gesehen haben, bleibt zum Nachlesen auf diesem Telefon, bis Sie es löschen.",
  keptNone: "Auf diesem Telefon ist nichts gespeichert.",
  keptCannot: "Unter dieser Adresse lässt sich nichts auf dem Telefon speichern: Dafür ist https nötig.",
  remove: "Löschen", removeSpoken: "{name} löschen", removeAll: "Alles löschen", keepAgain: "Dieses Konzert speichern",
  removed: "Gelöscht: {name}", removedAll: "Alles ist gelöscht.",
  bytes: "{n}\u00a0KB", slides: "{n} Folien", oneSlide: "1 Folie", keptMark: "auf diesem Telefon gespeichert",
  earlier: "Aus früheren Konzerten",
  ignore: "Nicht jetzt", takeMe: "Öffnen", ok: "OK", delayed: "{n}\u00a0s später",
  fresh: "Alles ist auf dem neuesten Stand.",
  stale: "Der Saal ist nicht erreichbar. Es wurde nichts geändert.", visit: "Zur Website",
  noInfo: "Zu diesem Konzert gibt es keine weiteren Angaben.",
  begins: "Es beginnt: jetzt mitlesen", follow: "Zurück zur Musik", playsElsewhere: "Jetzt erklingt: {name}",
  comesNext: "Als Nächstes: {name}",
  musicAt: "Die Musik ist bei Folie {n} von {all}", musicBegins: "Die Musik hat begonnen",
  noTextShort: "Kein Text zu diesem Stück",
  liveQuiet: "Live: Gerade erklingt nichts",
  liveTrouble: "Live: Die Verbindung ist unterbrochen. Noch einmal versuchen",
  liveGone: "Keine Live-Übertragung. Noch einmal versuchen",
  noLive: "Nicht live",
  noStream: "Keine Live-Übertragung: Der Saal ist nicht erreichbar. Sobald er wieder zu hören ist, folgt die Seite " +
    "der Musik.",
  removeAsk: "{name} von diesem Telefon löschen?",
  removeAllAsk: "Alles löschen, was auf diesem Telefon gespeichert ist?",
  keepIt: "Behalten",
  noPicture: "Hier gehört ein Bild hin. Es wurde nicht geladen.", goesOn: "Diese Folie geht unten weiter",
  wholeGlossary: "Zum ganzen Glossar",
  chooseTrack: "Auswählen, was Sie lesen", cast: "Heute auf der Bühne",
  notesMissing: "Das Programmheft konnte nicht geladen werden.",
  more: "Mehr", playsNow: "erklingt jetzt",
  helpLive: "zeigt die aktuelle Folie. Grün: Sie sehen sie gerade. Ohne Farbe: Sie lesen etwas anderes, oder es " +
    "erklingt nichts; tippen Sie darauf, um zurückzukehren. Rot: Die Verbindung ist unterbrochen.",
  helpSlides: "blättern durch die Folien, die schon zu sehen waren. Wischen geht auch. Spätere Folien warten auf die " +
    "Musik.",
  helpTimeline: "zeigt die Lautstärke des ganzen Stücks in den Farben seiner Abschnitte; Punkte markieren die " +
    "Folienwechsel. Tippen Sie darauf, um die Form des Stücks zu sehen.",
  helpTrack: "bestimmt, was Sie lesen und in welcher Sprache.",
  helpLook: "Schriftgröße, Helligkeit, Farben und die Verzögerung für Radiohörer.",
  helpWords: "Unterstrichene Wörter werden erklärt: Tippen Sie darauf.",
  helpRefresh: "holt den neuesten Stand und stellt die Live-Übertragung wieder her.",
  helpHall: "Bitte lassen Sie das Telefon gedimmt und stumm. Diese Seite gibt nie einen Ton von sich.",
  helpKeys: "Tasten",
  keysTurn: "blättern", keysLive: "live", keysHome: "Programm", keysTrack: "Text", keysForm: "Form",
  keysWords: "Glossar", keysLook: "Darstellung", keysHelp: "Hilfe", keysSize: "Schriftgröße",
  keysClose: "schließen", printed: "Ausdruck der Publikumsseite",
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
