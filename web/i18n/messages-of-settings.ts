// Made by compile.ts from the catalogues; not to be edited.
import type { Locale } from './languages.ts';

export const currentPassword = (l: Locale): string => (l === 'de' ? 'Aktuelles Passwort' : 'Current password');
export const changePassword = (l: Locale): string => (l === 'de' ? 'Passwort ändern' : 'Change password');
export const factorOn = (l: Locale): string =>
  l === 'de'
    ? 'Die Zwei-Faktor-Anmeldung ist aktiv: Zum Anmelden brauchen Sie Ihr Passwort und einen Code.'
    : 'Two-factor authentication is on: signing in takes your password and a code.';
export const factorOff = (l: Locale): string =>
  l === 'de'
    ? 'Schützt Ihr Konto auch dann, wenn jemand Ihr Passwort kennt.'
    : 'Protects your account even if someone learns your password.';
export const factorBegin = (l: Locale): string => (l === 'de' ? 'Einrichten' : 'Set up');
export const factorEnd = (l: Locale): string => (l === 'de' ? 'Ausschalten' : 'Turn off');
export const factorScan = (l: Locale): string =>
  l === 'de'
    ? 'Fügen Sie dieses Konto Ihrer Authenticator-App hinzu, und bewahren Sie die Ersatzcodes sicher auf: Jeder meldet Sie einmal an, wenn die App verloren geht.'
    : 'Add this account to your authenticator app, and store the backup codes somewhere safe: each signs you in once if you lose the app.';
export const factorOpen = (l: Locale): string =>
  l === 'de' ? 'In einer App auf diesem Gerät öffnen' : 'Open in an app on this device';
export const factorSecret = (l: Locale): string =>
  l === 'de' ? 'Oder diesen Schlüssel in die App eingeben' : 'Or enter this secret in the app';
export const factorAgain = (l: Locale): string =>
  l === 'de' ? 'Geben Sie den Code ein, den Ihre App jetzt zeigt.' : 'Enter the code that your app shows now.';
export const backupCodes = (l: Locale): string => (l === 'de' ? 'Ersatzcodes' : 'Backup codes');
export const emailNew = (l: Locale): string => (l === 'de' ? 'Neue E-Mail-Adresse' : 'New email address');
export const emailNewHelp = (l: Locale): string =>
  l === 'de'
    ? 'Wir senden einen Link an diese Adresse. Die Änderung gilt, sobald Sie ihn benutzen.'
    : 'We will send a link to this address. The change takes effect when you use the link.';
export const emailChange = (l: Locale): string => (l === 'de' ? 'E-Mail-Adresse ändern' : 'Change email address');
export const emailUnproven = (l: Locale): string =>
  l === 'de'
    ? 'Diese Adresse ist noch nicht bestätigt: Benutzen Sie den Link, den wir dorthin gesendet haben.'
    : 'This address is not confirmed yet: use the link we sent there.';
export const emailProve = (l: Locale): string => (l === 'de' ? 'Link erneut senden' : 'Resend link');
export const factorQr = (l: Locale): string =>
  l === 'de' ? 'QR-Code für Ihre Authenticator-App' : 'QR code for your authenticator app';
export const change = (l: Locale): string => (l === 'de' ? 'Ändern' : 'Change');
export const remove = (l: Locale): string => (l === 'de' ? 'Entfernen' : 'Remove');
export const withdraw = (l: Locale): string => (l === 'de' ? 'Einladung zurückziehen' : 'Cancel invitation');
export const you = (l: Locale): string => (l === 'de' ? '(Sie)' : '(you)');
export const never = (l: Locale): string => (l === 'de' ? 'Nie' : 'Never');
export const done = (l: Locale): string => (l === 'de' ? '(erledigt)' : '(done)');
export const untrustedProxy = (l: Locale): string =>
  l === 'de'
    ? 'Anfragen erreichen den Server über einen Proxy, aber TRUST_PROXY ist 0: Alle Besucher zählen als einer, auch bei Begrenzungen. Setzen Sie TRUST_PROXY, wenn es Ihr Proxy ist.'
    : 'Requests reach the server through a proxy, but TRUST_PROXY is 0: all visitors count as one, for rate limits too. Set TRUST_PROXY if the proxy is yours.';
export const setupUnfinished = (l: Locale): string =>
  l === 'de' ? 'Die Einrichtung ist noch nicht abgeschlossen.' : 'Setup is not finished.';
export const boardPidChange = (l: Locale): string =>
  l === 'de'
    ? 'Buchstaben a bis z, Ziffern und Bindestriche. Alte Links funktionieren dann nicht mehr.'
    : 'Letters a to z, digits and hyphens. Old links will stop working.';
export const logo = (l: Locale): string => (l === 'de' ? 'Logo' : 'Logo');
export const logoHelp = (l: Locale): string =>
  l === 'de'
    ? 'Wird neben dem Namen des Boards angezeigt. PNG, JPEG, GIF oder WebP, bis 512 KiB.'
    : 'Shown next to the board name. PNG, JPEG, GIF or WebP, up to 512 KiB.';
export const icon = (l: Locale): string => (l === 'de' ? 'Symbol' : 'Icon');
export const iconHelp = (l: Locale): string =>
  l === 'de'
    ? 'Wird in Browser-Tabs angezeigt, am besten quadratisch. PNG, JPEG, GIF oder WebP, bis 512 KiB.'
    : 'Shown in browser tabs; ideally square. PNG, JPEG, GIF or WebP, up to 512 KiB.';
export const pictureNow = (l: Locale): string => (l === 'de' ? 'Aktuelles Bild' : 'Current image');
export const address = (l: Locale): string => (l === 'de' ? 'Adresse' : 'Address');
export const domain = (l: Locale): string => (l === 'de' ? 'Eigene Domain' : 'Custom domain');
export const domainHelp = (l: Locale): string =>
  l === 'de'
    ? 'Optional. Richten Sie zuerst den DNS-Eintrag ein: Links zu Ideen benutzen die Domain, sobald Sie speichern. Anmeldelinks in E-Mails behalten den eigenen Namen des Servers.'
    : 'Optional. Add the DNS record first: links to ideas use the domain as soon as you save. Sign-in links in emails keep the server’s own host.';
export const showRoadmap = (l: Locale): string => (l === 'de' ? 'Roadmap zeigen' : 'Show the roadmap');
export const groupBoard = (l: Locale): string => (l === 'de' ? 'Board' : 'Board');
export const groupIntegrations = (l: Locale): string => (l === 'de' ? 'Integrationen' : 'Integrations');
export const groupYou = (l: Locale): string => (l === 'de' ? 'Persönlich' : 'You');
export const overview = (l: Locale): string => (l === 'de' ? 'Übersicht' : 'Overview');
export const settingsSearch = (l: Locale): string => (l === 'de' ? 'Einstellung suchen' : 'Find a setting');
export const settingsFoundNone = (l: Locale): string =>
  l === 'de'
    ? 'Keine Einstellung heißt so. Versuchen Sie ein anderes Wort.'
    : 'No setting has that name. Try another word.';
