export interface GuidePage {
  /** In the address: `#/help/consent`. */
  readonly id: string
  readonly title: string
  /** Below `docs`. */
  readonly file: string
}

const page = (id: string, title: string, file = `guide/${id}.md`): GuidePage => ({ id, title, file })

/** The user guide in the order of reading; its contents come first. */
export const GUIDE: readonly GuidePage[] = [
  page('contents', 'User guide', 'guide/README.md'),
  page('first-server', 'A first server'),
  page('moving', 'Moving from another app'),
  page('first-model', 'A first model'),
  page('skills', 'Skills'),
  page('schedules', 'Schedules'),
  page('views', 'Views'),
  page('consent', 'Allowing tool calls'),
  page('sampling', 'When a server asks your model'),
  page('forms', 'When a server asks you'),
  page('folders', 'Folders'),
  page('fence', 'Fence a server'),
  page('sign-in', 'Signing in to a server'),
  page('when-something-fails', 'When something fails'),
  page('privacy', 'Privacy'),
  page('every-day', 'Shortcuts and habits'),
  page('how-parley-decides', 'How Parley decides about a tool call', 'consent.md'),
  page('security', 'Security limits', 'security.md'),
]

export const CONTENTS = GUIDE[0] as GuidePage

/** The last page of the guide, generated when it opens. */
export const REPORT = { id: 'report', title: 'Report a problem' } as const

/** The page with this id; without one, the contents. */
export function guidePage(id: string | undefined): GuidePage | undefined {
  return id === undefined ? CONTENTS : GUIDE.find((one) => one.id === id)
}

/** A relative link of a page as a path below `docs`; undefined for an address elsewhere. */
export function pathBelowDocs(from: GuidePage, link: string): string | undefined {
  if (/^[a-z][a-z+.-]*:|^[/#]/i.test(link)) return undefined
  const { pathname } = new URL(link, `file:///docs/${from.file}`)
  return pathname.replace(/^\/(?:docs\/)?/, '')
}

/** The page of the guide that a link on another one leads to, if any. */
export function linkedPage(from: GuidePage, link: string): GuidePage | undefined {
  const path = pathBelowDocs(from, link)
  return GUIDE.find(({ file }) => file === path)
}
