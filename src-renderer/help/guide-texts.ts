import { type GuidePage, linkedPage, pathBelowDocs } from './guide-pages.ts'

// The guide of the repository is bundled with the app, so that it can be read offline.
const TEXTS = import.meta.glob<string>(['../../docs/guide/*.md', '../../docs/consent.md', '../../docs/security.md'], {
  query: '?raw',
  import: 'default',
})
const PICTURES = import.meta.glob<string>('../../assets/screenshot-*-light.png', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** The Markdown of a page, without its heading. */
export async function guideText({ file }: GuidePage): Promise<string> {
  const text = await TEXTS[`../../docs/${file}`]?.()
  if (text === undefined) throw new Error(`There is no page ${file}`)
  return text.replace(/^# .*\n/, '')
}

/** Resolves links and pictures of a page to places within the app. */
export function placesOf(page: GuidePage) {
  return {
    link: (href: string) => {
      const to = linkedPage(page, href)
      return to && `#/help/${to.id}`
    },
    picture: (src: string) => PICTURES[`../../${pathBelowDocs(page, src)}`],
  }
}
