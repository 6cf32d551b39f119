import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { system32 } from '../../transports/system-programs.ts'

/** `forget` removes the file that redirects the browser to the page. */
export interface OpenedBrowser {
  forget(): Promise<void>
}

/**
 * Opens `url` in the person's browser through a private file, since every user of a machine can see command lines. Resolves with
 * undefined when there is no browser.
 */
export async function openInBrowser(url: string, os: string, env: NodeJS.ProcessEnv): Promise<OpenedBrowser | undefined> {
  if (!openerFor(os, env)) return undefined
  // mkdtemp makes it 0700.
  const folder = await mkdtemp(join(tmpdir(), 'parley-'))
  const file = join(folder, 'open.html')
  await writeFile(file, redirectTo(url), { mode: 0o600 })
  const forget = () => rm(folder, { recursive: true, force: true })
  if (await openWithSystem(os === 'win32' ? file : pathToFileURL(file).href, os, env)) return { forget }
  await forget()
  return undefined
}

/** Opens a file or an address with the system; false when it cannot. */
export async function openWithSystem(target: string, os: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const opener = openerFor(os, env)
  if (!opener) return false
  const [command, ...args] = opener
  const child = spawn(command, [...args, target], { stdio: 'ignore', detached: true })
  child.unref()
  return new Promise((resolve) => {
    child.once('spawn', () => resolve(true))
    child.once('error', () => resolve(false))
  })
}

function openerFor(os: string, env: NodeJS.ProcessEnv): [string, ...string[]] | undefined {
  if (os === 'darwin') return ['open']
  if (os === 'win32') return [system32(env, 'rundll32.exe'), 'url.dll,FileProtocolHandler']
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}

function redirectTo(url: string): string {
  const safe = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${safe}"><title>Parley</title><a href="${safe}">Open Parley</a>\n`
}
