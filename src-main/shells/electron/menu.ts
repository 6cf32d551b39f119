import { Menu, type MenuItemConstructorOptions } from 'electron'

/**
 * The native menu: editing needs it on macOS, zooming everywhere. The page has its own keys (K, N, comma, Shift I, F, period with
 * Ctrl or Cmd), so the developer tools sit on F12.
 */
export function installMenu(os: string): void {
  const mac = os === 'darwin'
  const template: MenuItemConstructorOptions[] = [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    { label: 'File', submenu: [{ role: mac ? 'close' : 'quit' }] },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        { type: 'separator' },
        { role: 'reload' },
        { role: 'toggleDevTools', accelerator: 'F12' },
      ],
    },
    { role: 'windowMenu' },
  ]
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
}
