import { app, type BrowserWindow, nativeImage } from 'electron'
import { waitingWords } from './tray-menu.ts'

interface BadgeLook {
  /** `process.platform`. */
  readonly os: string
  /** A small image for systems that show no number. */
  readonly dot: string
}

/** Shows the number of questions on the app's icon; on Windows as a dot, which each new window needs again. */
export function showBadge(questions: number, window: BrowserWindow | undefined, { os, dot }: BadgeLook): void {
  app.setBadgeCount(questions)
  if (os !== 'win32') return
  window?.setOverlayIcon(questions === 0 ? null : nativeImage.createFromPath(dot), waitingWords(questions))
}
