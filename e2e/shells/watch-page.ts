import type { Page } from 'playwright'

/** Notes whatever a page does that nobody asked of it: dialogs, windows, downloads, and requests that `isOwn` does not take. */
export function watchPage(page: Page, isOwn: (url: URL) => boolean): string[] {
  const seen: string[] = []
  page.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => seen.push(`window ${popup.url()}`))
  page.on('download', (download) => seen.push(`download ${download.url()}`))
  page.on('request', (request) => {
    if (!isOwn(new URL(request.url()))) seen.push(`request ${request.url()}`)
  })
  return seen
}
