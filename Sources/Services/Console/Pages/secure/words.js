// The page's own words: one row a word, one column a language. Readers of any other language get English.
import { languageFor, languages, wordsIn } from "/shared/languages.js";

/** All words. */
export const table = {
  title: ["Secure pages", "Sichere Seiten", "Páginas seguras", "Pages sécurisées", "Pagine sicure"],
  lead: [
    "Once this device trusts the server, its screen stays on, the microphone works, and pages open without the "
      + "network.",
    "Sobald dieses Gerät dem Server vertraut, bleibt der Bildschirm an, das Mikrofon geht, und Seiten öffnen sich auch "
      + "ohne Netz.",
    "En cuanto este dispositivo confíe en el servidor, la pantalla queda encendida, el micrófono funciona y las "
      + "páginas se abren sin red.",
    "Dès que cet appareil fait confiance au serveur, l’écran reste allumé, le micro fonctionne et les pages s’ouvrent "
      + "sans réseau.",
    "Quando questo dispositivo si fida del server, lo schermo resta acceso, il microfono funziona e le pagine si "
      + "aprono anche senza rete."],
  checking: ["One moment …", "Einen Augenblick …", "Un momento …", "Un instant …", "Un momento …"],
  trusted: [
    "This device trusts the server.", "Dieses Gerät vertraut dem Server.", "Este dispositivo confía en el servidor.",
    "Cet appareil fait confiance au serveur.", "Questo dispositivo si fida del server."],
  untrusted: [
    "This device does not trust the server yet.", "Dieses Gerät vertraut dem Server noch nicht.",
    "Este dispositivo aún no confía en el servidor.", "Cet appareil ne fait pas encore confiance au serveur.",
    "Questo dispositivo non si fida ancora del server."],
  none: [
    "This server has no certificate yet. A technician makes it on the page “First steps”.",
    "Dieser Server hat noch kein Zertifikat. Ein Techniker erstellt es auf der Seite „First steps“.",
    "Este servidor aún no tiene certificado. Un técnico lo crea en la página «First steps».",
    "Ce serveur n’a pas encore de certificat. Un technicien le crée sur la page « First steps ».",
    "Questo server non ha ancora un certificato. Un tecnico lo crea nella pagina «First steps»."],
  unreachable: [
    "The server does not answer.", "Der Server antwortet nicht.", "El servidor no responde.",
    "Le serveur ne répond pas.", "Il server non risponde."],
  goOn: ["Go on at {address}", "Weiter bei {address}", "Seguir en {address}", "Continuer sur {address}",
    "Continua su {address}"],
  download: [
    "Get the certificate", "Zertifikat laden", "Obtener el certificado", "Obtenir le certificat",
    "Scarica il certificato"],
  again: ["Check again", "Noch einmal prüfen", "Comprobar otra vez", "Vérifier à nouveau", "Controlla di nuovo"],
  limits: [
    "The certificate is good for this server’s names and for private addresses only.",
    "Das Zertifikat gilt nur für die Namen dieses Servers und für private Adressen.",
    "El certificado solo vale para los nombres de este servidor y para direcciones privadas.",
    "Le certificat ne vaut que pour les noms de ce serveur et pour les adresses privées.",
    "Il certificato vale solo per i nomi di questo server e per indirizzi privati."],
  print: ["Fingerprint:", "Fingerabdruck:", "Huella digital:", "Empreinte :", "Impronta digitale:"],
  iphone: ["iPhone and iPad", "iPhone und iPad", "iPhone y iPad", "iPhone et iPad", "iPhone e iPad"],
  iphoneGet: [
    "In Safari, get the certificate and allow the download.",
    "In Safari das Zertifikat laden und den Download erlauben.",
    "En Safari, obtenga el certificado y permita la descarga.",
    "Dans Safari, obtenez le certificat et autorisez le téléchargement.",
    "In Safari scarichi il certificato e consenta il download."],
  iphoneInstall: [
    "Settings › Profile Downloaded › Install.", "Einstellungen › Profil geladen › Installieren.",
    "Ajustes › Perfil descargado › Instalar.", "Réglages › Profil téléchargé › Installer.",
    "Impostazioni › Profilo scaricato › Installa."],
  iphoneTrust: [
    "Settings › General › About › Certificate Trust Settings: turn on “Baton”.",
    "Einstellungen › Allgemein › Info › Zertifikatsvertrauenseinstellungen: „Baton“ einschalten.",
    "Ajustes › General › Información › Configuración de confianza de los certificados: active «Baton».",
    "Réglages › Général › Informations › Réglages des certificats : activez « Baton ».",
    "Impostazioni › Generali › Info › Attendibilità certificati: attivi «Baton»."],
  android: ["Android", "Android", "Android", "Android", "Android"],
  androidGet: [
    "Get the certificate. If asked, keep the file.", "Zertifikat laden. Falls gefragt wird: Datei behalten.",
    "Obtenga el certificado. Si se le pregunta, conserve el archivo.",
    "Obtenez le certificat. Si la question est posée, gardez le fichier.",
    "Scarichi il certificato. Se richiesto, conservi il file."],
  androidInstall: [
    "Open Settings and search for “CA certificate”. Choose it, and “Install anyway”.",
    "In den Einstellungen nach „CA-Zertifikat“ suchen, auswählen, „Trotzdem installieren“.",
    "En Ajustes, busque «certificado de CA», elíjalo y pulse «Instalar de todos modos».",
    "Dans Paramètres, cherchez « certificat CA », choisissez-le, puis « Installer quand même ».",
    "In Impostazioni cerchi «certificato CA», lo scelga, poi «Installa comunque»."],
  androidTrust: [
    "Choose the file ca.crt. Then use Chrome.", "Die Datei ca.crt wählen. Danach Chrome benutzen.",
    "Elija el archivo ca.crt. Después use Chrome.", "Choisissez le fichier ca.crt. Ensuite, utilisez Chrome.",
    "Scelga il file ca.crt. Poi usi Chrome."],
  windows: ["Windows", "Windows", "Windows", "Windows", "Windows"],
  fileGet: [
    "Get the certificate, and open the file ca.crt.", "Zertifikat laden und die Datei ca.crt öffnen.",
    "Obtenga el certificado y abra el archivo ca.crt.", "Obtenez le certificat et ouvrez le fichier ca.crt.",
    "Scarichi il certificato e apra il file ca.crt."],
  windowsInstall: [
    "Install Certificate › Current User › “Place all certificates in the following store”.",
    "Zertifikat installieren › Aktueller Benutzer › „Alle Zertifikate in folgendem Speicher speichern“.",
    "Instalar certificado › Usuario actual › «Colocar todos los certificados en el siguiente almacén».",
    "Installer un certificat › Utilisateur actuel › « Placer tous les certificats dans le magasin suivant ».",
    "Installa certificato › Utente corrente › «Colloca tutti i certificati nel seguente archivio»."],
  windowsTrust: [
    "Choose “Trusted Root Certification Authorities”. Then close the browser and open it again.",
    "„Vertrauenswürdige Stammzertifizierungsstellen“ wählen. Danach den Browser schließen und wieder öffnen.",
    "Elija «Entidades de certificación raíz de confianza». Después cierre el navegador y ábralo de nuevo.",
    "Choisissez « Autorités de certification racines de confiance ». Ensuite, fermez le navigateur et rouvrez-le.",
    "Scelga «Autorità di certificazione radice attendibili». Poi chiuda e riapra il browser."],
  mac: ["Mac", "Mac", "Mac", "Mac", "Mac"],
  macInstall: [
    "Keychain Access opens; add it to “login”.", "Die Schlüsselbundverwaltung öffnet sich; zu „Anmeldung“ hinzufügen.",
    "Se abre Acceso a Llaveros; añádalo a «Inicio de sesión».",
    "Trousseaux d’accès s’ouvre ; ajoutez-le à « session ».", "Si apre Accesso Portachiavi; lo aggiunga a «login»."],
  macTrust: [
    "Double-click “Baton” there › Trust › Always Trust.", "Dort „Baton“ doppelklicken › Vertrauen › Immer vertrauen.",
    "Allí, doble clic en «Baton» › Confiar › Confiar siempre.",
    "Là, double-cliquez sur « Baton » › Se fier › Toujours approuver.",
    "Lì doppio clic su «Baton» › Attendibilità › Fidati sempre."],
  firefox: ["Firefox on a computer", "Firefox am Computer", "Firefox en un ordenador", "Firefox sur un ordinateur",
    "Firefox su un computer"],
  firefoxGet: [
    "Settings › Privacy & Security › View Certificates › Authorities › Import: the file ca.crt.",
    "Einstellungen › Datenschutz & Sicherheit › Zertifikate anzeigen › Zertifizierungsstellen › Importieren: ca.crt.",
    "Ajustes › Privacidad y seguridad › Ver certificados › Autoridades › Importar: el archivo ca.crt.",
    "Paramètres › Vie privée et sécurité › Afficher les certificats › Autorités › Importer : le fichier ca.crt.",
    "Impostazioni › Privacy e sicurezza › Mostra certificati › Autorità › Importa: il file ca.crt."],
  firefoxTrust: [
    "Tick that it may identify websites.", "Ankreuzen, dass es Websites identifizieren darf.",
    "Marque que puede identificar sitios web.", "Cochez qu’il peut identifier des sites web.",
    "Spunti che può identificare siti web."],
};

/** The ways to install the certificate, and the steps of each. */
export const ways = {
  iphone: ["iphoneGet", "iphoneInstall", "iphoneTrust"],
  android: ["androidGet", "androidInstall", "androidTrust"],
  windows: ["fileGet", "windowsInstall", "windowsTrust"],
  mac: ["fileGet", "macInstall", "macTrust"],
  firefox: ["androidGet", "firefoxGet", "firefoxTrust"],
};

/** The language of the page: the first that the browser wants and the table has. */
export const language = languageFor((navigator.languages ?? []).find((tag) => languages.includes(tag.split("-")[0])));

/** The word in the page's language, with what stands in braces filled in. */
export const word = (name, values = {}) => wordsIn(table, language, name, values);