export const general = (l: Locale): string => (l === 'de' ? 'Allgemein' : 'General');
export const members = (l: Locale): string => (l === 'de' ? 'Team' : 'Team');
export const apis = (l: Locale): string => (l === 'de' ? 'APIs' : 'APIs');
export const account = (l: Locale): string => (l === 'de' ? 'Konto' : 'Account');
export const checklist = (l: Locale): string => (l === 'de' ? 'Einrichtung abschließen' : 'Finish setting up');
export const checkBranding = (l: Locale): string => (l === 'de' ? 'Wählen Sie Ihre Farbe' : 'Choose your color');
export const checkIdea = (l: Locale): string =>
  l === 'de' ? 'Veröffentlichen Sie Ihre erste Idee' : 'Post your first idea';
export const checkTeam = (l: Locale): string => (l === 'de' ? 'Laden Sie jemanden ins Team ein' : 'Invite a teammate');
export const checkKey = (l: Locale): string =>
  l === 'de' ? 'Stellen Sie Ihre erste API-Anfrage' : 'Make your first API request';
export const checkFactor = (l: Locale): string =>
  l === 'de' ? 'Schalten Sie die Zwei-Faktor-Anmeldung ein' : 'Turn on two-factor authentication';
export const hideChecklist = (l: Locale): string => (l === 'de' ? 'Diese Liste ausblenden' : 'Hide this list');
export const countIdeas = (l: Locale): string => (l === 'de' ? 'Ideen' : 'Ideas');
export const countTeam = (l: Locale): string => (l === 'de' ? 'Im Team' : 'Team members');
export const countKeys = (l: Locale): string => (l === 'de' ? 'API-Schlüssel' : 'API keys');
export const invite = (l: Locale): string => (l === 'de' ? 'Ins Team einladen' : 'Invite a teammate');
export const invited = (l: Locale): string => (l === 'de' ? 'Eingeladen' : 'Invited');
export const sendInvitation = (l: Locale): string => (l === 'de' ? 'Einladung senden' : 'Send invitation');
export const role = (l: Locale): string => (l === 'de' ? 'Rolle' : 'Role');
export const roleHelp = (l: Locale): string =>
  l === 'de'
    ? 'Moderatorinnen und Moderatoren prüfen Ideen und Kommentare. Admins können auch Einstellungen, Schlüssel und das Team ändern. Inhaberinnen und Inhaber können auch weitere ernennen.'
    : 'Moderators review ideas and comments. Admins can also change settings, keys and the team. Owners can also appoint other owners.';
export const throughApi = (l: Locale): string => (l === 'de' ? 'API-Nutzer' : 'API user');
export const sessions = (l: Locale): string => (l === 'de' ? 'Aktive Sitzungen' : 'Active sessions');
export const thisBrowser = (l: Locale): string => (l === 'de' ? '(dieser Browser)' : '(this browser)');
export const somewhere = (l: Locale): string => (l === 'de' ? 'Unbekannte Adresse' : 'Unknown address');
export const signOutOthers = (l: Locale): string =>
  l === 'de' ? 'Überall sonst abmelden' : 'Sign out everywhere else';
export const apisHelp = (l: Locale): string =>
  l === 'de'
    ? 'Mit Schlüsseln können Ihre eigenen Systeme alles auf diesem Board lesen und schreiben.'
    : 'Keys let your own systems read and write everything on this board.';
export const planTooSmall = (l: Locale): string =>
  l === 'de'
    ? 'Die API gehört zu den Tarifen Pro und Enterprise. Beim Tarif dieses Boards wird jede Anfrage mit PLAN_REQUIRED abgelehnt.'
    : "The API is part of the Pro and Enterprise plans. On this board's plan every request is refused with PLAN_REQUIRED.";
export const createKey = (l: Locale): string => (l === 'de' ? 'Schlüssel anlegen' : 'Create key');
export const noKeys = (l: Locale): string =>
  l === 'de'
    ? 'Noch keine Schlüssel. Legen Sie einen an, um die API zu benutzen.'
    : 'No keys yet. Create one to use the API.';
export const key = (l: Locale): string => (l === 'de' ? 'Schlüssel' : 'Key');
export const addressAny = (l: Locale): string => (l === 'de' ? 'Alle' : 'Any');
export const noLimit = (l: Locale): string => (l === 'de' ? 'Keine' : 'None');
export const madeBy = (l: Locale): string => (l === 'de' ? 'Erstellt von' : 'Created by');
export const lastUsed = (l: Locale): string => (l === 'de' ? 'Zuletzt benutzt' : 'Last used');
export const state = (l: Locale): string => (l === 'de' ? 'Zustand' : 'State');
export const rotate = (l: Locale): string => (l === 'de' ? 'Durch neuen Schlüssel ersetzen' : 'Replace with a new key');
export const rotateHelp = (l: Locale): string =>
  l === 'de'
    ? 'Der neue Schlüssel hat dieselben Einstellungen. Der alte gilt noch eine Weile, damit Sie ohne Ausfall umstellen können.'
    : 'The new key has the same settings. The old one keeps working for a while, so you can switch without downtime.';
export const overlap = (l: Locale): string =>
  l === 'de' ? 'Der alte Schlüssel wird ungültig' : 'The old key stops working';
export const overlapNone = (l: Locale): string => (l === 'de' ? 'Sofort' : 'Immediately');
export const overlapHour = (l: Locale): string => (l === 'de' ? 'Nach 1 Stunde' : 'After 1 hour');
export const overlapDay = (l: Locale): string => (l === 'de' ? 'Nach 1 Tag' : 'After 1 day');
export const overlapWeek = (l: Locale): string => (l === 'de' ? 'Nach 7 Tagen' : 'After 7 days');
export const revoke = (l: Locale): string => (l === 'de' ? 'Widerrufen' : 'Revoke');
export const revokeHelp = (l: Locale): string =>
  l === 'de'
    ? 'Gilt sofort: Jede Anfrage mit diesem Schlüssel wird abgelehnt. Das lässt sich nicht rückgängig machen.'
    : "Takes effect immediately: every request with this key is refused. This can't be undone.";
export const groupService = (l: Locale): string => (l === 'de' ? 'Dienst' : 'Service');
export const webhooks = (l: Locale): string => (l === 'de' ? 'Webhooks' : 'Webhooks');
export const mail = (l: Locale): string => (l === 'de' ? 'E-Mail' : 'Email');
export const plan = (l: Locale): string => (l === 'de' ? 'Tarif' : 'Plan');
export const webhooksHelp = (l: Locale): string =>
  l === 'de'
    ? 'Ein Webhook sendet die Ereignisse dieses Boards an Ihre eigenen Systeme, signiert und der Reihe nach.'
    : 'A webhook sends the events of this board to your own systems, signed and in order.';
export const webhooksWithoutMail = (l: Locale): string =>
  l === 'de'
    ? 'Niemand mit der Rolle Inhaber hat eine E-Mail-Adresse, daher erfährt niemand per E-Mail, wenn ein Webhook scheitert. Geben Sie unter Team jemandem mit Adresse diese Rolle.'
    : 'No owner of this board has an email address, so no one is notified when a webhook fails. Under Team, make someone with an email address an owner.';
