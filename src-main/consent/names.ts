import { memoized } from './memoized.ts'

/** The words of a name in lower case, in all usual spellings: `getUserById`, `list-open_issues`, `API.call2`. */
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

export const wordSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** Verbs of other languages: German, French, Spanish, Italian, Portuguese, Dutch, Polish, Turkish and Russian. */
const ELSEWHERE = {
  reads: `suchen suche finden liste lesen zeigen anzeigen abrufen abfragen holen übersicht uebersicht auflisten nachschlagen ansehen auslesen
  ermitteln prüfen pruefen lister chercher rechercher lire afficher voir obtenir trouver consulter récupérer listar buscar mostrar obtener
  consultar leer ver encontrar elencare cercare leggere mostrare vedere trovare consultare procurar pesquisar ler exibir obter zoeken lezen
  tonen ophalen bekijken opzoeken szukaj pokaż wyświetl czytaj listele göster oku bul найти поиск показать читать список получить`,
  changes: `anlegen eintragen ändern aendern setzen speichern hinzufügen hinzufuegen erstellen bearbeiten verschieben umbenennen
  aktualisieren starten stoppen schreiben zuweisen verbuchen importieren ausführen ausfuehren hochladen zuordnen verlängern verlaengern öffnen
  oeffnen ergänzen ergaenzen anhängen anhaengen einfügen einfuegen ersetzen vorbereiten bestätigen bestaetigen ajouter modifier créer
  enregistrer écrire déplacer renommer changer régler ouvrir fermer programmer importer exécuter lancer remplacer signer agregar añadir crear
  modificar guardar escribir mover editar cambiar actualizar asignar ajustar abrir cerrar encender programar registrar importar ejecutar subir
  reemplazar renovar firmar aggiungere creare modificare salvare scrivere spostare aprire chiudere aggiornare eseguire caricare firmare criar
  adicionar alterar gravar salvar escrever mudar definir inserir atualizar renomear agendar fechar ligar desligar registar executar carregar
  substituir assinar aanmaken toevoegen wijzigen bijwerken opslaan schrijven verplaatsen instellen utwórz dodaj zmień zapisz edytuj przenieś
  oluştur ekle değiştir kaydet güncelle создать добавить изменить сохранить обновить записать переместить`,
  destroys: `löschen loeschen entfernen leeren stornieren storno kündigen kuendigen auflösen aufloesen verwerfen zurücksetzen
  zuruecksetzen sperren abbrechen absagen überschreiben ueberschreiben widerrufen beenden schließen schliessen archivieren ablehnen supprimer
  effacer vider annuler résilier bloquer retirer enlever refuser rejeter jeter borrar eliminar vaciar cancelar anular bloquear quitar retirar
  descartar rechazar suprimir revocar cancellare eliminare svuotare annullare rimuovere rifiutare apagar excluir remover deletar limpar
  rejeitar revogar verwijderen wissen annuleren intrekken leegmaken usuń skasuj anuluj wyczyść sil iptal kaldır temizle удалить отменить очистить`,
  sends: `senden schicken versenden verschicken mailen teilen freigeben veröffentlichen veroeffentlichen drucken exportieren einladen
  antworten kommentieren melden mitteilen weiterleiten abgeben einreichen benachrichtigen mahnen envoyer partager publier inviter répondre
  imprimer exporter prévenir avertir notifier enviar compartir publicar invitar responder imprimir exportar avisar notificar mandar reenviar
  inviare condividere pubblicare rispondere spedire avvisare inoltrare notificare partilhar compartilhar convidar encaminhar verzenden versturen
  delen publiceren uitnodigen beantwoorden doorsturen wyślij udostępnij opublikuj zaproś odpowiedz gönder paylaş yayınla davet yanıtla отправить
  опубликовать поделиться пригласить ответить переслать`,
  spends: `zahlen bezahlen überweisen ueberweisen überweisung ueberweisung kaufen bestellen buchen erstatten gutschreiben abbuchen reservieren
  spenden payer acheter commander virer rembourser réserver encaisser pagar comprar pedir transferir reembolsar reservar encargar abonar cobrar
  pagare comprare ordinare rimborsare prenotare encomendar betalen kopen bestellen overmaken boeken zapłać kup zamów przelej öde satınal
  оплатить купить заказать перевести`,
}

/** Adds the words without accents, as many names have them. */
const spelled = (words: string) => `${words} ${words.normalize('NFD').replace(/\p{M}/gu, '')}`

/** Action nouns in Japanese, Chinese and Korean names, which have no spaces. */
const UNDIVIDED: readonly (readonly [keyof typeof ELSEWHERE, RegExp])[] = [
  [
    'changes',
    /登録|追加|更新|変更|編集|作成|保存|設定|移動|実行|開始|停止|注册|添加|修改|编辑|创建|设置|移动|执行|启动|上传|등록|추가|수정|변경|생성|저장|설정|이동|실행/u,
  ],
  ['destroys', /削除|取消|解約|廃棄|消去|破棄|却下|删除|移除|清空|撤销|废弃|삭제|취소|제거|해지/u],
  [
    'sends',
    /送信|公開|投稿|共有|通知|配信|返信|転送|提出|招待|承認|发送|发布|分享|回复|转发|提交|邀请|通报|전송|발송|공유|게시|답장|초대|보내기/u,
  ],
  [
    'spends',
    /購入|注文|支払|予約|送金|振込|決済|返金|発注|购买|订购|支付|付款|预订|预约|转账|退款|구매|주문|결제|예약|송금|환불/u,
  ],
]
/** In Japanese and Korean the action comes last: a list of bookings books nothing. */
const LOOKS_LAST = /(?:検索|一覧|閲覧|照会|参照|表示|조회|검색|목록|보기)$/u
/** In Chinese it comes first. */
const LOOKS_FIRST = /^(?:查询|搜索|查看|获取|列出|读取|显示|浏览)/u

