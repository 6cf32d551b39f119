import { describe, expect, it } from 'vitest'
import { judgedTool } from '../../e2e/test-hosts/consent-call.ts'
import type { Power } from '../../src-shared/contract/consent.ts'
import { wordsOf } from './names.ts'
import { actsIn, powersOf } from './powers.ts'

const powers = (name: string, more = {}) => {
  const known = powersOf(judgedTool(name, more))
  return `${known.from}: ${[...known.powers].sort().join(' ')}`
}
const closed = { openWorld: false }
const acts = (name: string) => [...actsIn(wordsOf(name))].sort().join(' ')

describe('the words of a name', () => {
  it.each([
    ['getUserById', 'get user by id'],
    ['list-open_issues', 'list open issues'],
    ['API.call2', 'api call'],
    ['HTTPServerStart', 'http server start'],
    ['übersetze_Text', 'übersetze text'],
    ['delete2', 'delete'],
    ['s3_get', 's3 get'],
    ['', ''],
    ['__', ''],
  ])('of %s are %s', (name, words) => {
    expect(wordsOf(name).join(' ')).toBe(words)
  })
})

describe('a noun of reading as a name', () => {
  const taking = (name: string) =>
    powers(name, { inputSchema: { type: 'object', properties: { lock: {}, text: { type: 'string' } } } })
  it('says nothing of a tool that takes a text', () => {
    expect([powers('log'), powers('get_log')]).toEqual(['named: brings-in reads', 'named: brings-in reads'])
    expect(taking('get_log')).toBe('named: brings-in reads')
    expect(taking('log')).toBe(powers('gizmo'))
  })
})

describe('the powers in the words of a name', () => {
  it.each([
    ['get_order', 'reads'],
    ['getOrder', 'reads'],
    ['get-order', 'reads'],
    ['list_payments', 'reads'],
    ['get_message', 'reads'],
    ['orders_list', 'reads'],
    ['beleg_suchen', 'reads'],
    ['buchung_anlegen', 'changes'],
    ['liste_leeren', 'changes destroys reads'],
    ['akte_suchen_leeren', 'changes destroys reads'],
    ['akte_leeren', 'changes destroys'],
    ['beleg_suchen_und_löschen', 'changes destroys reads'],
    ['brief_senden', 'changes sends'],
    ['rechnung_überweisen', 'changes spends'],
    ['supprimer_dossier', 'changes destroys'],
    ['enviar_factura', 'changes sends'],
    ['delete_row', 'changes destroys'],
    ['deleteRow', 'changes destroys'],
    ['rows.delete', 'changes destroys'],
    ['send_email', 'changes sends'],
    ['pay_invoice', 'changes spends'],
    ['orders_pay', 'changes spends'],
    ['create_issue', 'changes'],
    ['search_and_replace', 'changes reads'],
    ['list_or_delete', 'changes destroys reads'],
    ['get_then_send', 'changes reads sends'],
    ['delete_search', 'changes destroys reads'],
    ['update_get', 'changes reads'],
    ['ler_tanque', 'reads'],
    ['ver_lector', 'reads'],
    ['récupérer_facture', 'reads'],
    ['recuperer_facture', 'reads'],
    ['procurar_na_web', 'reads'],
    ['ver_y_borrar', 'changes destroys reads'],
    ['apagar_lote', 'changes destroys'],
    ['encomendar_malte', 'changes spends'],
    ['作品検索', 'reads'],
    ['予約一覧', 'reads'],
    ['削除一覧', 'reads'],
    ['検索と削除', 'changes destroys'],
    ['検索削除', 'changes destroys'],
    ['画像公開', 'changes sends'],
    ['予約取消', 'changes destroys spends'],
    ['查询订单', 'reads'],
    ['查询并删除', 'changes destroys'],
    ['删除列表', 'changes destroys'],
    ['查询删除', 'changes destroys'],
    ['예약조회', 'reads'],
    ['評価額', ''],
    ['frobnicate', ''],
    ['deletes', 'changes destroys'],
    ['replies', 'changes sends'],
  ])('of %s are %s', (name, said) => {
    expect(acts(name)).toBe(said)
  })
})

describe('a verb after a word of reading', () => {
  it.each([
    ['snapshot_delete', 'changes destroys reads'],
    ['list_delete', 'changes destroys reads'],
    ['list_members_add', 'changes reads sends'],
    ['history_clear_all', 'changes destroys reads'],
    ['account_status_delete', 'changes destroys reads'],
    ['statusUpdate', 'changes reads'],
    ['find-replace', 'changes reads'],
    ['read_receipt_send', 'changes reads sends'],
    ['info_order', 'changes reads spends'],
    ['open_door', 'changes reads'],
    ['check_out_cart', 'changes reads'],
    ['resolve_ticket', 'changes'],
  ])('counts in %s', (name, expected) => {
    expect(acts(name)).toBe(expected)
  })

  it.each(['rotate_logs', 'migrate_schema', 'flip_status', 'snapshot_vm', 'log_time', 'device_status'])(
    'may be any word beside a noun, as in %s',
    (name) => {
      expect(powers(name)).toBe('unknown: brings-in changes destroys reads sends')
    },
  )

  it.each([
    'status',
    'health_check',
    'get_last_update',
    'list_open_issues',
    'check_order_status',
    'view_invoice',
    'search_messages',
    'find_place',
    'log_list',
    'open',
  ])('is an object or a state in %s', (name) => {
    expect(acts(name)).toBe('reads')
  })
})