export const createWebhook = (l: Locale): string => (l === 'de' ? 'Webhook anlegen' : 'Create webhook');
export const noWebhooks = (l: Locale): string =>
  l === 'de'
    ? 'Noch keine Webhooks. Legen Sie einen an, um Ereignisse an Ihre eigenen Systeme zu senden.'
    : 'No webhooks yet. Create one to send events to your own systems.';
export const host = (l: Locale): string => (l === 'de' ? 'Host' : 'Host');
export const events = (l: Locale): string => (l === 'de' ? 'Ereignisse' : 'Events');
export const event = (l: Locale): string => (l === 'de' ? 'Ereignis' : 'Event');
export const successRate = (l: Locale): string => (l === 'de' ? 'Erfolg, 24 h' : 'Success, 24 h');
export const lastSuccess = (l: Locale): string => (l === 'de' ? 'Letzter Erfolg' : 'Last success');
export const eventsAllShort = (l: Locale): string => (l === 'de' ? 'Alle' : 'All');
export const eventsAll = (l: Locale): string =>
  l === 'de' ? 'Alle Ereignisse, auch künftige' : 'All events, including those added later';
export const eventsSome = (l: Locale): string => (l === 'de' ? 'Nur diese' : 'Only these');
export const endpointUrl = (l: Locale): string => (l === 'de' ? 'URL des Empfängers' : 'Endpoint URL');
export const endpointUrlHelp = (l: Locale): string =>
  l === 'de'
    ? 'Wo Ihr Empfänger erreichbar ist. Er muss zustimmen, bevor etwas gesendet wird.'
    : 'Where your receiver listens. It must confirm before anything is sent.';
export const httpWarning = (l: Locale): string =>
  l === 'de'
    ? 'Ohne https kann jeder im Netzwerk mitlesen und ändern, was gesendet wird.'
    : 'Without https, anyone on the network can read and change what is sent.';
export const verifyToken = (l: Locale): string => (l === 'de' ? 'Prüf-Token' : 'Verify token');
export const verifyTokenHelp = (l: Locale): string =>
  l === 'de'
    ? 'Wird mit der Prüfanfrage gesendet. Nur nötig, wenn Ihr Empfänger es verlangt.'
    : 'Sent with the verification request. Only needed if your receiver checks it.';
export const verifyTokenOwn = (l: Locale): string => (l === 'de' ? 'Ihr Prüf-Token' : 'Your verify token');
export const signingSecret = (l: Locale): string => (l === 'de' ? 'Signaturschlüssel' : 'Signing secret');
export const signingSecretHelp = (l: Locale): string =>
  l === 'de'
    ? 'Signiert jedes Ereignis. Ohne ihn kann jeder, der die URL kennt, Ereignisse fälschen.'
    : 'Signs every event. Without it, anyone who learns the URL can forge events.';
export const signingSecretOwn = (l: Locale): string => (l === 'de' ? 'Ihr Signaturschlüssel' : 'Your signing secret');
export const secretKeep = (l: Locale): string => (l === 'de' ? 'Unverändert lassen' : 'Keep as is');
export const secretMake = (l: Locale): string => (l === 'de' ? 'Einen erzeugen' : 'Generate one');
export const secretOwn = (l: Locale): string => (l === 'de' ? 'Eigenen verwenden' : 'Use my own');
export const secretNone = (l: Locale): string => (l === 'de' ? 'Keinen' : 'None');
export const webhookActive = (l: Locale): string => (l === 'de' ? 'Aktiv' : 'Active');
export const webhookFailing = (l: Locale): string => (l === 'de' ? 'Schlägt fehl' : 'Failing');
export const webhookStopped = (l: Locale): string =>
  l === 'de' ? 'Automatisch ausgeschaltet' : 'Disabled automatically';
export const webhookDisabled = (l: Locale): string => (l === 'de' ? 'Ausgeschaltet' : 'Disabled');
export const webhookNew = (l: Locale): string => (l === 'de' ? 'Noch nicht eingeschaltet' : 'Not enabled yet');
export const deliveryWaiting = (l: Locale): string => (l === 'de' ? 'Wartet' : 'Waiting');
export const deliverySending = (l: Locale): string => (l === 'de' ? 'Wird gesendet' : 'Being sent');
export const deliveryDelivered = (l: Locale): string => (l === 'de' ? 'Zugestellt' : 'Delivered');
export const deliveryGivenUp = (l: Locale): string => (l === 'de' ? 'Fehlgeschlagen' : 'Failed');
export const deliverySkipped = (l: Locale): string => (l === 'de' ? 'Übersprungen' : 'Skipped');
export const deliveries = (l: Locale): string => (l === 'de' ? 'Zustellungen' : 'Deliveries');
export const secrets = (l: Locale): string => (l === 'de' ? 'Schlüssel' : 'Secrets');
export const receiver = (l: Locale): string => (l === 'de' ? 'Ihr Empfänger' : 'Your receiver');
export const request = (l: Locale): string => (l === 'de' ? 'Anfrage' : 'Request');
export const answer = (l: Locale): string => (l === 'de' ? 'Antwort' : 'Response');
export const answerCut = (l: Locale): string =>
  l === 'de' ? 'Nur der Anfang wird gelesen und aufbewahrt.' : 'Only the beginning is read and kept.';
export const phaseDns = (l: Locale): string => (l === 'de' ? 'DNS' : 'DNS');
export const phaseConnect = (l: Locale): string => (l === 'de' ? 'Verbindung' : 'Connection');
export const phaseTls = (l: Locale): string => (l === 'de' ? 'TLS' : 'TLS');
export const phaseFirstByte = (l: Locale): string => (l === 'de' ? 'Erstes Byte' : 'First byte');
export const phaseRest = (l: Locale): string => (l === 'de' ? 'Rest der Antwort' : 'Rest of the response');
export const phaseTotal = (l: Locale): string => (l === 'de' ? 'Insgesamt' : 'Total');
export const stepNoAnswer = (l: Locale): string => (l === 'de' ? 'Keine Antwort erhalten' : 'Got no response');
export const stepMatches = (l: Locale): string =>
  l === 'de' ? 'Die Challenge stimmt überein' : 'The challenge matches';
export const stepMatchesNot = (l: Locale): string =>
  l === 'de' ? 'Die Challenge wurde nicht bestätigt' : 'The challenge was not confirmed';
export const stepDone = (l: Locale): string => (l === 'de' ? 'Erledigt:' : 'Done:');
export const stepFailed = (l: Locale): string => (l === 'de' ? 'Fehlgeschlagen:' : 'Failed:');
export const stepOpen = (l: Locale): string => (l === 'de' ? 'Nicht erreicht:' : 'Not reached:');
export const health = (l: Locale): string => (l === 'de' ? 'Zustand' : 'Health');
export const medianTime = (l: Locale): string => (l === 'de' ? 'Dauer (Median)' : 'Median time');
export const receiverSlow = (l: Locale): string =>
  l === 'de'
    ? 'Der Empfänger antwortet langsam. Nach 5 Sekunden ist ein Versuch fehlgeschlagen: Erst antworten, dann arbeiten.'
    : 'The receiver responds slowly. An attempt fails after 5 seconds: respond first and do the work afterwards.';
