/** The part of a window that `app` needs. */
export interface OpenWindow {
  closeForGood(): Promise<void>
}

export const openWindows = new Set<OpenWindow>()
