import { create } from 'zustand'

/** Whether this window searches its screen. */
export const useFind = create<{ readonly opened: number }>(() => ({ opened: 0 }))

/** Opens the search, or takes the focus back to it: 0 is closed, and each opening has its own number. */
export function openFind(): void {
  useFind.setState(({ opened }) => ({ opened: opened + 1 }))
}

export function closeFind(): void {
  useFind.setState({ opened: 0 })
}