export const waitingEvents = (l: Locale): string => (l === 'de' ? 'Wartende Ereignisse' : 'Pending events');
export const hourChart = (l: Locale): string =>
  l === 'de' ? 'Versuche nach Stunden als Tabelle' : 'Attempts by hour as a table';
export const hour = (l: Locale): string => (l === 'de' ? 'Stunde' : 'Hour');
export const thisHour = (l: Locale): string => (l === 'de' ? 'diese Stunde' : 'this hour');
export const attemptsDelivered = (l: Locale): string => (l === 'de' ? 'Zugestellt' : 'Delivered');
export const attemptsFailed = (l: Locale): string => (l === 'de' ? 'Fehlgeschlagen' : 'Failed');
export const enabledTitle = (l: Locale): string => (l === 'de' ? 'Eingeschaltet' : 'Enabled');
export const enableTitle = (l: Locale): string => (l === 'de' ? 'Einschalten' : 'Enable');
export const enableFirst = (l: Locale): string =>
  l === 'de'
    ? 'Wir prüfen den Endpunkt, bevor Ereignisse gesendet werden. Tragen Sie zuerst seine Schlüssel ein, oder beginnen Sie mit einem Beispiel:'
    : 'We verify the endpoint before sending events. Configure its secrets first, or start from one of our examples:';
export const stoppedBecause = (l: Locale): string =>
  l === 'de'
    ? 'Dieser Webhook wurde automatisch ausgeschaltet; seine Ereignisse bleiben erhalten.'
    : 'This webhook was disabled automatically; its events are kept.';
export const sendTest = (l: Locale): string => (l === 'de' ? 'Testereignis senden' : 'Send test event');
export const disable = (l: Locale): string => (l === 'de' ? 'Ausschalten' : 'Disable');
export const enable = (l: Locale): string => (l === 'de' ? 'Prüfen und einschalten' : 'Verify and enable');
export const backlogDeliver = (l: Locale): string => (l === 'de' ? 'der Reihe nach zustellen' : 'deliver in order');
export const backlogSkip = (l: Locale): string =>
  l === 'de' ? 'überspringen; Sie können sie noch einzeln senden' : 'skip; you can still resend them one by one';
export const lastVerification = (l: Locale): string => (l === 'de' ? 'Letzte Prüfung' : 'Last verification');
export const noDeliveries = (l: Locale): string =>
  l === 'de'
    ? 'Noch keine Ereignisse gesendet. Senden Sie ein Testereignis.'
    : 'No events sent yet. Send a test event.';
export const noDeliveriesFound = (l: Locale): string =>
  l === 'de' ? 'Keine passenden Zustellungen.' : 'No deliveries match.';
export const choose = (l: Locale): string => (l === 'de' ? 'Auswählen' : 'Choose');
export const lastAnswer = (l: Locale): string => (l === 'de' ? 'Ergebnis' : 'Outcome');
export const attempts = (l: Locale): string => (l === 'de' ? 'Versuche' : 'Attempts');
export const all = (l: Locale): string => (l === 'de' ? 'Alle' : 'All');
export const show = (l: Locale): string => (l === 'de' ? 'Zeigen' : 'Show');
export const older = (l: Locale): string => (l === 'de' ? 'Ältere' : 'Older');
export const replayDelivered = (l: Locale): string =>
  l === 'de' ? 'Auch schon zugestellte' : 'Include delivered ones';
export const replaySelected = (l: Locale): string => (l === 'de' ? 'Ausgewählte erneut senden' : 'Resend selected');
export const replayMissedSince = (l: Locale): string =>
  l === 'de' ? 'Fehlgeschlagen oder übersprungen in' : 'Failed or skipped in';
export const replayMissed = (l: Locale): string => (l === 'de' ? 'Alle erneut senden' : 'Resend all');
export const sinceHour = (l: Locale): string => (l === 'de' ? 'der letzten Stunde' : 'the last hour');
export const sinceDay = (l: Locale): string => (l === 'de' ? 'den letzten 24 Stunden' : 'the last 24 hours');
export const sinceWeek = (l: Locale): string => (l === 'de' ? 'den letzten 7 Tagen' : 'the last 7 days');
export const sinceMonth = (l: Locale): string => (l === 'de' ? 'den letzten 30 Tagen' : 'the last 30 days');
export const allDeliveries = (l: Locale): string => (l === 'de' ? 'Alle Zustellungen' : 'All deliveries');
export const replayAgain = (l: Locale): string =>
  l === 'de' ? 'Schon zugestellt: trotzdem erneut senden' : 'Already delivered: resend anyway';
export const tryNow = (l: Locale): string => (l === 'de' ? 'Jetzt versuchen' : 'Try now');
export const replay = (l: Locale): string => (l === 'de' ? 'Erneut senden' : 'Resend');
export const bodySent = (l: Locale): string => (l === 'de' ? 'Inhalt' : 'Body');
export const noAttempts = (l: Locale): string => (l === 'de' ? 'Noch kein Versuch.' : 'No attempt yet.');
export const requestAndAnswer = (l: Locale): string => (l === 'de' ? 'Anfrage und Antwort' : 'Request and response');
export const signedCurl = (l: Locale): string => (l === 'de' ? 'Signierter curl-Befehl' : 'Signed curl command');
export const urlIsVerified = (l: Locale): string =>
  l === 'de' ? 'Eine neue URL wird geprüft, bevor sie gilt.' : 'A new URL is verified before it takes effect.';
export const saveMine = (l: Locale): string => (l === 'de' ? 'Meine Fassung speichern' : 'Save my version');
export const changedMeanwhile = (l: Locale): string =>
  l === 'de'
    ? 'Jemand anderes hat diesen Webhook inzwischen gespeichert. Ihre Fassung steht noch im Formular; das ist die andere:'
    : 'Someone else saved this webhook while you were editing. Your version is still in the form; this is theirs:';
export const deleteWebhook = (l: Locale): string => (l === 'de' ? 'Webhook löschen' : 'Delete webhook');
export const deleteWebhookHelp = (l: Locale): string =>
  l === 'de'
    ? 'Gilt sofort und löscht auch das Protokoll und wartende Ereignisse. Das lässt sich nicht rückgängig machen.'
    : "Takes effect immediately and deletes its log and pending events. This can't be undone.";
export const groupData = (l: Locale): string => (l === 'de' ? 'Daten' : 'Data');
export const exportTitle = (l: Locale): string => (l === 'de' ? 'Export' : 'Export');
export const exportHelp = (l: Locale): string =>
  l === 'de'
    ? 'Laden Sie alles auf diesem Board herunter, auch was nur das Team sieht.'
    : 'Download everything on this board, including team-only content.';
