import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron'

// The page's only access to Electron: frames as text over one ipc channel, both ways.
// Bundled as one file, since a sandboxed preload can require nothing but Electron.
const CHANNEL = 'parley'

contextBridge.exposeInMainWorld('parleyChannel', {
  send: (text: string) => ipcRenderer.send(CHANNEL, text),
  // As text: objects would be copied member by member into the page, and only to a limited depth.
  onFrame: (listen: (text: string) => void) => {
    const hear = (_event: IpcRendererEvent, text: string) => {
      // Acknowledged by length, so that the host knows how far behind the page is.
      ipcRenderer.send(CHANNEL, text.length)
      listen(text)
    }
    ipcRenderer.on(CHANNEL, hear)
    return () => {
      ipcRenderer.removeListener(CHANNEL, hear)
    }
  },
})
