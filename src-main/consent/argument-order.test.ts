import { describe, expect, it } from 'vitest'
import { argumentOrder } from './argument-order.ts'

describe('the order of the arguments in a question', () => {
  it('begins with the recipient of a mail, then its texts, then how it is sent', () => {
    const args = { format: 'text', urgent: true, subject: 'Hello', body: 'Dear Bela', to: ['Bela@Example.com'] }
    const touches = [
      { is: 'option', argument: 'format', value: 'text' },
      { is: 'option', argument: 'urgent', value: 'true' },
      { is: 'text', argument: 'body', value: '' },
      { is: 'recipient', argument: 'to[0]', value: 'bela@example.com' },
    ] as const
    expect(argumentOrder({ args, touches, powers: [] })).toEqual(['to', 'subject', 'body', 'format', 'urgent'])
  })

  it('puts an address, a statement, a command, a path and an amount before options', () => {
    for (const touch of [
      { is: 'host', argument: 'what', value: 'https://a.example', host: 'a.example' },
      { is: 'statement', argument: 'what', value: 'SELECT 1', verb: 'select', tables: [] },
      { is: 'command', argument: 'what', value: 'ls', words: 'ls' },
      { is: 'path', argument: 'what', value: '/a', path: '/a' },
      { is: 'amount', argument: 'what', value: '3', amount: 3 },
    ] as const) {
      const page = { is: 'value', argument: 'page', value: '2', vague: true } as const
      expect(argumentOrder({ args: { page: 2, what: 'x' }, touches: [page, touch], powers: [] })).toEqual(['what', 'page'])
    }
  })

  it('keeps a command that was not understood before the folder where it runs', () => {
    const touches = [
      { is: 'path', argument: 'cwd', value: '/shop', path: '/shop' },
      { is: 'value', argument: 'command', value: 'git push' },
    ] as const
    const args = { command: 'git push', cwd: '/shop' }
    expect(argumentOrder({ args, touches, powers: ['sends'], unread: 'May do more.' })).toEqual(['command', 'cwd'])
  })

  it('places an argument by the part that leads elsewhere, and one with dots in its name by the name', () => {
    const touches = [
      { is: 'option', argument: 'mail.html', value: 'true' },
      { is: 'recipient', argument: 'mail.to[0]', value: 'a@b.example' },
      { is: 'path', argument: 'x.y', value: '/a' },
    ] as const
    expect(argumentOrder({ args: { note: 'hi', 'x.y': '/a', mail: {} }, touches, powers: [] })).toEqual(['mail', 'x.y', 'note'])
  })

  it('shows how much is paid right after to whom, before what it is for', () => {
    const args = { reference: 'Car', recipient: 'DE02', urgent: true, amount: 50 }
    const touches = [
      { is: 'text', argument: 'reference', value: '' },
      { is: 'recipient', argument: 'recipient', value: 'DE02' },
      { is: 'value', argument: 'amount', value: '50', vague: true },
    ] as const
    expect(argumentOrder({ args, touches, powers: ['spends'] })).toEqual(['recipient', 'amount', 'reference', 'urgent'])
    expect(argumentOrder({ args, touches, powers: ['sends'] })[1]).toBe('reference')
  })
})