export const exportDownload = (l: Locale): string => (l === 'de' ? 'Datei herunterladen' : 'Download a file');
export const exportEmpty = (l: Locale): string =>
  l === 'de' ? 'Es gibt noch keine Ideen zum Herunterladen.' : 'There are no ideas to download yet.';
export const exportFirstIdea = (l: Locale): string =>
  l === 'de' ? 'Die erste Idee veröffentlichen' : 'Post the first idea';
export const sheetTitle = (l: Locale): string =>
  l === 'de' ? 'Link für ein Tabellenprogramm' : 'Link for a spreadsheet';
export const sheetHelp = (l: Locale): string =>
  l === 'de'
    ? 'Ein Tabellenprogramm kann dieses Board direkt laden und jederzeit aktualisieren. Der Link enthält einen Schlüssel nur zum Lesen: Wer den Link hat, sieht, was jedes Mitglied sieht, kann aber nichts ändern.'
    : 'A spreadsheet can load this board directly and refresh it at any time. The link contains a read-only key: anyone with the link can see what every member sees, but cannot change anything.';
export const sheetName = (l: Locale): string => (l === 'de' ? 'Zweck des Links' : 'What the link is for');
export const sheetNameDefault = (l: Locale): string => (l === 'de' ? 'Tabelle' : 'Spreadsheet');
export const sheetMake = (l: Locale): string => (l === 'de' ? 'Link anlegen' : 'Create link');
export const sheetOnce = (l: Locale): string =>
  l === 'de'
    ? 'Kopieren Sie den Link jetzt. Er wird später nicht mehr angezeigt.'
    : "Copy this link now. You won't see it again.";
export const sheetLink = (l: Locale): string => (l === 'de' ? 'Ihr Link' : 'Your link');
export const sheetGoogle = (l: Locale): string =>
  l === 'de' ? 'Google Sheets: in eine Zelle einfügen' : 'Google Sheets: paste this into a cell';
export const sheetExcel = (l: Locale): string =>
  l === 'de' ? 'Excel: Daten > Aus dem Web, und den Link einfügen.' : 'Excel: Data > From Web, and paste the link.';
export const sheetLibre = (l: Locale): string =>
  l === 'de'
    ? 'LibreOffice: Tabelle > Externe Verknüpfungen, den Link einfügen, Eingabetaste drücken.'
    : 'LibreOffice: Sheet > External Links, paste the link, press Enter.';
export const sheetRevoke = (l: Locale): string =>
  l === 'de'
    ? 'Hat jemand den Link, der ihn nicht haben soll? Widerrufen Sie seinen Schlüssel unter'
    : 'Does someone have the link who should not? Revoke its key under';
export const secretsHelp = (l: Locale): string =>
  l === 'de'
    ? 'Verschlüsselt gespeichert. Beim Empfänger muss genau dasselbe eingetragen sein.'
    : 'Stored encrypted. The values entered at the receiver must match exactly.';
export const secretsChanged = (l: Locale): string =>
  l === 'de'
    ? 'Jemand anderes hat diesen Webhook inzwischen geändert, darum wurde nichts gespeichert. Ihre Eingaben stehen noch im Formular: Speichern Sie, um die anderen zu ersetzen.'
    : 'Someone else changed this webhook while you were editing, so nothing was saved. Your input is still in the form: save it to replace theirs.';
export const reveal = (l: Locale): string => (l === 'de' ? 'Schlüssel anzeigen' : 'Show secrets');
export const noSecretWarning = (l: Locale): string =>
  l === 'de'
    ? 'Ohne Signaturschlüssel kann der Empfänger echte Ereignisse nicht von gefälschten unterscheiden.'
    : 'Without a signing secret the receiver cannot tell real events from forged ones.';
export const changeSecrets = (l: Locale): string => (l === 'de' ? 'Schlüssel ändern' : 'Change secrets');
export const replacesNow = (l: Locale): string =>
  l === 'de'
    ? 'Der alte Signaturschlüssel ist bekannt geworden: nicht mehr verwenden'
    : 'The old signing secret has leaked: stop using it now';
export const pendingSecret = (l: Locale): string =>
  l === 'de' ? 'Neuer Signaturschlüssel, wartet auf Bestätigung' : 'New signing secret, pending';
export const pendingTitle = (l: Locale): string =>
  l === 'de' ? 'Ein neuer Signaturschlüssel wartet auf Bestätigung' : 'A new signing secret is pending';
export const pendingHelp = (l: Locale): string =>
  l === 'de'
    ? 'Ereignisse werden mit dem alten signiert, bis der Empfänger den neuen angenommen hat, damit keine Zustellung fehlschlägt. Tragen Sie ihn dort ein und senden Sie dann einen Test.'
    : 'Events are signed with the old secret until the receiver has accepted the new one, so no delivery fails. Enter it there, then send a test.';
export const proved = (l: Locale): string =>
  l === 'de' ? 'Der neue Signaturschlüssel gilt jetzt.' : 'The new signing secret is now active.';
export const sendProof = (l: Locale): string =>
  l === 'de' ? 'Test mit dem neuen Schlüssel senden' : 'Send test signed with the new secret';
export const revokeOld = (l: Locale): string => (l === 'de' ? 'Den alten sofort widerrufen' : 'Revoke the old one now');
export const discardNew = (l: Locale): string => (l === 'de' ? 'Den neuen verwerfen' : 'Discard the new one');
export const receiverCode = (l: Locale): string => (l === 'de' ? 'Beispiel-Empfänger' : 'Example receivers');
export const receiverCodeHelp = (l: Locale): string =>
  l === 'de'
    ? 'Jedes ist ein vollständiges Programm ohne Abhängigkeiten für den Pfad dieses Webhooks: Es bestätigt die Prüfanfrage, prüft Signaturen und gibt Ereignisse aus.'
    : 'Each is a complete program without dependencies, ready for the path of this webhook: it confirms the verification, checks signatures and prints events.';
export const checkTitle = (l: Locale): string =>
  l === 'de' ? 'Warum stimmt meine Signatur nicht?' : 'Why does my signature not match?';
export const checkHelp = (l: Locale): string =>
  l === 'de'
    ? 'Fügen Sie ein, was Ihr Empfänger bekommen hat. Nichts davon wird gespeichert.'
    : 'Paste what your receiver got. Nothing is stored.';
export const checkBody = (l: Locale): string =>
  l === 'de' ? 'Inhalt, wie Ihr Empfänger ihn hat' : 'Body, as your receiver got it';
export const checkHeader = (l: Locale): string => (l === 'de' ? 'X-Hub-Signature' : 'X-Hub-Signature');
export const checkSecretHelp = (l: Locale): string =>
  l === 'de' ? 'Leer lassen, um den gespeicherten zu verwenden.' : 'Leave empty to use the saved one.';
export const check = (l: Locale): string => (l === 'de' ? 'Prüfen' : 'Check');
export const checkMatch = (l: Locale): string => (l === 'de' ? 'Die Signatur stimmt.' : 'The signature matches.');
export const checkFits = (l: Locale): string =>
  l === 'de' ? 'Die Signatur stimmt, mit diesen Unterschieden:' : 'The signature matches, with these differences:';
