import { AppImageUpdater, type AppUpdater, MacUpdater, NsisUpdater } from 'electron-updater'
import { AppUpdates, type AppUpdatesOptions } from './app-updates.ts'

/** Loaded only when a feed is configured. */
export function electronUpdates(os: string, options: Omit<AppUpdatesOptions, 'updater'>): AppUpdates {
  const updater: AppUpdater = os === 'darwin' ? new MacUpdater() : os === 'win32' ? new NsisUpdater() : new AppImageUpdater()
  // The sources have no file that names the feed.
  updater.forceDevUpdateConfig = true
  return new AppUpdates({ ...options, updater })
}