/** The actions in a name without spaces. */
export function undividedActs(word: string): readonly (keyof typeof ELSEWHERE)[] {
  if (!/[\p{Script=Han}\p{Script=Hangul}\p{Script=Katakana}]/u.test(word)) return []
  if (LOOKS_LAST.test(word) && !/[とや・]|及び|並び|및/u.test(word)) return ['reads']
  const acts = UNDIVIDED.flatMap(([kind, words]) => (words.test(word) ? [kind] : []))
  return acts.length === 0 && LOOKS_FIRST.test(word) && !/并|和|与/u.test(word) ? ['reads'] : acts
}

/** Words of tools' and actions' names. They only make the guess worse or name it; a word that is not here is no sign of harmlessness. */
export const READS =
  wordSet(`get list read search find show describe view status diff log logs count check lookup look browse snapshot fetch
  query inspect explain preview stat head tail history open tree info retrieve ls peek navigate screenshot wait hover scroll
  validate compare summarize analyze directory current now health ping whoami schema tables metadata ${spelled(ELSEWHERE.reads)}`)
/** Verbs of reading that are no nouns before another verb. */
export const LOOKS = wordSet(
  `get list read search find show describe view lookup look fetch inspect explain retrieve browse check query ls validate analyze compare summarize navigate peek ${spelled(ELSEWHERE.reads)}`,
)
/** Words of doing that are nouns after one of them; any other is a second verb. */
export const OBJECTS =
  wordSet(`order purchase refund transfer charge invoice book bid trade payout payment payments credit debit payroll place checkout
  post comment review release request message email mail sms fax webhook permission permissions collaborator member members attendee
  attendees reply tweet invite grant block trash update commit draft label tag branch link track record schedule pull open run build patch
  star start stop lock call transition format type merge mark`)
export const CHANGES =
  wordSet(`create update write edit add set move rename put insert commit save close merge assign label patch replace
  append store mark start stop restart enable disable apply upsert modify change toggle switch convert import restore pin star watch
  reopen open resolve draft resize fill type select press click drag check uncheck copy checkout branch init configure register schedule link
  unlink attach detach mkdir touch lock unlock tag record remember track transition turn run exec execute eval evaluate call invoke
  rebase stash pull clone install build deploy rollback scale reorder duplicate sync clean format ${spelled(ELSEWHERE.changes)}`)
export const DESTROYS =
  wordSet(`delete remove drop truncate purge destroy reset clear kill revoke wipe uninstall erase cancel terminate prune
  discard shred unpublish expire archive trash overwrite flush empty force unregister deprovision evict drain void reject ban block rm del
  rmdir forget decommission ${spelled(ELSEWHERE.destroys)}`)
export const SENDS =
  wordSet(`send post publish share invite push comment reply message email mail notify tweet forward submit upload announce
  broadcast sms dm fax webhook grant release request review respond transmit export permission permissions collaborator member
  members attendee attendees subscribe expose deliver dispatch print ${spelled(ELSEWHERE.sends)}`)
export const SPENDS =
  wordSet(`pay buy purchase order checkout refund transfer charge invoice book subscribe bid trade payout payment payments
  donate withdraw wire topup reserve rent sell credit debit payroll remit place ${spelled(ELSEWHERE.spends)}`)

/** Words in the names of tools that can hurt somebody or open something to others. They mark a question and decide nothing. */
const GRAVE_WORDS =
  wordSet(`lock unlock door gate garage arm disarm alarm siren oven stove heater boiler valve engine ignition permission permissions
  role roles grant publish unpublish deploy schloss tür tuer alarmanlage ofen herd veröffentlichen veroeffentlichen freigeben serrure porte four
  alarme publier cerradura puerta horno alarma publicar serratura porta forno allarme pubblicare`)

/** True for the name of a tool whose change should not be allowed in passing. */
export const isGraveName = (name: string): boolean => wordsOf(name).some((word) => GRAVE_WORDS.has(word))

/** Words in the names of tools that pass text on to the web. */
export const OUTWARD = wordSet(
  'web internet online google bing duckduckgo wikipedia website webpage url urls http https www ウェブ ネット',
)

/** Verbs of other languages at any position in a name; none is an English noun. */
export const VERBS_ELSEWHERE = wordSet(
  `${spelled(ELSEWHERE.changes)} ${spelled(ELSEWHERE.destroys)} ${spelled(ELSEWHERE.sends)} ${spelled(ELSEWHERE.spends)}`,
)