export const checkNothing = (l: Locale): string =>
  l === 'de'
    ? 'Die Signatur passt nicht: Der Schlüssel ist ein anderer, oder der Inhalt ist nicht der gesendete.'
    : 'The signature does not match: the secret is different, or the body is not what was sent.';
export const checkNoDigest = (l: Locale): string =>
  l === 'de' ? 'Es gibt keine Signatur, mit der verglichen werden kann.' : 'There is no signature to compare with.';
export const checkExpected = (l: Locale): string =>
  l === 'de' ? 'Für diesen Inhalt und Schlüssel wäre sie' : 'For this body and secret it would be';
export const headerEmpty = (l: Locale): string => (l === 'de' ? 'Die Kopfzeile ist leer.' : 'The header is empty.');
export const headerWithName = (l: Locale): string =>
  l === 'de'
    ? 'Der Name der Kopfzeile wurde mit eingefügt: Fügen Sie nur ihren Wert ein.'
    : 'The header name was pasted, too: paste only its value.';
export const headerNoPrefix = (l: Locale): string =>
  l === 'de'
    ? 'Der Anfang sha256= fehlt: Er gehört zur Kopfzeile.'
    : 'The prefix sha256= is missing: it is part of the header.';
export const headerUpperCase = (l: Locale): string =>
  l === 'de'
    ? 'Die hexadezimalen Ziffern sind groß geschrieben: In der Signatur sind sie klein.'
    : 'The hexadecimal digits are upper case: the signature has lower-case ones.';
export const headerBase64 = (l: Locale): string =>
  l === 'de'
    ? 'Das ist Base64: Schreiben Sie den HMAC mit hexadezimalen Ziffern.'
    : 'It is base64: encode the HMAC as hexadecimal digits.';
export const headerSha1 = (l: Locale): string =>
  l === 'de'
    ? 'Das ist SHA-1: Stellen Sie Ihre Bibliothek auf sha256.'
    : 'It is SHA-1: set the algorithm of your library to sha256.';
export const headerStandard = (l: Locale): string =>
  l === 'de'
    ? 'Das ist webhook-signature von Standard Webhooks, die auch Kennung und Zeit signiert: Fügen Sie X-Hub-Signature ein.'
    : 'This is webhook-signature of Standard Webhooks, which also signs the id and the time: paste X-Hub-Signature.';
export const headerUnreadable = (l: Locale): string =>
  l === 'de'
    ? 'Das ist keine Signatur: Erwartet werden sha256= und 64 hexadezimale Ziffern.'
    : 'This is not a signature: it should be sha256= and 64 hexadecimal digits.';
export const bodyNewlineAdded = (l: Locale): string =>
  l === 'de'
    ? 'Der Inhalt hat ein Zeilenende, das nicht signiert wurde: Etwas hat es angefügt.'
    : 'The body ends with a newline that was not signed: something added it.';
export const bodyNewlineMissing = (l: Locale): string =>
  l === 'de' ? 'Am Ende des Inhalts fehlt ein Zeilenende.' : 'The newline at the end of the body is missing.';
export const bodyCrlf = (l: Locale): string =>
  l === 'de'
    ? 'Die Zeilenenden sind verschieden: einerseits CR LF, andererseits LF.'
    : 'The line endings differ: one side has CR LF, the other LF.';
export const bodyByteOrderMark = (l: Locale): string =>
  l === 'de'
    ? 'Der Inhalt beginnt mit einer Byte-Reihenfolge-Marke, die nicht signiert wurde.'
    : 'The body begins with a byte order mark that was not signed.';
export const bodySpacesAround = (l: Locale): string =>
  l === 'de'
    ? 'Um den Inhalt stehen Leerzeichen, die nicht signiert wurden.'
    : 'The body has whitespace around it that was not signed.';
export const bodyReencoded = (l: Locale): string =>
  l === 'de'
    ? 'Das JSON wurde gelesen und neu geschrieben: Leerzeichen oder Escapes weichen ab. Bilden Sie den HMAC über die Bytes, wie sie ankamen, bevor etwas sie liest.'
    : 'The JSON was parsed and written again: its spaces or escapes differ. Hash the bytes as they arrived, before anything parses them.';
export const bodyPretty = (l: Locale): string =>
  l === 'de'
    ? 'Eine Seite hat das JSON mit Einrückung: Bilden Sie den HMAC über die Bytes, wie sie ankamen.'
    : 'One side has the JSON with indentation: hash the bytes as they arrived.';
export const bodyUnescaped = (l: Locale): string =>
  l === 'de'
    ? 'Die Escapes (\\u00e4) wurden zu Zeichen: Bilden Sie den HMAC über die Bytes, wie sie ankamen.'
    : 'The escapes (\\u00e4) were turned into characters: hash the bytes as they arrived.';
export const bodySlashes = (l: Locale): string =>
  l === 'de'
    ? 'Schrägstriche sind maskiert (\\/), wie PHP es beim Schreiben von JSON tut: Bilden Sie den HMAC über die Bytes, wie sie ankamen.'
    : 'Slashes are escaped (\\/), as PHP does when it writes JSON: hash the bytes as they arrived.';
export const bodyEmpty = (l: Locale): string =>
  l === 'de'
    ? 'Die Signatur gehört zu einem leeren Inhalt: Etwas hatte den Inhalt schon gelesen, bevor der HMAC gebildet wurde.'
    : 'The signature is that of an empty body: something had already read the body when it was hashed.';
export const secretSpacesAround = (l: Locale): string =>
  l === 'de' ? 'Um den Schlüssel stehen Leerzeichen.' : 'The secret has whitespace around it.';
export const secretNewline = (l: Locale): string =>
  l === 'de'
    ? 'Der Schlüssel wurde mit einem Zeilenende verwendet, wie es beim Lesen aus einer Datei oder mit echo entsteht.'
    : 'The secret was used with a newline at its end, as when it is read from a file or written with echo.';
export const secretHex = (l: Locale): string =>
  l === 'de'
    ? 'Der Schlüssel wurde aus hexadezimalen Ziffern umgewandelt: Verwenden Sie seine Zeichen, wie sie sind.'
    : 'The secret was decoded from hexadecimal digits: use its characters as they are.';
export const secretBase64 = (l: Locale): string =>
  l === 'de'
    ? 'Der Schlüssel wurde aus Base64 umgewandelt: Verwenden Sie seine Zeichen, wie sie sind.'
    : 'The secret was decoded from base64: use its characters as they are.';
export const secretPrefixed = (l: Locale): string =>
  l === 'de' ? 'Der Schlüssel wurde ohne whsec_ verwendet.' : 'The secret was used without whsec_.';
export const secretSaved = (l: Locale): string =>
  l === 'de'
    ? 'Der Schlüssel ist nicht der hier gespeicherte; mit dem gespeicherten stimmt die Signatur.'
    : 'The secret is not the one saved here; the saved one matches.';
