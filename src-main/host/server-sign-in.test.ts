import { describe, expect, it } from 'vitest'
import { SignInHost } from '../../e2e/support/sign-in-host.ts'

describe('Signing in to a server', () => {
  it('begins with its 401, asks, opens nothing before the answer, and resends what was refused (AUTH-07, AUTH-24, AUTH-60)', async () => {
    const signing = await SignInHost.open()
    await signing.add()
    const { question, about } = await signing.question()
    expect(question).toMatchObject({ reason: 'first', host: new URL(signing.auth.origin).host, opens: 'page' })
    expect(about).toMatchObject({ serverId: signing.name, origin: 'user' })
    expect(signing.auth.at('/oauth2/authorize')).toEqual([])
    const ended = await signing.signInOnce()
    expect(ended.text).toContain('You can close this tab')
    await signing.host.until(signing.name, 'ready')
    expect(signing.signIn).toMatchObject({ is: 'signed-in' })
    expect(signing.server.answered('initialize', 401)).toHaveLength(1)
    expect(signing.server.answered('initialize', 200)).toHaveLength(1)
    expect(await signing.call()).toBe('whoami knows you')
  })
})
