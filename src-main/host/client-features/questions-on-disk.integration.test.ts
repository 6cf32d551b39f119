import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type ChatHost, chatHost } from '../../../e2e/test-hosts/chat-host.ts'
import { answer, question, returnOn, sendOn } from '../../../e2e/test-hosts/open-question.ts'
import { textOf } from '../../../e2e/test-hosts/scripted-provider.ts'

/** The files of the data folder that hold the text. */
async function filesWith(text: string, { folder }: ChatHost): Promise<readonly string[]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile())
  const contents = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')))
  return files.filter((_file, at) => contents[at]?.includes(text)).map(({ name }) => name)
}

describe('an answered request from a server', () => {
  it('leaves nothing of sampling on disk (SAMP-30)', async () => {
    const chat = await chatHost({ disk: true, replies: [['canary-out']] })
    const long = `canary-in ${'x'.repeat(60_000)}`
    const messages = [{ role: 'user', content: { type: 'text', text: long } }]
    const asked = chat.server.ask('sampling/createMessage', { messages, maxTokens: 9 }, 1)
    const open = await sendOn(chat.host)
    expect(open.question.messages[0]?.blocks[0]).toMatchObject({ whole: { bytes: long.length } })
    expect(JSON.stringify(open).length).toBeLessThan(32 * 1024)
    await returnOn(chat.host)
    await asked
    expect(chat.model.request(0).messages.map(textOf)).toEqual([long])
    expect(await filesWith('canary-', chat)).toEqual([])
  })

  it('with a secret is marked, keeps no draft, and leaves no secret on disk (ELIC-28, SEC-20)', async () => {
    const chat = await chatHost({ disk: true })
    const { host } = chat
    const requestedSchema = { type: 'object', properties: { user: { type: 'string' }, password: { type: 'string' } } }
    const asked = chat.server.ask('elicitation/create', { message: 'Log in', requestedSchema }, 1)
    const { id, question: shown } = await question(host, 'elicitation-form')
    expect(shown).toMatchObject({ secrets: ['password'], asksForSecret: true })
    host.interactions.draft(id, { user: 'canary-user', password: 'canary-password' })
    expect(host.state.snapshot.interactions[0]?.draft).toEqual({ user: 'canary-user' })
    await answer(host, 'elicitation-form', { action: 'accept', content: { user: 'canary-user', password: 'canary-password' } })
    expect((await asked).result).toMatchObject({ content: { password: 'canary-password' } })
    expect(JSON.stringify(host.state.snapshot)).not.toContain('canary')
    expect(await filesWith('canary', chat)).toEqual([])
  })
})