export const mailFiles = (l: Locale): string =>
  l === 'de'
    ? 'Es ist kein Mailserver eingestellt (SMTP_URL); E-Mails liegen als Dateien auf dem Server, in'
    : 'No mail server is configured (SMTP_URL), so emails are stored as files on the server, in';
export const mailFailed = (l: Locale): string =>
  l === 'de' ? 'Die Test-E-Mail konnte nicht gesendet werden:' : 'The test email could not be sent:';
export const mails = (l: Locale): string => (l === 'de' ? 'E-Mails' : 'Emails');
export const noMails = (l: Locale): string => (l === 'de' ? 'Noch keine E-Mails.' : 'No emails yet.');
export const subject = (l: Locale): string => (l === 'de' ? 'Betreff' : 'Subject');
export const recipient = (l: Locale): string => (l === 'de' ? 'An' : 'To');
export const planHelp = (l: Locale): string =>
  l === 'de'
    ? 'Earshot ist freie Software: Sie können jeden Tarif wählen. Der Tarif entscheidet, ob die API verfügbar ist.'
    : 'Earshot is free software: you can choose any plan. The plan decides whether the API is available.';
export const planBoard = (l: Locale): string =>
  l === 'de' ? 'Ideen, Stimmen, Kommentare, Roadmap, Team' : 'Ideas, votes, comments, roadmap, team';
export const planWebhooks = (l: Locale): string => (l === 'de' ? 'Webhooks, Export' : 'Webhooks, export');
export const planNoApi = (l: Locale): string =>
  l === 'de'
    ? 'Keine API: Anfragen werden mit PLAN_REQUIRED abgelehnt'
    : 'No API: requests are refused with PLAN_REQUIRED';
export const planApi = (l: Locale): string =>
  l === 'de' ? 'Die API, mit eigenen Schlüsseln' : 'The API, with your own keys';
export const planSupport = (l: Locale): string => (l === 'de' ? 'Vorgabe für neue Boards' : 'Default for new boards');
export const planCurrent = (l: Locale): string => (l === 'de' ? 'Tarif dieses Boards' : "This board's plan");
export const planOwnerOnly = (l: Locale): string =>
  l === 'de' ? 'Nur Inhaberinnen und Inhaber können den Tarif wechseln.' : 'Only an owner can change the plan.';
export const planFree = (l: Locale): string => (l === 'de' ? 'Free' : 'Free');
export const planPro = (l: Locale): string => (l === 'de' ? 'Pro' : 'Pro');
export const planEnterprise = (l: Locale): string => (l === 'de' ? 'Enterprise' : 'Enterprise');
export const sso = (l: Locale): string => (l === 'de' ? 'Single Sign-on' : 'Single sign-on');
export const ssoHelp = (l: Locale): string =>
  l === 'de'
    ? 'Nutzer Ihres Produkts machen ohne weiteres Konto mit: Ihr Server signiert ein Token, das sagt, wer sie sind, und schickt sie damit hierher.'
    : 'Users of your own product take part without another account: your server signs a token that says who they are, and sends them here with it.';
export const ssoAddress = (l: Locale): string => (l === 'de' ? 'Adresse für Ihre Nutzer' : 'Send people to');
export const ssoAlgorithm = (l: Locale): string => (l === 'de' ? 'Signatur der Token' : 'How tokens are signed');
export const ssoAlgorithmHelp = (l: Locale): string =>
  l === 'de' ? 'Das legt das Board fest, nie das Token.' : 'The board decides this, never the token.';
export const ssoSharedSecret = (l: Locale): string =>
  l === 'de' ? 'Mit einem gemeinsamen Geheimnis (HS256)' : 'With a shared secret (HS256)';
export const ssoPublishedKeys = (l: Locale): string =>
  l === 'de'
    ? 'Mit Ihrem privaten Schlüssel (RS256, ES256 oder EdDSA)'
    : 'With your private key (RS256, ES256 or EdDSA)';
export const ssoJwks = (l: Locale): string =>
  l === 'de' ? 'URL Ihrer öffentlichen Schlüssel (JWKS)' : 'URL of your public keys (JWKS)';
export const ssoJwksHelp = (l: Locale): string =>
  l === 'de'
    ? 'Nur für Token, die mit einem privaten Schlüssel signiert sind.'
    : 'Only for tokens that are signed with a private key.';
export const ssoLogin = (l: Locale): string => (l === 'de' ? 'Ihre Anmelde-URL' : 'Your login URL');
export const ssoLoginHelp = (l: Locale): string =>
  l === 'de'
    ? 'Wer sich hier anmelden möchte, wird mit returnUrl und state dorthin geschickt; beide müssen wieder mitkommen. Leer: nur unsere Anmeldung.'
    : 'People who want to sign in here are sent there, with returnUrl and state, which your site must send back. Leave empty to offer only our own sign-in.';
export const ssoAttributes = (l: Locale): string =>
  l === 'de' ? 'Claims, die als Attribute der Nutzer gespeichert werden' : 'Claims to keep as attributes of users';
export const ssoAttributesHelp = (l: Locale): string =>
  l === 'de'
    ? 'Durch Leerzeichen getrennt, zum Beispiel: company plan'
    : 'Separated by spaces, for example: company plan';
export const ssoRoles = (l: Locale): string =>
  l === 'de' ? 'Token dürfen die Rollen Moderator und Admin vergeben' : 'Tokens may give the roles moderator and admin';
export const ssoEndless = (l: Locale): string =>
  l === 'de' ? 'Token annehmen, die nie ablaufen' : 'Accept tokens that never expire';
export const ssoTurnOn = (l: Locale): string => (l === 'de' ? 'Single Sign-on einschalten' : 'Turn on single sign-on');
export const ssoTurnOff = (l: Locale): string =>
  l === 'de' ? 'Single Sign-on ausschalten' : 'Turn off single sign-on';
export const ssoTurnOffHelp = (l: Locale): string =>
  l === 'de'
    ? 'Alle, die sich so angemeldet haben, werden abgemeldet. Ihre Ideen, Stimmen und Kommentare bleiben.'
    : 'Everyone who signed in this way is signed out. Their ideas, votes and comments stay.';
export const ssoSecret = (l: Locale): string => (l === 'de' ? 'Geheimnis' : 'Secret');
export const ssoSecretHelp = (l: Locale): string =>
  l === 'de'
    ? 'Bewahren Sie es auf Ihrem Server auf. Wer es hat, kann sich hier als jeder Ihrer Nutzer anmelden.'
    : 'Keep it on your server. Anyone who has it can sign in here as any of your users.';
export const ssoTwoSecrets = (l: Locale): string =>
  l === 'de'
    ? 'Während der Umstellung gelten beide. Nehmen Sie das bisherige danach nicht mehr an.'
    : 'Both secrets work while you change over. Then stop accepting the previous one.';
