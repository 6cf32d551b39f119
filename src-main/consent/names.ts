import { memoized } from './memoized.ts'

/** The words of a name in any of the usual spellings, in lower case: `getUserById`, `list-open_issues`, `API.call2`. */
export const wordsOf = memoized(5_000, (name): readonly string[] =>
  name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}0-9]+/u)
    // `lookup2`
    .map((word) => word.replace(/(?<=\p{L}{2})\d+$/u, ''))
    .filter(Boolean),
)

/** A list of words as one writes it down. */
export const wordSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** Verbs of other languages: German, French, Spanish and Italian. */
const ELSEWHERE = {
  reads: `suchen suche finden liste lesen zeigen anzeigen abrufen abfragen holen übersicht uebersicht lister chercher rechercher lire
  afficher voir obtenir trouver listar buscar mostrar obtener consultar elencare cercare leggere mostrare`,
  changes: `anlegen eintragen ändern aendern setzen speichern hinzufügen hinzufuegen erstellen bearbeiten verschieben umbenennen
  aktualisieren starten stoppen schreiben zuweisen verbuchen ajouter modifier créer creer enregistrer écrire ecrire déplacer deplacer
  renommer agregar añadir anadir crear modificar guardar escribir mover aggiungere creare modificare salvare scrivere spostare`,
  destroys: `löschen loeschen entfernen leeren stornieren storno kündigen kuendigen auflösen aufloesen verwerfen zurücksetzen
  zuruecksetzen sperren abbrechen absagen überschreiben ueberschreiben widerrufen beenden schließen schliessen archivieren supprimer
  effacer vider annuler résilier resilier bloquer borrar eliminar vaciar cancelar anular bloquear cancellare eliminare svuotare annullare`,
  sends: `senden schicken versenden verschicken mailen teilen freigeben veröffentlichen veroeffentlichen drucken exportieren einladen
  antworten kommentieren melden mitteilen weiterleiten abgeben einreichen benachrichtigen envoyer partager publier inviter répondre
  repondre imprimer exporter enviar compartir publicar invitar responder imprimir exportar inviare condividere pubblicare rispondere`,
  spends: `zahlen bezahlen überweisen ueberweisen kaufen bestellen buchen erstatten gutschreiben abbuchen reservieren spenden payer
  acheter commander virer rembourser réserver reserver pagar comprar pedir transferir reembolsar reservar pagare comprare ordinare
  rimborsare`,
}

/** Words of tools' and actions' names. They only make the guess worse or name it; a word that is not here is no sign of harmlessness. */
export const READS =
  wordSet(`get list read search find show describe view status diff log logs count check lookup look browse snapshot fetch
  query inspect explain preview stat head tail history open tree info retrieve ls peek navigate screenshot wait hover scroll resolve
  validate compare summarize analyze directory current now health ping whoami schema tables metadata ${ELSEWHERE.reads}`)
export const CHANGES =
  wordSet(`create update write edit add set move rename put insert commit save close merge assign label patch replace
  append store mark start stop restart enable disable apply upsert modify change toggle switch convert import restore pin star watch
  reopen open draft resize fill type select press click drag check uncheck copy checkout branch init configure register schedule link
  unlink attach detach mkdir touch lock unlock tag record remember track transition turn run exec execute eval evaluate call invoke
  rebase stash pull clone install build deploy rollback scale reorder duplicate sync clean format ${ELSEWHERE.changes}`)
export const DESTROYS =
  wordSet(`delete remove drop truncate purge destroy reset clear kill revoke wipe uninstall erase cancel terminate prune
  discard shred unpublish expire archive trash overwrite flush empty force unregister deprovision evict drain void reject ban block rm del
  rmdir forget decommission ${ELSEWHERE.destroys}`)
export const SENDS =
  wordSet(`send post publish share invite push comment reply message email mail notify tweet forward submit upload announce
  broadcast sms dm fax webhook grant release request review respond transmit export permission permissions collaborator member
  members attendee attendees subscribe expose deliver dispatch print ${ELSEWHERE.sends}`)
export const SPENDS =
  wordSet(`pay buy purchase order checkout refund transfer charge invoice book subscribe bid trade payout payment payments
  donate withdraw wire topup reserve rent sell credit debit payroll remit place ${ELSEWHERE.spends}`)

/** Those of other languages that are no nouns of English, wherever they stand in a name. */
export const VERBS_ELSEWHERE = wordSet(`${ELSEWHERE.changes} ${ELSEWHERE.destroys} ${ELSEWHERE.sends} ${ELSEWHERE.spends}`)
