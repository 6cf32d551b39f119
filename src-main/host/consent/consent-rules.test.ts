import { describe, expect, it } from 'vitest'
import { type ChatHost, chatHost, ECHO } from '../../../e2e/test-hosts/chat-host.ts'
import type { ConsentRule } from '../../../src-shared/contract/consent.ts'
import type { ConsentRuleId, ServerId } from '../../../src-shared/contract/ids.ts'
import { PLAYGROUND_ID } from '../../../src-shared/contract/servers.ts'

const call = (text: string) => ({ call: 'echo', args: { text } })

async function allowedAlways(chat: ChatHost): Promise<ConsentRuleId> {
  const id = await chat.say('go')
  await chat.answer('always')
  await chat.idle(id)
  return chat.host.consent.rules.list()[0]!.id
}

describe('a revoked rule', () => {
  it('stays revoked after a restart, even if a running turn used it meanwhile', async () => {
    let removing = async () => {}
    const chat = await chatHost({
      replies: [[call('1')]],
      storage: (real) => ({
        ...real,
        records: {
          ...real.records,
          remove: async (...args) => {
            await removing()
            await real.records.remove(...args)
          },
        },
      }),
    })
    const id = await allowedAlways(chat)
    const { rules } = chat.host.consent
    const used: Promise<void>[] = []
    removing = async () => {
      used.push(rules.used(id))
    }
    used.push(rules.used(id))
    const revoked = rules.revoke(id)
    used.push(rules.used(id))
    await revoked
    await Promise.all(used)
    expect(rules.list()).toEqual([])
    await chat.end()
    const again = await chatHost({ after: chat })
    expect(again.host.consent.rules.list()).toEqual([])
    await again.end()
  })

  it('decides nothing from the moment it is revoked', async () => {
    const chat = await chatHost({ replies: [[call('1')]] })
    const id = await allowedAlways(chat)
    const tool = chat.host.servers.tools.find(PLAYGROUND_ID, 'echo')!
    const { consent } = chat.host
    const facts = await consent.facts(consent.judged.of(tool), {})
    const is = () => consent.judge(tool, { text: '2' }, facts, {}).verdict.is
    expect(is()).toBe('allow')
    const revoked = consent.rules.revoke(id)
    expect(is()).toBe('ask')
    await revoked
  })
})

it('a rule that says the same is kept once, even after a restart', async () => {
  const chat = await chatHost({ replies: [[call('1')]] })
  await allowedAlways(chat)
  await chat.end()
  const again = await chatHost({ after: chat, tools: [ECHO], replies: [[call('2')]] })
  const [kept] = again.host.consent.rules.list()
  const {
    words: _words,
    serverNames: _names,
    id: _id,
    madeAt: _madeAt,
    uses: _uses,
    lastUsedAt: _last,
    effect: _effect,
    ...says
  } = kept!
  await again.host.consent.rules.remember(says, { conversationId: 'c' as never, turnId: 't' as never }, [
    again.host.servers.tools.find(PLAYGROUND_ID, 'echo')!,
  ])
  expect(again.host.consent.rules.list()).toHaveLength(1)
  await again.end()
})

describe('a rule about several servers', () => {
  const other = 'other' as ServerId
  const clause = (serverId: ServerId) => ({
    serverId,
    launchIdentity: 'launch',
    tools: { look: `print of ${serverId}` },
    powers: ['reads'] as const,
    limits: [{ is: 'any' }] as const,
  })
  const rule: ConsentRule = {
    ...{ id: 'both' as ConsentRuleId, effect: 'allow', scope: 'always', madeAt: 1, uses: 0 },
    ...{ ...clause(PLAYGROUND_ID), also: [clause(other)] },
  }

  it('is one rule, one row and one record, and is removed as a whole', async () => {
    const chat = await chatHost()
    await chat.storage.records.put('consent-rule', rule.id, rule)
    await chat.end()
    const again = await chatHost({ after: chat })
    const { rules } = again.host.consent
    expect(rules.list()).toMatchObject([
      {
        words: 'Playground uses look with any arguments and other uses look with any arguments',
        serverNames: ['Playground', 'other'],
      },
    ])
    await rules.used(rule.id)
    expect(rules.list()).toMatchObject([{ uses: 1 }])
    await rules.revoke(rule.id)
    expect([rules.list(), await again.storage.records.all('consent-rule')]).toEqual([[], new Map()])
    await again.end()
  })

  it('remains for its other servers when one of them is removed', async () => {
    const chat = await chatHost()
    await chat.storage.records.put('consent-rule', rule.id, rule)
    await chat.end()
    const again = await chatHost({ after: chat })
    const { rules } = again.host.consent
    await rules.forgetServer(PLAYGROUND_ID)
    expect(rules.list()).toMatchObject([{ id: rule.id, serverId: other, words: 'other uses look with any arguments' }])
    expect(rules.list()[0]).not.toHaveProperty('also')
    await rules.forgetServer(other)
    expect(rules.list()).toEqual([])
    await again.end()
  })
})

it('rules of an archived conversation are marked', async () => {
  const chat = await chatHost({ replies: [[call('1')]] })
  const id = await chat.say('go')
  await chat.answer('conversation')
  await chat.idle(id)
  expect(chat.host.consent.rules.list()[0]).not.toHaveProperty('ended')
  await chat.host.conversations.open(id, (one) => one.archive(true))
  expect(chat.host.consent.rules.list()).toMatchObject([{ ended: true, conversationTitle: 'go' }])
})
