import type { Locator, Page } from '@playwright/test'
import { AuthServer } from '../servers/auth-server.ts'
import { ProtectedServer } from '../servers/protected-server.ts'
import { expectNoFaults } from '../shells/axe.ts'
import { DoubleShell } from '../shells/double-shell.ts'
import { press } from '../shells/press.ts'
import type { RunningShell } from '../shells/running-shell.ts'
import { test as base, expect } from '../shells/shell-test.ts'
import { typeInto } from './keyboard-steps.ts'
import { answer, card, consent, expectServerState, expectShown, expectStatus, goTo, newConversation, send } from './steps.ts'

const NAME = 'guarded'

interface Guarded {
  readonly auth: AuthServer
  readonly server: ProtectedServer
  /** Another server with the same authorization server. */
  another(): Promise<ProtectedServer>
}

/** A server that lets in only those who are signed in, and where one signs in. */
const test = base.extend<{ guarded: Guarded }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from it
  guarded: async ({}, use) => {
    const auth = await AuthServer.start()
    const servers: ProtectedServer[] = []
    const another = async () => {
      const server = await ProtectedServer.start(auth)
      servers.push(server)
      return server
    }
    await use({ auth, server: await another(), another })
    await Promise.all([...servers, auth].map((one) => one.stop()))
  },
})

const question = (page: Page, name = NAME): Locator => page.getByRole('dialog', { name: `Sign in to ${name}?` })