describe('the powers of a tool', () => {
  it('are changing for a tool that is only called open', () => {
    expect(powers('open')).toBe('named: brings-in changes reads')
  })

  it('are those the protocol defines for its own requests', () => {
    expect(powers('sampling/createMessage', { defined: ['sends'] })).toBe('protocol: sends')
  })

  it('may be added by the person for a known server, and never taken away', () => {
    const published = '@modelcontextprotocol/server-filesystem'
    expect(powers('write_file', { published, told: ['reads'] })).toMatch(/^published: .*changes/)
    expect(powers('read_text_file', { published, told: ['reads', 'sends'] })).toMatch(/^published: .*sends/)
    const trusted = { claimed: { readOnly: true, ...closed }, hintsTrusted: true }
    expect(powers('get_order', { ...trusted, told: ['changes'] })).toBe('trusted-hints: changes reads')
  })

  it('are known for a published server, whatever its hints and name say', () => {
    const published = '@modelcontextprotocol/server-filesystem'
    expect(powers('read_text_file', { published })).toBe('published: reads')
    expect(powers('write_file', { published, claimed: { readOnly: true } })).toMatch(/^published: .*changes/)
    expect(powers('another_tool', { published })).not.toMatch(/^published/)
  })

  it('are all but spending where its name says nothing', () => {
    expect(powers('frobnicate')).toBe('unknown: brings-in changes destroys reads sends')
    expect(powers('frobnicate', { claimed: { readOnly: false, destructive: false } })).toBe(
      'unknown: brings-in changes destroys reads sends',
    )
  })

  it('are not reduced by a hint below its name (V26-TOOL-5)', () => {
    expect(powers('delete_row', { claimed: { readOnly: true, ...closed } })).toBe('named: changes destroys reads')
    expect(powers('send_email', { claimed: { readOnly: true, destructive: false } })).toBe('named: changes reads sends')
    expect(powers('delete_row', { claimed: { readOnly: true, ...closed }, hintsTrusted: true })).toBe(
      'trusted-hints: changes destroys reads',
    )
  })

  it('are the worst where the name says nothing and the person does not trust the hints (V26-TOOL-5)', () => {
    expect(powers('frobnicate', { claimed: { readOnly: true, ...closed } })).toBe(powers('frobnicate'))
    expect(powers('frobnicate')).toBe('unknown: brings-in changes destroys reads sends')
    expect(powers('frobnicate', { claimed: { readOnly: true, ...closed }, hintsTrusted: true })).toBe('trusted-hints: reads')
    expect(powers('frobnicate', { hintsTrusted: true })).toMatch(/^unknown/)
    expect(powers('frobnicate', { claimed: { readOnly: false }, hintsTrusted: true })).toMatch(/^unknown/)
  })

  it('are reading by its name, even of strangers’ words, unless a trusted hint says closed world', () => {
    expect(powers('get_order')).toBe('named: brings-in reads')
    expect(powers('get_order', { claimed: closed })).toBe('named: brings-in reads')
    expect(powers('get_order', { claimed: { readOnly: true, ...closed }, hintsTrusted: true })).toBe('trusted-hints: reads')
    expect(powers('create_issue')).toBe('named: changes reads')
  })

  it('are reading where the person says so, its name says no more, and it takes no text', () => {
    const told: Power[] = ['reads', 'brings-in']
    expect(powers('get_order', { told })).toBe('accepted: brings-in reads')
    expect(powers('ler_tanque', { told })).toBe('accepted: brings-in reads')
    expect(powers('departures', { told: ['reads'] })).toBe('told: brings-in reads')
    expect(powers('delete_row', { told, claimed: { readOnly: true } })).toBe('named: changes destroys reads')
    expect(powers('create_issue', { told })).toBe('named: changes reads')
    const inputSchema = { type: 'object', properties: { board: { type: 'string' }, text: { type: 'string' } } } as const
    expect(powers('board', { told, inputSchema })).toMatch(/^unknown/)
    expect(powers('departures', { claimed: { readOnly: true } })).toMatch(/^unknown/)
  })

  it('may be added by the person of an unknown server, and never taken away', () => {
    expect(powers('get_order', { told: ['reads', 'changes', 'sends'] })).toBe('told-more: brings-in changes reads sends')
    expect(powers('send_email', { told: ['reads', 'changes'] })).toBe(powers('send_email'))
    expect(powers('departures', { told: ['reads', 'changes'] })).toBe('told-more: brings-in changes destroys reads sends')
    expect(powers('departures', { told: ['reads', 'brings-in', 'changes', 'destroys', 'sends'] })).toBe(powers('departures'))
    expect(powers('order', { told: ['reads', 'changes', 'spends'] })).toMatch(/^named: .*spends/)
  })

  it('are reading for a noun before a reading verb, where a trusted hint agrees', () => {
    const claimed = { readOnly: true }
    expect(powers('pull_request_read', { claimed, hintsTrusted: true })).toBe('trusted-hints: brings-in reads')
    expect(powers('pull_request_read', { claimed })).toBe('named: brings-in changes reads sends')
  })
})
