import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron'

// All that the page can reach of Electron: one channel of frames, both ways, as text over one ipc channel.
// This file is bundled alone: a sandboxed preload can require nothing but Electron.
const CHANNEL = 'parley'

contextBridge.exposeInMainWorld('parleyChannel', {
  send: (frame: unknown) => ipcRenderer.send(CHANNEL, JSON.stringify(frame)),
  onFrame: (listen: (frame: unknown) => void) => {
    const hear = (_event: IpcRendererEvent, text: string) => {
      // The number of characters taken lets the host see how far behind this page is.
      ipcRenderer.send(CHANNEL, text.length)
      listen(JSON.parse(text))
    }
    ipcRenderer.on(CHANNEL, hear)
    return () => {
      ipcRenderer.removeListener(CHANNEL, hear)
    }
  },
})