async function addRemote(shell: RunningShell, url: string, name = NAME): Promise<void> {
  const { page } = shell
  await goTo(page, 'Servers')
  await page.getByRole('button', { name: 'Add server' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add server' })
  await dialog.getByRole('radio', { name: 'Remote' }).check()
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('textbox', { name: 'URL' }).fill(url)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await shell.trustServer('allow')
}

/** Presses Continue; resolves with the browser's page that the sign-in opened, wherever it ended. */
async function go(shell: RunningShell, name = NAME): Promise<Page> {
  const { page } = shell
  const before = shell instanceof DoubleShell ? shell.called('shell.openExternal').length : 0
  const opened = shell.kind === 'web' ? page.context().waitForEvent('page') : undefined
  await press(question(page, name).getByRole('button', { name: 'Continue' }))
  if (opened) {
    const tab = await opened
    await tab.waitForLoadState().catch(() => {}) // a place that does not answer is an end, too
    return tab
  }
  if (!(shell instanceof DoubleShell)) throw new Error('Only the double tells what would be opened')
  await expect.poll(() => shell.called('shell.openExternal').length).toBeGreaterThan(before)
  const url = String(shell.called('shell.openExternal').at(-1)?.[0])
  const tab = await shell.outsidePage()
  await tab.goto(url).catch(() => {})
  return tab
}

async function signIn(shell: RunningShell, name = NAME): Promise<void> {
  const tab = await go(shell, name)
  await expect(tab.getByText('You can close this tab')).toBeVisible()
  await tab.close()
  await expect(question(shell.page, name)).toHaveCount(0)
}

async function openServer(page: Page, name = NAME): Promise<Locator> {
  await goTo(page, 'Servers')
  await page.getByRole('main').getByRole('link', { name, exact: true }).click()
  return page.getByRole('region', { name: 'Sign-in' })
}

async function added(shell: RunningShell, guarded: Guarded): Promise<void> {
  await addRemote(shell, guarded.server.url)
  await signIn(shell)
  await expectServerState(shell.page, NAME, 'Ready')
}

async function call(page: Page, text: string): Promise<void> {
  await newConversation(page)
  await send(page, text)
  await answer(page, 'Allow once')
}

test.describe('signing in to a server', () => {
  test('asks, opens the browser after Continue, stays signed in over a restart, takes another account, and deletes what is stored (AUTH-24, AUTH-27, AUTH-60)', async ({
    shell,
    page,
    guarded,
  }) => {
    await test.step('asks, opens the browser after Continue, comes back by itself, and stays signed in over a restart', async () => {
      await addRemote(shell, guarded.server.url)
      await expect(question(page)).toContainText(new URL(guarded.auth.origin).host)
      expect(guarded.auth.at('/oauth2/authorize')).toEqual([])
      await signIn(shell)
      await expectServerState(page, NAME, 'Ready')
      await expect(await openServer(page)).toContainText('Signed in at')
      const again = await shell.restart()
      await expectServerState(again, NAME, 'Starts when needed')
      await expect(question(again)).toHaveCount(0)
      expect(guarded.auth.grants('authorization_code')).toHaveLength(1)
    })
    await test.step('adds another account at the same address, which signs in by itself', async () => {
      const { page } = shell
      guarded.auth.behaviour.user = 'Grace'
      await openServer(page)
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Add another account' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add another account' })
      await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('guarded 2')
      await expect(dialog.getByRole('textbox', { name: 'URL' })).toHaveValue(guarded.server.url)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await shell.trustServer('allow')
      await signIn(shell, 'guarded 2')
      await expectServerState(page, 'guarded 2', 'Ready')
    })
    await test.step('deletes what is kept of one account when the person says so', async () => {
      const standing = await openServer(shell.page)
      await expect(standing.getByRole('list', { name: 'Stored credentials' })).toContainText(guarded.server.url)
      await standing.getByRole('button', { name: 'Sign out' }).click()
      await expect(standing).toContainText('This server requires sign-in.')
      await standing.getByRole('button', { name: 'Delete stored credentials' }).click()
      await expect(standing.getByRole('list', { name: 'Stored credentials' })).toHaveCount(0)
      const alive = [...guarded.auth.tokens.values()].filter((token) => token.alive)
      expect(alive.map(({ user }) => user)).toEqual(['Grace'])
    })
  })

  test('can be cancelled at the question and in the browser, begun again, and completed with a pasted link (AUTH-31)', {
    tag: '@long',
  }, async ({ shell, page, guarded }) => {
    await test.step('is cancelled and begun again; its questions pass the axe checks', async () => {
      guarded.auth.behaviour.page = 'button'
      await addRemote(shell, guarded.server.url)
      await expect(question(page).getByRole('button', { name: 'Continue' })).toBeEnabled()
      await expectNoFaults(page)
      await question(page).getByRole('button', { name: 'Cancel' }).click()
      await expectServerState(page, NAME, 'Sign-in needed')
      const standing = await openServer(page)
      await expect(standing).toContainText('You did not sign in')
      await standing.getByRole('button', { name: 'Sign in' }).click()
      const tab = await go(shell)
      await expect(tab.getByRole('link', { name: 'Sign in as Ada' })).toBeVisible()
      await tab.close()
      await expect(question(page)).toContainText('Waiting for you')
      await expectNoFaults(page)
      await question(page).getByRole('button', { name: 'Cancel' }).click()
      await expect(standing).toContainText('cancelled')
      await expectNoFaults(page)
      await standing.getByRole('button', { name: 'Sign in' }).click()
      const second = await go(shell)
      await second.getByRole('link', { name: 'Sign in as Ada' }).click()
      await expect(second.getByText('You can close this tab')).toBeVisible()
      await expectServerState(page, NAME, 'Ready')
    })
    await test.step('a browser that was closed half-way can be begun again from the card, whose link can be pasted back', async () => {
      const name = 'second'
      await addRemote(shell, (await guarded.another()).url, name)
      const tab = await go(shell, name)
      const sent = new URL(tab.url())
      await tab.close()
      await expect(question(page, name)).toContainText('Waiting for you')
      await question(page, name).press('Escape')
      const standing = await openServer(page, name)
      await expect(standing).toContainText('Waiting for sign-in')
      await expect(standing.getByRole('button', { name: 'Copy link' })).toBeVisible()
      const response = await fetch(`${guarded.auth.origin}/oauth2/consented${sent.search}`, { redirect: 'manual' })
      const address = standing.getByRole('textbox', { name: 'Redirect address' })
      await address.fill('https://elsewhere.example/')
      await press(standing.getByRole('button', { name: 'Use this address' }))
      await expect(page.getByText(/Paste the address that your browser shows/)).toBeVisible()
      await address.fill(response.headers.get('location') ?? '')
      await press(standing.getByRole('button', { name: 'Use this address' }))
      await expectServerState(page, name, 'Ready')
    })
  })
})