export const ssoPreviousSecret = (l: Locale): string => (l === 'de' ? 'Bisheriges Geheimnis' : 'Previous secret');
export const ssoReveal = (l: Locale): string => (l === 'de' ? 'Geheimnis anzeigen' : 'Show the secret');
export const ssoRotate = (l: Locale): string => (l === 'de' ? 'Neues Geheimnis erzeugen' : 'Create a new secret');
export const ssoMakeSecret = (l: Locale): string => (l === 'de' ? 'Geheimnis erzeugen' : 'Create a secret');
export const ssoDropPrevious = (l: Locale): string =>
  l === 'de' ? 'Bisheriges Geheimnis nicht mehr annehmen' : 'Stop accepting the previous secret';
export const ssoCheck = (l: Locale): string => (l === 'de' ? 'Token prüfen' : 'Check a token');
export const ssoToken = (l: Locale): string => (l === 'de' ? 'Token' : 'Token');
export const ssoCheckHelp = (l: Locale): string =>
  l === 'de'
    ? 'Fügen Sie ein Token ein, um zu sehen, ob es angenommen würde. Dabei ändert sich nichts.'
    : 'Paste a token to see whether it would be accepted. Nothing is changed.';
export const ssoGood = (l: Locale): string =>
  l === 'de' ? 'Dieses Token würde angenommen:' : 'This token would be accepted:';
export const access = (l: Locale): string => (l === 'de' ? 'Zugang' : 'Access');
export const accessHelp = (l: Locale): string =>
  l === 'de'
    ? 'Wer das Board sieht, wer mitmacht und was vorher geprüft wird.'
    : 'Who sees the board, who takes part, and what a moderator looks at first.';
export const accessKind = (l: Locale): string => (l === 'de' ? 'Wer das Board sehen darf' : 'Who may see the board');
export const accessPublic = (l: Locale): string =>
  l === 'de'
    ? 'Öffentlich: Alle lesen. Wer zu Besuch ist, kann schreiben oder abstimmen und meldet sich zum Abschluss an.'
    : 'Public: everyone reads. Visitors can start writing or voting, and sign in to finish.';
export const accessPublicRead = (l: Locale): string =>
  l === 'de'
    ? 'Von allen gelesen: Schreiben, abstimmen und folgen kann nur, wer angemeldet ist.'
    : 'Read by everyone: only people who are signed in can write, vote or follow.';
export const accessSignedIn = (l: Locale): string =>
  l === 'de'
    ? 'Angemeldete: Wer eine bestätigte E-Mail-Adresse hat, kann sich anmelden und mitmachen. Andere sehen nichts.'
    : 'Signed-in people: anyone with a confirmed email address can sign in and take part. Others see nothing.';
export const accessMembers = (l: Locale): string =>
  l === 'de'
    ? 'Mitglieder: wer durch Single Sign-on, eine Einladung oder eine erlaubte Mail-Domain kommt. Andere sehen nichts.'
    : 'Members: people from single sign-on, by invitation or with an allowed mail domain. Others see nothing.';
export const mailDomains = (l: Locale): string => (l === 'de' ? 'Erlaubte Mail-Domains' : 'Allowed mail domains');
export const mailDomainsHelp = (l: Locale): string =>
  l === 'de'
    ? 'Für die letzte Auswahl. Eine pro Zeile, zum Beispiel example.com; Subdomains sind eigene Domains. Es zählen nur bestätigte Adressen.'
    : 'For the last choice. One per line, for example example.com; subdomains are separate domains. Only confirmed addresses count.';
export const approval = (l: Locale): string => (l === 'de' ? 'Freigabe' : 'Approval');
export const approvalHelp = (l: Locale): string =>
  l === 'de'
    ? 'Was wartet, sehen nur die Person, die es geschrieben hat, und das Team. Was das Team schreibt, wartet nie.'
    : "Ideas and comments that wait are seen by their author and the team only. The team's own never wait.";
export const approvalNone = (l: Locale): string =>
  l === 'de' ? 'Nichts wartet auf Freigabe.' : 'Nothing waits for approval.';
export const approvalFirst = (l: Locale): string =>
  l === 'de'
    ? 'Ideen und Kommentare jeder Person warten, bis etwas von ihr freigegeben wurde.'
    : 'The ideas and comments of each person wait until one of them has been approved.';
export const approvalAll = (l: Locale): string =>
  l === 'de' ? 'Jede Idee und jeder Kommentar wartet.' : 'Every idea and every comment waits.';
export const standings = (l: Locale): string =>
  l === 'de' ? 'Vertraute und gesperrte Personen' : 'Trusted and blocked people';
export const standingsHelp = (l: Locale): string =>
  l === 'de'
    ? 'Vertraute Personen brauchen keine Freigabe. Gesperrte können ein öffentliches Board lesen, aber nicht mitmachen; ein nicht öffentliches sehen sie nicht. Ändern lässt es sich hier oder im Menü einer Idee.'
    : 'Trusted people need no approval. Blocked people can read a public board, but not take part; a private board is closed to them. Change it here, or in the menu of an idea.';
export const noStandings = (l: Locale): string =>
  l === 'de' ? 'Niemand ist vertraut oder gesperrt.' : 'No one is trusted or blocked.';
export const trusted = (l: Locale): string => (l === 'de' ? 'Vertraut' : 'Trusted');
export const blocked = (l: Locale): string => (l === 'de' ? 'Gesperrt' : 'Blocked');
export const endTrust = (l: Locale): string => (l === 'de' ? 'Vertrauen beenden' : 'End trust');
export const unblock = (l: Locale): string => (l === 'de' ? 'Entsperren' : 'Unblock');
export const closingTitle = (l: Locale): string =>
  l === 'de' ? 'Das Board nach außen schließen?' : 'Close the board to outsiders?';
export const closingSignedIn = (l: Locale): string =>
  l === 'de'
    ? 'Wer nicht angemeldet ist, und Suchmaschinen sehen nichts mehr, auch nicht den Namen des Boards.'
    : 'Visitors who are not signed in, and search engines, see nothing any more, not even the name of the board.';
export const closingMembers = (l: Locale): string =>
  l === 'de'
    ? 'Besucherinnen und Besucher, Suchmaschinen und alle, die nicht zum Team gehören und nicht durch Single Sign-on, Einladung oder eine erlaubte Mail-Domain kommen, sehen nichts mehr, auch nicht den Namen des Boards. Das gilt auch für Personen, die bisher mitgemacht haben.'
    : 'Visitors, search engines, and everyone who is not on the team, from single sign-on, invited or with an allowed mail domain see nothing any more, not even the name of the board. That includes people who have taken part so far.';
export const closingLinks = (l: Locale): string =>
  l === 'de'
    ? 'Weitergegebene Links zu Ideen und Dateien öffnen sich nur noch für Personen, die das Board sehen dürfen. Kopien bei Suchmaschinen verschwinden, wenn diese wieder nachsehen.'
    : 'Links to ideas and files that were passed on open only for people who may see the board. Copies that search engines have kept disappear when they look again.';
export const closingApi = (l: Locale): string =>
  l === 'de' ? 'API-Schlüssel und Webhooks arbeiten weiter.' : 'API keys and webhooks go on working.';
export const closeBoard = (l: Locale): string => (l === 'de' ? 'Board schließen' : 'Close the board');
