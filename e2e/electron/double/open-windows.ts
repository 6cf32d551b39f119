/** The part of a window that `app` needs. */
export interface OpenWindow {
  close(): Promise<boolean>
}

export const openWindows = new Set<OpenWindow>()
