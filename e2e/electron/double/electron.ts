import { modelled } from './modelled.ts'
import { protocol as bareProtocol } from './scheme.ts'

// The module that the built main.js gets as 'electron': what the app uses of Electron, over a page in the system's Chromium.
// An export that is missing here fails at link time, a property at its first use.
export { app } from './app.ts'
export { BrowserWindow } from './browser-window.ts'
export { ipcMain } from './ipc-main.ts'
export { clipboard, Menu, nativeImage, Tray } from './menus.ts'
export { dialog, nativeTheme, safeStorage, screen, session, shell } from './native.ts'
export { autoUpdater, net } from './net.ts'
export { Notification, powerMonitor } from './notifications.ts'
export const protocol = modelled('protocol', bareProtocol)
