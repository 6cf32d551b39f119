import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron'

// All that the page can reach of Electron: one channel of frames, both ways, as text over one ipc channel.
// This file is bundled alone: a sandboxed preload can require nothing but Electron.
const CHANNEL = 'parley'

contextBridge.exposeInMainWorld('parleyChannel', {
  send: (text: string) => ipcRenderer.send(CHANNEL, text),
  // As text: objects would be copied member by member on their way into the page, and not at all beyond a depth.
  onFrame: (listen: (text: string) => void) => {
    const hear = (_event: IpcRendererEvent, text: string) => {
      // The number of characters taken lets the host see how far behind this page is.
      ipcRenderer.send(CHANNEL, text.length)
      listen(text)
    }
    ipcRenderer.on(CHANNEL, hear)
    return () => {
      ipcRenderer.removeListener(CHANNEL, hear)
    }
  },
})
