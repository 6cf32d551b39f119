import { Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron'
import type { Clock } from '../../../../src-shared/base/clock.ts'
import type { Host } from '../../../host/host.ts'
import { type TrayAct, type TrayItem, trayMenu } from './tray-menu.ts'

/** Milliseconds between two updates, since a menu that changes under the pointer is unusable. */
const UPDATE_INTERVAL = 300

/** Shows the state of the host in the tray. Returns the undo. */
export function openTray(icon: string, host: Host, clock: Clock, act: (act: TrayAct) => void): () => void {
  const tray = new Tray(nativeImage.createFromPath(icon))
  // A click opens the menu on a Mac.
  if (process.platform !== 'darwin') tray.on('click', () => act({ is: 'show' }))
  let shown = ''
  let cancel: (() => void) | undefined
  const update = () => {
    cancel = undefined
    const menu = trayMenu(host.state.snapshot)
    const text = JSON.stringify(menu)
    if (text === shown) return
    shown = text
    tray.setToolTip(menu.tooltip)
    tray.setContextMenu(Menu.buildFromTemplate(menu.items.map((item) => template(item, act))))
  }
  update()
  const stop = host.state.onEvent(() => {
    cancel ??= clock.after(UPDATE_INTERVAL, update)
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
