import { expect, it } from 'vitest'
import { chatHost } from '../../e2e/test-hosts/chat-host.ts'
import { small } from '../../e2e/test-hosts/server-host.ts'
import type { ServerId } from '../../src-shared/contract/ids.ts'
import { runPrompt } from './run-prompt.ts'

const { signal } = new AbortController()
const FILES = 'files' as ServerId

it('a prompt sent while a server is about to ask for its start waits for the question, and names it', async () => {
  const { host } = await chatHost({ disk: true, replies: [['Hello.']] })
  const notes: string[] = []
  const begun = Promise.withResolvers<ReturnType<typeof runPrompt>>()
  const undo = host.state.onEvent((_seq, event) => {
    if (event.type !== 'server.added') return
    undo()
    // Its start has begun by then, and its question is not open yet.
    queueMicrotask(() => begun.resolve(runPrompt(host, { prompt: 'Hi' }, { signal, onNote: (note) => notes.push(note) })))
  })
  await host.servers.edits.add({ name: 'files', launch: small('ok.mjs') })
  expect(await begun.promise).toMatchObject({
    status: 'waiting',
    reply: 'Hello.',
    questions: [{ kind: 'server-trust', server: 'files' }],
  })
  expect(notes).toEqual(['Without files: it waits for your permission to start.'])
  expect(host.state.snapshot.servers[FILES]?.state.is).toBe('asking')
})

it('a prompt without a server that nobody allowed ends as finished', async () => {
  const { host } = await chatHost({ disk: true, replies: [['Hello.']] })
  await host.servers.edits.add({ name: 'files', launch: small('ok.mjs') })
  const { id } = await host.projects.create('Plain')
  await host.projects.change(id, { switches: { servers: [FILES], tools: [] } })
  const outcome = await runPrompt(host, { prompt: 'Hi', project: 'plain' }, { signal, onNote: () => {} })
  expect(outcome).toMatchObject({ status: 'finished', questions: [] })
})
