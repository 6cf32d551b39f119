import { AppImageUpdater, type AppUpdater, MacUpdater, NsisUpdater } from 'electron-updater'
import { AppUpdates, type AppUpdatesOptions } from './app-updates.ts'

/** Updates of the app that runs. Loaded only where a feed is configured. */
export function electronUpdates(os: string, options: Omit<AppUpdatesOptions, 'updater'>): AppUpdates {
  const updater: AppUpdater = os === 'darwin' ? new MacUpdater() : os === 'win32' ? new NsisUpdater() : new AppImageUpdater()
  // The sources name their feed themselves, and have no file that does.
  updater.forceDevUpdateConfig = true
  return new AppUpdates({ ...options, updater })
}
