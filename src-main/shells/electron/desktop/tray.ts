import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron'
import type { Clock } from '../../../../src-shared/base/clock.ts'
import type { Host } from '../../../host/host.ts'
import { type TrayAct, type TrayItem, trayMenu } from './tray-menu.ts'

/** Milliseconds between two looks: a menu that is rebuilt under the pointer is of no use. */
const LOOK_EVERY = 300

/** Shows in the tray what the host is at, and does what is clicked there. Returns the undo. */
export function openTray(icon: string, host: Host, clock: Clock, act: (act: TrayAct) => void): () => void {
  const tray = new Tray(nativeImage.createFromPath(icon))
  // A click opens the menu on a Mac.
  if (process.platform !== 'darwin') tray.on('click', () => act({ is: 'show' }))
  let shown = ''
  let cancel: (() => void) | undefined
  const look = () => {
    cancel = undefined
    const menu = trayMenu(host.state.snapshot)
    const text = JSON.stringify(menu)
    if (text === shown) return
    shown = text
    tray.setToolTip(menu.tooltip)
    tray.setContextMenu(Menu.buildFromTemplate(menu.items.map((item) => template(item, act))))
  }
  look()
  const stop = host.state.onEvent(() => {
    cancel ??= clock.after(LOOK_EVERY, look)
  })
  return () => {
    stop()
    cancel?.()
    tray.destroy()
  }
}

function template(item: TrayItem, act: (act: TrayAct) => void): MenuItemConstructorOptions {
  if (item === 'line') return { type: 'separator' }
  const { label } = item
  if ('items' in item) return { label, submenu: item.items.map((one) => template(one, act)) }
  return 'act' in item ? { label, click: () => act(item.act) } : { label, enabled: false }
}
