import { createContext, useContext } from 'react'
import type { BlobRef } from '../../../src-shared/contract/blobs.ts'

/** What showing content needs of the window. */
export interface ContentPowers {
  /** A part of a long text; `next` is the offset to go on from. */
  readText(blob: string, offset: number): Promise<{ text: string; next?: number }>
  /** A link that an image or audio element can load. */
  linkBlob(blob: BlobRef): Promise<{ url: string }>
  /** Opens an address outside, after the person agreed. */
  openLink(url: string): void
}

const missing = () => Promise.reject(new Error('no content powers'))

export const ContentPowersContext = createContext<ContentPowers>({ readText: missing, linkBlob: missing, openLink: () => {} })

export const useContentPowers = () => useContext(ContentPowersContext)
