import type { Page } from 'playwright'

/** Notes unexpected actions of a page: dialogs, windows, downloads, and requests for which `isOwn` is false. */
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
