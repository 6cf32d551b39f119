/** Elements that run, load, embed or navigate, in any namespace. */
const FORBIDDEN = 'script,link,meta,base,iframe,frame,frameset,object,embed,applet,portal,fencedframe,template'
const ADDRESSES = new Set(
  'href xlink:href src srcset imagesrcset poster data background action formaction ping manifest codebase srcdoc'.split(' '),
)

/**
 * Removes what acts from a parsed page. The frame's content policy already blocks running and loading; no policy keeps a browser
 * from looking up or connecting to the host of a link.
 */
export function makeInert(page: Document): void {
  for (const element of page.querySelectorAll(FORBIDDEN)) element.remove()
  for (const element of page.querySelectorAll('*')) {
    for (const { name, value } of [...element.attributes]) if (acts(name, value)) element.removeAttribute(name)
  }
}

function acts(name: string, value: string): boolean {
  if (/^on/i.test(name) || name === 'autofocus' || name === 'target') return true
  return ADDRESSES.has(name.toLowerCase()) && !/^(?:#|data:image\/)/i.test(value)
}