test('a token is renewed once, and an expired sign-in is asked for in place by calls, resources and prompts (AUTH-20, AUTH-58, V11-40)', {
  tag: '@long',
}, async ({ shell, page, guarded }) => {
  Object.assign(guarded.server.protection, { scopes: ['basic'], needs: { admin: 'admin' } })
  await added(shell, guarded)
  await test.step('a resource that is read and a prompt that is got after the sign-in is over ask for it in place, and go on', async () => {
    guarded.auth.revokeAll()
    await openServer(page)
    await page.getByRole('tab', { name: 'Resources', exact: true }).click()
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await expect(question(page)).toContainText('note://mine')
    await signIn(shell)
    await expect(page.getByRole('dialog', { name: /^Resource: / })).toContainText('a note for those who are known')
    await page.keyboard.press('Escape')
    guarded.auth.revokeAll()
    await page.getByRole('tab', { name: 'Prompts', exact: true }).click()
    await page.getByRole('button', { name: 'Use prompt' }).click()
    await page.getByRole('combobox', { name: 'who' }).fill('A')
    await page.getByRole('button', { name: 'Preview' }).click()
    await expect(question(page)).toContainText('greet')
    await signIn(shell)
    await expect(page.getByRole('region', { name: 'Prompt messages' })).toContainText('Greet whom you know.')
  })
  await test.step('ten calls in flight renew an expired token exactly once', async () => {
    await call(page, `use ${NAME}/whoami`)
    await expectStatus(card(page, 'whoami'), 'Finished')
    const before = guarded.auth.grants('refresh_token').length
    guarded.auth.expire()
    await newConversation(page)
    // Each a little different, or they would be taken for a loop.
    await send(page, `use ${Array.from({ length: 10 }, (_, at) => `${NAME}/whoami with n=${at}`).join('; ')}`)
    await answer(page, 'Allow once')
    await expect(page.getByRole('group', { name: 'Tool call: whoami' }).getByText('Finished', { exact: true })).toHaveCount(10)
    expect(guarded.auth.grants('refresh_token')).toHaveLength(before + 1)
  })
  await test.step('a sign-in that is over is asked for in place, and the turn goes on', async () => {
    guarded.auth.revokeAll()
    await call(page, `use ${NAME}/whoami`)
    await expect(question(page)).toContainText('expired')
    await signIn(shell)
    await expectStatus(card(page, 'whoami'), 'Finished')
    await expectShown(page, 'whoami', 'whoami knows you')
  })
  await test.step('more permissions are asked for in place, once, and the call goes on', async () => {
    await call(page, `use ${NAME}/admin`)
    await expect(question(page)).toContainText('more permissions')
    await expect(question(page)).toContainText('admin')
    await signIn(shell)
    await expectShown(page, 'admin', 'admin knows you')
  })
  await test.step('a no to the sign-in ends the call, not the turn', async () => {
    guarded.auth.revokeAll()
    await call(page, `use ${NAME}/whoami`)
    await question(page).getByRole('button', { name: 'Cancel' }).click()
    await expectStatus(card(page, 'whoami'), 'Failed')
    await expectShown(page, 'whoami', 'sign in')
    await expect(consent(page)).toHaveCount(0)
  })
})

