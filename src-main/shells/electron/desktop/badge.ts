import { app, type BrowserWindow, nativeImage } from 'electron'
import { waitingWords } from './tray-menu.ts'

interface BadgeLook {
  /** `process.platform`. */
  readonly os: string
  /** A small picture, for where the system draws no number. */
  readonly dot: string
}

/** How many questions wait, on the app's icon: a number, or on Windows a dot over the window's button. A new window has none yet. */
export function showBadge(questions: number, window: BrowserWindow | undefined, { os, dot }: BadgeLook): void {
  app.setBadgeCount(questions)
  if (os !== 'win32') return
  window?.setOverlayIcon(questions === 0 ? null : nativeImage.createFromPath(dot), waitingWords(questions))
}
