/** What `app` needs to know of a window. */
export interface OpenWindow {
  closeForGood(): Promise<void>
}

export const openWindows = new Set<OpenWindow>()