test('client credentials are entered by keyboard alone: nobody is asked, and the page names the client (XAUTH-1, XAUTH-4)', async ({
  shell,
  page,
  guarded,
}) => {
  guarded.auth.clients.set('robot', { redirectUris: [], secret: 'canary-robot', method: 'client_secret_basic' })
  await goTo(page, 'Servers')
  await page.getByRole('button', { name: 'Add server' }).first().press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add server' })
  await typeInto(dialog.getByRole('textbox', { name: 'Name' }), NAME)
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await dialog.getByRole('textbox', { name: 'URL' }).focus()
  await typeInto(dialog.getByRole('textbox', { name: 'URL' }), guarded.server.url)
  await dialog.getByRole('radio', { name: 'Automatic' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('textbox', { name: 'Client ID' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('textbox', { name: 'Client ID' })).toHaveAttribute('aria-invalid', 'true')
  await expectNoFaults(page)
  await typeInto(dialog.getByRole('textbox', { name: 'Client ID' }), 'robot')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await typeInto(dialog.getByRole('textbox', { name: 'Client secret' }), 'canary-robot')
  await expectNoFaults(page)
  await page.keyboard.press('Enter')
  await shell.trustServer('allow')
  await expectServerState(page, NAME, 'Ready')
  await call(page, `use ${NAME}/whoami`)
  await expectShown(page, 'whoami', 'knows you')
  const section = await openServer(page)
  await expect(section).toContainText('Signs in by itself as client robot at 127.0.0.1')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expectNoFaults(page)
})

test.describe('a wrong answer to a sign-in', () => {
  test('gets no second use of its code, and is kept apart from another server of the same issuer (AUTH-08, AUTH-25, AUTH-57)', {
    tag: '@long',
  }, async ({ shell, page, guarded }) => {
    await test.step('an answer that is sent a second time finds nobody, and its code is of no use', async () => {
      await addRemote(shell, guarded.server.url)
      const tab = await go(shell)
      await expect(tab.getByText('You can close this tab')).toBeVisible()
      await expectServerState(page, NAME, 'Ready')
      // Nobody, or the next sign-in on the usual port, which turns it away.
      const nobody = await fetch(tab.url()).then(
        ({ status }) => status,
        () => 400,
      )
      expect(nobody).toBe(400)
      expect(guarded.auth.grants('authorization_code')).toHaveLength(1)
      const [redeemed] = guarded.auth.grants('authorization_code')
      const again = await fetch(`${guarded.auth.origin}/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams(redeemed?.params),
      })
      expect(again.status).toBe(400)
      await expectServerState(page, NAME, 'Ready')
    })
    await test.step('two servers under one issuer are kept apart: each has its own token', async () => {
      const other = await guarded.another()
      await addRemote(shell, other.url, 'second')
      await signIn(shell, 'second')
      await expectServerState(page, 'second', 'Ready')
      await expectServerState(page, NAME, 'Ready')
      const first = new Set(guarded.server.seen.flatMap(({ token }) => token ?? []))
      expect(first.size).toBeGreaterThan(0)
      expect(other.seen.filter(({ token }) => token !== undefined && first.has(token))).toEqual([])
    })
  })

  test('ends the sign-in with the reason, or is ignored when it answers another (AUTH-10, AUTH-11, AUTH-31)', {
    tag: '@long',
  }, async ({ shell, page, guarded }) => {
    const before = { ...guarded.auth.behaviour }
    const begin = async (name: string, behaviour: Partial<typeof before>) => {
      Object.assign(guarded.auth.behaviour, before, behaviour)
      const { url } = await guarded.another()
      await addRemote(shell, url, name)
      return go(shell, name)
    }
    for (const [what, behaviour, says] of [
      ['from a wrong issuer', { iss: 'wrong' }, 'does not come from'],
      ['that is a no', { page: 'deny' }, 'refused the sign-in'],
      ['that is an error', { page: 'error' }, 'No such permission'],
    ] as const) {
      await test.step(`one ${what} ends it`, async () => {
        await begin(what, behaviour)
        await expectServerState(page, what, 'Sign-in needed')
        await expect(await openServer(page, what)).toContainText(says)
      })
    }
    await test.step('one that goes to another host never arrives, and the sign-in can be cancelled', async () => {
      await begin('foreign', { page: 'foreign' })
      await expect(question(page, 'foreign')).toContainText('Waiting for you')
      await question(page, 'foreign').getByRole('button', { name: 'Cancel' }).click()
      await expectServerState(page, 'foreign', 'Sign-in needed')
    })
    await test.step('one with a wrong state is ignored, and the card says so', async () => {
      const tab = await begin('other', { state: 'wrong' })
      await expect(tab.getByText('This is not the expected answer')).toBeVisible()
      await expect(question(page, 'other')).toContainText('Waiting for you')
      await question(page, 'other').press('Escape')
      await expect(await openServer(page, 'other')).toContainText('another sign-in was ignored')
    })
    expect(guarded.auth.at('/oauth2/token')).toEqual([])
  })
})

test('metadata that points elsewhere ends a sign-in before anybody is asked (AUTH-13, AUTH-48)', { tag: '@long' }, async ({
  shell,
  page,
  guarded,
}) => {
  for (const [what, claims] of [
    ['another.example', { resource: 'https://another.example/mcp' }],
    ['insecure.example', { authorization_servers: ['http://insecure.example'] }],
  ] as const) {
    await test.step(what, async () => {
      const server = await guarded.another()
      Object.assign(server.protection, { claims })
      await addRemote(shell, server.url, what)
      await expectServerState(page, what, 'Sign-in needed')
      await expect(await openServer(page, what)).toContainText(what)
    })
  }
  expect(guarded.auth.seen).toEqual([])
})
