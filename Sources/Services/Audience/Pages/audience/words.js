// The page's own words: one row a word, one column a language. A listener of any other language reads English.
import { languageFor, languages, wordsIn } from "/shared/languages.js";

const table = {
  skip: [
    "Skip to the slide", "Zur Folie springen", "Ir a la diapositiva", "Aller à la diapositive", "Vai alla diapositiva"],
  live: ["Live", "Live", "En directo", "En direct", "Dal vivo"],
  liveOn: [
    "Live: you see the slide of the moment", "Live: Sie sehen die aktuelle Folie",
    "En directo: ve la diapositiva del momento", "En direct : vous voyez la diapositive du moment",
    "Dal vivo: vede la diapositiva del momento"],
  liveLate: [
    "With the broadcast, {n} s behind the hall: you see the slide of the moment",
    "Mit der Sendung, {n}\u00a0s nach dem Saal: Sie sehen die aktuelle Folie",
    "Con la emisión, {n}\u00a0s detrás de la sala: ve la diapositiva del momento",
    "Avec la diffusion, {n}\u00a0s après la salle : vous voyez la diapositive du moment",
    "Con la trasmissione, {n}\u00a0s dopo la sala: vede la diapositiva del momento"],
  late: ["Broadcast −{n} s", "Sendung −{n} s", "Emisión −{n} s", "Diffusion −{n} s", "In onda −{n} s"],
  liveOff: [
    "Live: go to the slide of the moment", "Live: zur aktuellen Folie", "En directo: ir a la diapositiva del momento",
    "En direct : aller à la diapositive du moment", "Dal vivo: vai alla diapositiva del momento"],
  back: [
    "Back to the programme", "Zurück zum Programm", "Volver al programa", "Retour au programme", "Torna al programma"],
  programme: ["Programme", "Programm", "Programa", "Programme", "Programma"],
  programmeNotes: ["Programme notes", "Programmheft", "Notas al programa", "Notes de programme", "Note di sala"],
  notesBright: [
    "PDF, a bright page", "PDF, heller Hintergrund", "PDF, página clara", "PDF, page claire", "PDF, pagina chiara"],
  notesPage: ["To read here", "Hier lesen", "Para leer aquí", "À lire ici", "Da leggere qui"],
  glossary: ["Glossary", "Glossar", "Glosario", "Glossaire", "Glossario"],
  wasThere: ["I was there", "Ich war dabei", "Yo estuve", "J’y étais", "Io c’ero"],
  diary: [
    "Tonight in the diary", "Der Abend im Tagebuch", "Esta noche en el diario", "Ce soir dans le journal",
    "Stasera nel diario"],
  info: [
    "About this concert", "Über dieses Konzert", "Sobre este concierto", "À propos de ce concert",
    "Su questo concerto"],
  help: ["Help", "Hilfe", "Ayuda", "Aide", "Aiuto"],
  settings: ["Text and light", "Darstellung", "Texto y luz", "Texte et lumière", "Testo e luce"],
  refresh: ["Refresh", "Neu laden", "Actualizar", "Actualiser", "Aggiorna"],
  kept: ["On this phone", "Auf diesem Telefon", "En este teléfono", "Sur ce téléphone", "Su questo telefono"],
  nowPlaying: ["Playing now", "Jetzt erklingt", "Suena ahora", "En ce moment", "Si suona ora"],
  viewLive: ["View Live", "Live mitlesen", "Seguir en directo", "Suivre en direct", "Segui dal vivo"],
  intermission: ["Intermission", "Pause", "Intermedio", "Entracte", "Intervallo"],
  quiet: [
    "No music just now", "Gerade keine Musik", "Ahora no hay música", "Pas de musique pour l’instant",
    "Ora nessuna musica"],
  quietHint: [
    "Leave this page open. It turns to the music by itself.",
    "Lassen Sie diese Seite geöffnet; sie folgt der Musik von selbst.",
    "Deje esta página abierta. Sigue la música por sí sola.",
    "Laissez cette page ouverte. Elle suit la musique d’elle-même.",
    "Lasci aperta questa pagina. Segue la musica da sola."],
  over: [
    "The concert is over", "Das Konzert ist zu Ende", "El concierto ha terminado", "Le concert est terminé",
    "Il concerto è finito"],
  overHint: [
    "Thank you for listening. You can go on reading here.", "Vielen Dank fürs Zuhören. Hier können Sie weiterlesen.",
    "Gracias por escuchar. Puede seguir leyendo aquí.", "Merci de votre écoute. Vous pouvez continuer à lire ici.",
    "Grazie per l’ascolto. Può continuare a leggere qui."],
  liveOver: [
    "Live: the concert is over", "Live: Das Konzert ist zu Ende", "En directo: el concierto ha terminado",
    "En direct : le concert est terminé", "Dal vivo: il concerto è finito"],
  comesFirst: ["First: {name}", "Zuerst: {name}", "Primero: {name}", "D’abord : {name}", "Per primo: {name}"],
  unheard: [
    "Listening for the hall …", "Verbindung zum Saal wird gesucht …", "Buscando la sala …", "Recherche de la salle …",
    "Ricerca della sala …"],
  unheardHint: [
    "What plays is known here as soon as the hall is heard.",
    "Was gerade erklingt, steht hier, sobald der Saal erreicht ist.",
    "Lo que suena aparece aquí en cuanto se oye la sala.",
    "Ce qui est joué s’affiche ici dès que la salle est entendue.",
    "Ciò che si suona appare qui appena si sente la sala."],
  noText: [
    "No text for this piece. The next one comes by itself.", "Kein Text zu diesem Stück. Das nächste kommt von selbst.",
    "No hay texto para esta obra. La siguiente llega sola.",
    "Pas de texte pour cette œuvre. La suivante viendra d’elle-même.",
    "Nessun testo per questo brano. Il prossimo arriva da solo."],
  slideOf: ["{n} of {all}", "{n} von {all}", "{n} de {all}", "{n} sur {all}", "{n} di {all}"],
  slideOfSpoken: [
    "Slide {n} of {all}", "Folie {n} von {all}", "Diapositiva {n} de {all}", "Diapositive {n} sur {all}",
    "Diapositiva {n} di {all}"],
  previous: [
    "Previous slide", "Vorige Folie", "Diapositiva anterior", "Diapositive précédente", "Diapositiva precedente"],
  next: ["Next slide", "Nächste Folie", "Diapositiva siguiente", "Diapositive suivante", "Diapositiva successiva"],
  track: ["Track", "Text", "Texto", "Texte", "Testo"],
  tracks: [
    "What would you like to read?", "Was möchten Sie lesen?", "¿Qué desea leer?", "Que souhaitez-vous lire ?",
    "Che cosa desidera leggere?"],
  language: ["Language", "Sprache", "Idioma", "Langue", "Lingua"],
  timeline: ["Form of the piece", "Form des Stücks", "Forma de la obra", "Forme de l’œuvre", "Forma del brano"],
  timelineSpoken: [
    "Form of the piece. Now: {section}", "Form des Stücks. Jetzt: {section}", "Forma de la obra. Ahora: {section}",
    "Forme de l’œuvre. Maintenant : {section}", "Forma del brano. Ora: {section}"],
  timelineBare: ["Form of the piece", "Form des Stücks", "Forma de la obra", "Forme de l’œuvre", "Forma del brano"],
  bar: ["Bar", "Takt", "Compás", "Mesure", "Battuta"],
  ofBars: ["of {n}", "von {n}", "de {n}", "sur {n}", "di {n}"],
  barsInAll: ["{n} bars", "{n} Takte", "{n} compases", "{n} mesures", "{n} battute"],
  thenSection: [
    "then {name}, from bar {n}", "dann {name}, ab Takt {n}", "después {name}, desde el compás {n}",
    "puis {name}, dès la mesure {n}", "poi {name}, dalla battuta {n}"],
  soon: [
    "The first slide comes with the music.", "Die erste Folie kommt mit der Musik.",
    "La primera diapositiva llega con la música.", "La première diapositive vient avec la musique.",
    "La prima diapositiva arriva con la musica."],
  laterLocked: [
    "The next slide comes with the music.", "Die nächste Folie kommt mit der Musik.",
    "La siguiente diapositiva llega con la música.", "La diapositive suivante vient avec la musique.",
    "La prossima diapositiva arriva con la musica."],
  connected: [
    "Live Stream Connected", "Mit der Live-Übertragung verbunden", "Conectado a la transmisión en directo",
    "Connecté à la transmission en direct", "Connesso alla diretta"],
  failed: [
    "Live Stream Error", "Live-Übertragung gestört", "Fallo de la transmisión en directo",
    "Erreur de la transmission en direct", "Errore della diretta"],
  nothingLive: [
    "Live Stream Connected. No music just now.", "Mit der Live-Übertragung verbunden. Gerade keine Musik.",
    "Conectado a la transmisión en directo. Ahora no hay música.",
    "Connecté à la transmission en direct. Pas de musique pour l’instant.",
    "Connesso alla diretta. Ora nessuna musica."],
  ended: [
    "The live stream has ended.", "Die Live-Übertragung ist zu Ende.", "La transmisión en directo ha terminado.",
    "La transmission en direct est terminée.", "La diretta è terminata."],
  offline: [
    "Not in the hall. You can read what this phone has kept.",
    "Nicht im Saal. Sie können lesen, was auf diesem Telefon gespeichert ist.",
    "Fuera de la sala. Puede leer lo que guarda este teléfono.",
    "Hors de la salle. Vous pouvez lire ce que ce téléphone a gardé.",
    "Fuori dalla sala. Può leggere ciò che questo telefono ha conservato."],
  reconnecting: [
    "No connection to the hall. Trying again.", "Keine Verbindung zum Saal. Neuer Versuch läuft.",
    "Sin conexión con la sala. Se intenta de nuevo.", "Pas de connexion avec la salle. Nouvel essai.",
    "Nessuna connessione con la sala. Nuovo tentativo."],
  heldBack: [
    "This network holds back live data, so slides come a moment late. Another network helps.",
    "Dieses Netz hält Live-Daten zurück; die Folien kommen etwas später. Ein anderes Netz hilft.",
    "Esta red retiene los datos en directo: las diapositivas llegan algo tarde. Otra red ayuda.",
    "Ce réseau retient les données en direct : les diapositives arrivent un peu tard. Un autre réseau aide.",
    "Questa rete trattiene i dati in diretta: le diapositive arrivano un po’ tardi. Un’altra rete aiuta."],
  behind: [
    "The hall’s server is behind. Waiting for the newest word.", "Der Server im Saal ist im Rückstand. Bitte warten.",
    "El servidor de la sala va con retraso. Espere, por favor.",
    "Le serveur de la salle est en retard. Veuillez patienter.",
    "Il server della sala è in ritardo. Attendere, prego."],
  notHeard: [
    "The hall is not heard at the moment. You see what was heard last.",
    "Aus dem Saal kommt gerade nichts an. Sie sehen, was zuletzt zu hören war.",
    "Ahora no se oye la sala. Ve lo último que se oyó.",
    "La salle n’est pas entendue pour l’instant. Vous voyez ce qui a été entendu en dernier.",
    "La sala ora non si sente. Vede ciò che si è sentito per ultimo."],
  waiting: [
    "Waiting for the concert …", "Warten auf das Konzert …", "Esperando el concierto …", "En attente du concert …",
    "In attesa del concerto …"],
  helpPicture: [
    "The slide view with its parts named; the list below says the same.",
    "Die Folienansicht mit beschrifteten Teilen; die Liste darunter sagt dasselbe.",
    "La vista de diapositivas con el nombre de sus partes; la lista de abajo dice lo mismo.",
    "La vue des diapositives avec le nom de ses parties ; la liste ci-dessous dit la même chose.",
    "La vista delle diapositive con i nomi delle sue parti; l’elenco sotto dice lo stesso."],
  infoPicture: [
    "A picture about this concert.", "Ein Bild zu diesem Konzert.", "Una imagen de este concierto.",
    "Une image de ce concert.", "Un’immagine di questo concerto."],
  black: [
    "The screen is dark for this moment.", "Der Bildschirm bleibt für diesen Moment dunkel.",
    "La pantalla está oscura en este momento.", "L’écran reste sombre en ce moment.",
    "In questo momento lo schermo è scuro."],
  noAwake: [
    "This phone may lock by itself. Touch it now and then, or turn off auto-lock for tonight.",
    "Dieses Telefon sperrt sich vielleicht von selbst. Tippen Sie es ab und zu an oder schalten Sie die " +
      "automatische Sperre für heute aus.",
    "Este teléfono puede bloquearse solo. Tóquelo de vez en cuando o desactive el bloqueo automático por hoy.",
    "Ce téléphone peut se verrouiller de lui-même. Touchez-le de temps en temps ou désactivez le verrouillage " +
      "automatique ce soir.",
    "Questo telefono può bloccarsi da solo. Lo tocchi ogni tanto o disattivi il blocco automatico per stasera."],
  textSize: ["Text size", "Schriftgröße", "Tamaño del texto", "Taille du texte", "Dimensione del testo"],
  contrast: ["Contrast", "Kontrast", "Contraste", "Contraste", "Contrasto"],
  contrastNormal: ["Normal", "Normal", "Normal", "Normal", "Normale"],
  contrastHigh: ["High", "Hoch", "Alto", "Élevé", "Alto"],
  brightness: ["Brightness", "Helligkeit", "Brillo", "Luminosité", "Luminosità"],
  theme: ["Colours", "Farben", "Colores", "Couleurs", "Colori"],
  themeDark: ["Dark", "Dunkel", "Oscuro", "Sombre", "Scuro"],
  themeLight: ["Light", "Hell", "Claro", "Clair", "Chiaro"],
  themeAuto: ["As the phone", "Wie am Telefon", "Como el teléfono", "Comme le téléphone", "Come il telefono"],
  motion: ["Motion", "Bewegung", "Movimiento", "Mouvement", "Movimento"],
  motionFull: ["Gentle", "Sanft", "Suave", "Doux", "Dolce"],
  motionLess: ["None", "Keine", "Ninguno", "Aucun", "Nessuno"],
  delay: [
    "Delay for radio listeners", "Verzögerung für Radiohörer", "Retraso para oyentes de radio",
    "Délai pour les auditeurs de la radio", "Ritardo per chi ascolta la radio"],
  delayHint: [
    "Listening at home? Move this until the slides fit what you hear.",
    "Sie hören zu Hause zu? Verschieben Sie den Regler, bis die Folien zur Musik passen.",
    "¿Escucha en casa? Muévalo hasta que las diapositivas coincidan con lo que oye.",
    "Vous écoutez à la maison ? Déplacez ceci jusqu’à ce que les diapositives suivent ce que vous entendez.",
    "Ascolta da casa? Lo sposti finché le diapositive corrispondono a ciò che sente."],
  atHome: [
    "I am not in the hall: listen with me", "Ich bin nicht im Saal: hör mit mir zu",
    "No estoy en la sala: escucha conmigo", "Je ne suis pas dans la salle : écoute avec moi",
    "Non sono in sala: ascolta con me"],
  seconds: ["{n} s", "{n}\u00a0s", "{n}\u00a0s", "{n}\u00a0s", "{n}\u00a0s"],
  percent: ["{n} %", "{n}\u00a0%", "{n}\u00a0%", "{n}\u00a0%", "{n}\u00a0%"],
  awake: [
    "Keep the screen awake", "Bildschirm eingeschaltet lassen", "Mantener la pantalla encendida",
    "Garder l’écran allumé", "Tieni acceso lo schermo"],
  close: ["Close", "Schließen", "Cerrar", "Fermer", "Chiudi"],
  measures: [
    "Measures {from}–{to}", "Takte {from}–{to}", "Compases {from}–{to}", "Mesures {from}–{to}", "Battute {from}–{to}"],
  measure: ["Measure {from}", "Takt {from}", "Compás {from}", "Mesure {from}", "Battuta {from}"],
  here: ["now", "jetzt", "ahora", "maintenant", "ora"],
  sharps: ["{n} sharps", "{n} Kreuze", "{n} sostenidos", "{n} dièses", "{n} diesis"],
  sharp: ["1 sharp", "1 Kreuz", "1 sostenido", "1 dièse", "1 diesis"],
  flats: ["{n} flats", "{n} b", "{n} bemoles", "{n} bémols", "{n} bemolli"],
  flat: ["1 flat", "1 b", "1 bemol", "1 bémol", "1 bemolle"],
  plain: ["no sharps or flats", "keine Vorzeichen", "sin alteraciones", "sans altération", "senza alterazioni"],
  newcomer: ["Easy to begin with", "Für den Einstieg", "Para empezar", "Pour débuter", "Per cominciare"],
  listener: [
    "For regular listeners", "Für geübte Hörer", "Para oyentes habituales", "Pour les habitués",
    "Per chi ascolta spesso"],
  expert: [
    "For those who want to know more", "Für alle, die mehr wissen wollen", "Para quien quiere saber más",
    "Pour en savoir plus", "Per chi vuole saperne di più"],
  history: ["History", "Geschichte", "Historia", "Histoire", "Storia"],
  words: ["Words", "Wörter", "Palabras", "Mots", "Parole"],
  keptHint: [
    "What you saw tonight stays on this phone to read later, until you delete it.",
    "Was Sie heute gesehen haben, bleibt zum Nachlesen auf diesem Telefon, bis Sie es löschen.",
    "Lo que ha visto hoy queda en este teléfono para leerlo después, hasta que lo borre.",
    "Ce que vous avez vu ce soir reste sur ce téléphone pour le relire, jusqu’à ce que vous l’effaciez.",
    "Ciò che ha visto stasera resta su questo telefono da rileggere, finché non lo cancella."],
  keptNone: [
    "Nothing is kept on this phone.", "Auf diesem Telefon ist nichts gespeichert.",
    "No hay nada guardado en este teléfono.", "Rien n’est gardé sur ce téléphone.",
    "Su questo telefono non è conservato nulla."],
  keptCannot: [
    "This address can’t keep anything on the phone: that needs https.",
    "Unter dieser Adresse lässt sich nichts auf dem Telefon speichern: Dafür ist https nötig.",
    "Esta dirección no puede guardar nada en el teléfono: hace falta https.",
    "Cette adresse ne peut rien garder sur le téléphone : il faut https.",
    "Questo indirizzo non può conservare nulla sul telefono: serve https."],
  remove: ["Delete", "Löschen", "Borrar", "Supprimer", "Cancella"],
  removeSpoken: ["Delete {name}", "{name} löschen", "Borrar {name}", "Supprimer {name}", "Cancella {name}"],
  removeAll: ["Delete everything", "Alles löschen", "Borrar todo", "Tout supprimer", "Cancella tutto"],
  keepAgain: [
    "Keep this concert", "Dieses Konzert speichern", "Guardar este concierto", "Garder ce concert",
    "Conserva questo concerto"],
  removed: ["Deleted: {name}", "Gelöscht: {name}", "Borrado: {name}", "Supprimé : {name}", "Cancellato: {name}"],
  removedAll: [
    "Everything is deleted.", "Alles ist gelöscht.", "Todo se ha borrado.", "Tout est supprimé.",
    "Tutto è stato cancellato."],
  bytes: ["{n} KB", "{n}\u00a0KB", "{n}\u00a0KB", "{n}\u00a0Ko", "{n}\u00a0KB"],
  slides: ["{n} slides", "{n} Folien", "{n} diapositivas", "{n} diapositives", "{n} diapositive"],
  oneSlide: ["1 slide", "1 Folie", "1 diapositiva", "1 diapositive", "1 diapositiva"],
  keptMark: [
    "kept on this phone", "auf diesem Telefon gespeichert", "guardado en este teléfono", "gardé sur ce téléphone",
    "conservato su questo telefono"],
  earlier: [
    "Kept from earlier", "Aus früheren Konzerten", "Guardado antes", "Gardé auparavant", "Conservato in precedenza"],
  ignore: ["Ignore", "Nicht jetzt", "Ahora no", "Ignorer", "Non ora"],
  takeMe: ["Take me there", "Öffnen", "Abrir", "Ouvrir", "Apri"],
  ok: ["OK", "OK", "OK", "OK", "OK"],
  delayed: ["{n} s later", "{n}\u00a0s später", "{n}\u00a0s más tarde", "{n}\u00a0s plus tard", "{n}\u00a0s più tardi"],
  fresh: [
    "Everything is up to date.", "Alles ist auf dem neuesten Stand.", "Todo está al día.", "Tout est à jour.",
    "Tutto è aggiornato."],
  stale: [
    "Could not reach the hall. Nothing was changed.", "Der Saal ist nicht erreichbar. Es wurde nichts geändert.",
    "No se alcanza la sala. No se ha cambiado nada.", "La salle n’est pas joignable. Rien n’a changé.",
    "La sala non è raggiungibile. Nulla è cambiato."],
  visit: ["Visit the website", "Zur Website", "Visitar el sitio web", "Visiter le site web", "Visita il sito web"],
  noInfo: [
    "There is nothing more to say about this concert.", "Zu diesem Konzert gibt es keine weiteren Angaben.",
    "No hay nada más que decir de este concierto.", "Il n’y a rien de plus à dire de ce concert.",
    "Non c’è altro da dire su questo concerto."],
  begins: [
    "It begins: follow", "Es beginnt: jetzt mitlesen", "Empieza: seguir", "Ça commence : suivre", "Si comincia: segui"],
  follow: ["Back to the music", "Zurück zur Musik", "Volver a la música", "Revenir à la musique", "Torna alla musica"],
  playsElsewhere: [
    "Playing now: {name}", "Jetzt erklingt: {name}", "Suena ahora: {name}", "En ce moment : {name}",
    "Si suona ora: {name}"],
  comesNext: ["Next: {name}", "Als Nächstes: {name}", "Después: {name}", "Ensuite : {name}", "Poi: {name}"],
  musicAt: [
    "The music is at slide {n} of {all}", "Die Musik ist bei Folie {n} von {all}",
    "La música está en la diapositiva {n} de {all}", "La musique est à la diapositive {n} sur {all}",
    "La musica è alla diapositiva {n} di {all}"],
  musicBegins: [
    "The music has begun", "Die Musik hat begonnen", "La música ha empezado", "La musique a commencé",
    "La musica è cominciata"],
  noTextShort: [
    "No text for this piece", "Kein Text zu diesem Stück", "No hay texto para esta obra",
    "Pas de texte pour cette œuvre", "Nessun testo per questo brano"],
  liveQuiet: [
    "Live: nothing plays just now", "Live: Gerade erklingt nichts", "En directo: ahora no suena nada",
    "En direct : rien n’est joué pour l’instant", "Dal vivo: ora non si suona nulla"],
  liveTrouble: [
    "Live: the connection is lost. Try again", "Live: Die Verbindung ist unterbrochen. Noch einmal versuchen",
    "En directo: se ha perdido la conexión. Intentar de nuevo", "En direct : la connexion est perdue. Réessayer",
    "Dal vivo: connessione perduta. Riprova"],
  liveGone: [
    "No live stream. Try again", "Keine Live-Übertragung. Noch einmal versuchen",
    "Sin transmisión en directo. Intentar de nuevo", "Pas de transmission en direct. Réessayer",
    "Nessuna diretta. Riprova"],
  noLive: ["No stream", "Nicht live", "Sin directo", "Pas de direct", "Non dal vivo"],
  noStream: [
    "There is no live stream: the hall is not reached. The music takes over when it is heard.",
    "Keine Live-Übertragung: Der Saal ist nicht erreichbar. Sobald er wieder zu hören ist, folgt die Seite der " +
      "Musik.",
    "No hay transmisión en directo: no se alcanza la sala. La música guía la página en cuanto se oye.",
    "Pas de transmission en direct : la salle n’est pas joignable. La musique reprend dès qu’elle est entendue.",
    "Nessuna diretta: la sala non è raggiungibile. La pagina segue la musica appena si sente."],
  removeAsk: [
    "Delete {name} from this phone?", "{name} von diesem Telefon löschen?", "¿Borrar {name} de este teléfono?",
    "Supprimer {name} de ce téléphone ?", "Cancellare {name} da questo telefono?"],
  removeAllAsk: [
    "Delete everything that this phone has kept?", "Alles löschen, was auf diesem Telefon gespeichert ist?",
    "¿Borrar todo lo que guarda este teléfono?", "Supprimer tout ce que ce téléphone a gardé ?",
    "Cancellare tutto ciò che questo telefono ha conservato?"],
  keepIt: ["Keep", "Behalten", "Conservar", "Garder", "Conserva"],
  surtitles: ["Titles", "Übertitel", "Sobretítulos", "Surtitres", "Sopratitoli"],
  surtitleLanguage: [
    "Language of the titles", "Sprache der Übertitel", "Idioma de los sobretítulos", "Langue des surtitres",
    "Lingua dei sopratitoli"],
  original: ["Original", "Original", "Original", "Original", "Originale"],
  noPicture: [
    "A picture belongs here. It has not come.", "Hier gehört ein Bild hin. Es wurde nicht geladen.",
    "Aquí va una imagen. No ha llegado.", "Une image devrait être ici. Elle n’est pas arrivée.",
    "Qui va un’immagine. Non è arrivata."],
  goesOn: [
    "This slide goes on below", "Diese Folie geht unten weiter", "Esta diapositiva sigue abajo",
    "Cette diapositive continue plus bas", "Questa diapositiva continua sotto"],
  wholeGlossary: [
    "Whole glossary", "Zum ganzen Glossar", "Todo el glosario", "Tout le glossaire", "Tutto il glossario"],
  chooseTrack: [
    "Choose what to read", "Auswählen, was Sie lesen", "Elegir qué leer", "Choisir quoi lire",
    "Scegli che cosa leggere"],
  cast: ["On stage tonight", "Heute auf der Bühne", "Hoy en escena", "Ce soir sur scène", "Stasera sul palco"],
  notesMissing: [
    "The programme notes could not be loaded.", "Das Programmheft konnte nicht geladen werden.",
    "No se han podido cargar las notas al programa.", "Les notes de programme n’ont pas pu être chargées.",
    "Non è stato possibile caricare le note di sala."],
  more: ["More", "Mehr", "Más", "Plus", "Altro"],
  playsNow: ["plays now", "erklingt jetzt", "suena ahora", "joué maintenant", "si suona ora"],
  helpLive: [
    "shows the slide of the moment. Green: you see it. Plain: you read something else, or nothing plays; touch " +
      "it to go back. Red: the connection is lost.",
    "zeigt die aktuelle Folie. Grün: Sie sehen sie gerade. Ohne Farbe: Sie lesen etwas anderes, oder es erklingt " +
      "nichts; tippen Sie darauf, um zurückzukehren. Rot: Die Verbindung ist unterbrochen.",
    "muestra la diapositiva del momento. Verde: la está viendo. Sin color: lee otra cosa o no suena nada; " +
      "tóquelo para volver. Rojo: se ha perdido la conexión.",
    "montre la diapositive du moment. Vert : vous la voyez. Sans couleur : vous lisez autre chose, ou rien n’est " +
      "joué ; touchez pour revenir. Rouge : la connexion est perdue.",
    "mostra la diapositiva del momento. Verde: la sta vedendo. Senza colore: legge altro o non si suona nulla; " +
      "tocchi per tornare. Rosso: la connessione è perduta."],
  helpSlides: [
    "turn through the slides you have seen. Swiping does the same. Slides still to come wait for the music.",
    "blättern durch die Folien, die schon zu sehen waren. Wischen geht auch. Spätere Folien warten auf die Musik.",
    "pasan por las diapositivas que ya ha visto. Deslizar hace lo mismo. Las que faltan esperan a la música.",
    "parcourent les diapositives déjà vues. Balayer fait de même. Les suivantes attendent la musique.",
    "scorrono le diapositive già viste. Strisciare fa lo stesso. Quelle che mancano aspettano la musica."],
  helpTimeline: [
    "is the loudness of the whole piece, in the colours of its sections; dots are where slides change. Touch it " +
      "for the form of the piece.",
    "zeigt die Lautstärke des ganzen Stücks in den Farben seiner Abschnitte; Punkte markieren die Folienwechsel. " +
      "Tippen Sie darauf, um die Form des Stücks zu sehen.",
    "es el volumen de toda la obra, en los colores de sus secciones; los puntos marcan los cambios de " +
      "diapositiva. Tóquela para ver la forma de la obra.",
    "montre l’intensité de toute l’œuvre, dans les couleurs de ses parties ; les points marquent les changements " +
      "de diapositive. Touchez pour voir la forme de l’œuvre.",
    "è l’intensità di tutto il brano, nei colori delle sue sezioni; i punti segnano i cambi di diapositiva. La " +
      "tocchi per vedere la forma del brano."],
  helpTrack: [
    "chooses what you read and in which language.", "bestimmt, was Sie lesen und in welcher Sprache.",
    "elige qué lee y en qué idioma.", "choisit ce que vous lisez et dans quelle langue.",
    "sceglie che cosa leggere e in quale lingua."],
  helpLook: [
    "text size, brightness, colours and the delay for radio listeners.",
    "Schriftgröße, Helligkeit, Farben und die Verzögerung für Radiohörer.",
    "tamaño del texto, brillo, colores y el retraso para oyentes de radio.",
    "taille du texte, luminosité, couleurs et délai pour les auditeurs de la radio.",
    "dimensione del testo, luminosità, colori e ritardo per chi ascolta la radio."],
  helpWords: [
    "Underlined words are explained: touch them.", "Unterstrichene Wörter werden erklärt: Tippen Sie darauf.",
    "Las palabras subrayadas se explican: tóquelas.", "Les mots soulignés sont expliqués : touchez-les.",
    "Le parole sottolineate sono spiegate: le tocchi."],
  helpRefresh: [
    "loads everything again and joins the live stream again.",
    "holt den neuesten Stand und stellt die Live-Übertragung wieder her.",
    "carga todo de nuevo y vuelve a la transmisión en directo.", "recharge tout et rejoint la transmission en direct.",
    "ricarica tutto e rientra nella diretta."],
  helpHall: [
    "Please keep the phone dim and silent. This page never makes a sound.",
    "Bitte lassen Sie das Telefon gedimmt und stumm. Diese Seite gibt nie einen Ton von sich.",
    "Mantenga el teléfono oscuro y en silencio. Esta página nunca suena.",
    "Gardez le téléphone sombre et silencieux. Cette page n’émet jamais de son.",
    "Tenga il telefono scuro e silenzioso. Questa pagina non emette mai suoni."],
  helpKeys: ["Keys", "Tasten", "Teclas", "Touches", "Tasti"],
  keysTurn: ["turn slides", "blättern", "pasar diapositivas", "changer de diapositive", "cambia diapositiva"],
  keysLive: ["go live", "live", "en directo", "en direct", "dal vivo"],
  keysHome: ["programme", "Programm", "programa", "programme", "programma"],
  keysTrack: ["track", "Text", "texto", "texte", "testo"],
  keysForm: ["form", "Form", "forma", "forme", "forma"],
  keysWords: ["glossary", "Glossar", "glosario", "glossaire", "glossario"],
  keysLook: ["text and light", "Darstellung", "texto y luz", "texte et lumière", "testo e luce"],
  keysHelp: ["help", "Hilfe", "ayuda", "aide", "aiuto"],
  keysSize: ["text size", "Schriftgröße", "tamaño del texto", "taille du texte", "dimensione del testo"],
  keysClose: ["close", "schließen", "cerrar", "fermer", "chiudi"],
  printed: [
    "Printed from the audience page", "Ausdruck der Publikumsseite", "Impreso desde la página del público",
    "Imprimé depuis la page du public", "Stampato dalla pagina del pubblico"],
};

export { languages };
let spoken = "en";

export const speaks = () => spoken;

/** Chooses the language of the page's own words; returns whether it changed. */
export function speak(tag) {
  const before = spoken;
  spoken = languageFor(tag);
  document.documentElement.lang = spoken;
  return spoken !== before;
}

/** The words of a name, with what stands in braces filled in. */
export const say = (name, values = {}) => wordsIn(table, spoken, name, values);

/** Writes the words into everything that names them: data-word for text, data-label for the accessible name. */
export function sayAll(root = document) {
  for (const element of root.querySelectorAll("[data-word]")) element.textContent = say(element.dataset.word);
  for (const element of root.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
  }
}
