import { join } from 'node:path'
import { launchChromium } from './chromium.ts'
import { startWebProcess } from './web-process.ts'

/** The environment of a person whose other apps keep their configurations in this home folder, and nowhere else. */
export const atHome = (home: string) => ({
  HOME: home,
  XDG_CONFIG_HOME: join(home, '.config'),
  CODEX_HOME: '',
  CLAUDE_CONFIG_DIR: '',
})

/** The built web shell of such a person, and an empty page of 1280 × 820 pixels; `close` ends both. */
export async function openAtHome(data: string, home: string) {
  const shell = await startWebProcess(data, atHome(home))
  const browser = await launchChromium()
  const page = await browser.newPage({ viewport: { width: 1280, height: 820 }, reducedMotion: 'reduce' })
  const close = async () => {
    await browser.close()
    await shell.quit()
  }
  return { link: shell.link, page, close }
}
