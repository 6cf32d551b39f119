/** Elements that run, load, embed or lead elsewhere, in whatever namespace they are written. */
const NEVER = [
  'script',
  'link',
  'meta',
  'base',
  'iframe',
  'frame',
  'frameset',
  'object',
  'embed',
  'applet',
  'portal',
  'fencedframe',
  'template',
].join(',')
/** Attributes that hold addresses. */
const ADDRESSES = new Set([
  'href',
  'xlink:href',
  'src',
  'srcset',
  'imagesrcset',
  'poster',
  'data',
  'background',
  'action',
  'formaction',
  'ping',
  'manifest',
  'codebase',
  'srcdoc',
])

/**
 * Takes out of a parsed page what acts. The frame's content policy lets none of it run or load anyway; this keeps a browser from
 * looking up or calling a host for links alone, which no policy speaks of.
 */
export function makeInert(page: Document): void {
  for (const element of page.querySelectorAll(NEVER)) element.remove()
  for (const element of page.querySelectorAll('*')) {
    for (const { name, value } of [...element.attributes]) if (acts(name, value)) element.removeAttribute(name)
  }
}

function acts(name: string, value: string): boolean {
  if (/^on/i.test(name) || name === 'autofocus' || name === 'target') return true
  return ADDRESSES.has(name.toLowerCase()) && !/^(?:#|data:image\/)/i.test(value)
}
