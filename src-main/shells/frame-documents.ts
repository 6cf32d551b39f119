import { createHash } from 'node:crypto'

interface FrameRules {
  /** Where its styles come from: its one style by hash, or whatever its content brings. */
  readonly style: 'hash' | 'inline'
  /** Further permissions, all of them inside the frame. */
  readonly more: readonly string[]
}

/** By path: the frames that show strangers' content. */
const FRAMES: Readonly<Record<string, FrameRules>> = {
  '/pdf/index.html': { style: 'hash', more: ['worker-src blob:'] },
  // Diagrams and pages carry their own styles, which can reach nothing that could be told anything.
  '/diagram/index.html': { style: 'inline', more: [] },
  '/preview/index.html': { style: 'inline', more: ['img-src data:'] },
}

/** The paths at which the page finds the documents that it may embed. */
export const FRAME_PATHS: readonly string[] = Object.keys(FRAMES)

const SCRIPT = /<script type="module">([\s\S]*)<\/script>/
const STYLE = /<style>([\s\S]*?)<\/style>/

/**
 * The policy of such a frame, undefined for any other path: it runs its one script, and loads nothing from anywhere. Without an origin
 * it reaches neither our page, nor its storage, nor the channel to the host, even when someone opens it outside of a frame.
 */
export function framePolicy(path: string, document: Uint8Array): string | undefined {
  const rules = Object.hasOwn(FRAMES, path) ? FRAMES[path] : undefined
  if (!rules) return undefined
  const text = Buffer.from(document).toString()
  return [
    "default-src 'none'",
    `script-src ${hashOf(SCRIPT, text)}`,
    `style-src ${rules.style === 'hash' ? hashOf(STYLE, text) : "'unsafe-inline'"}`,
    ...rules.more,
    "connect-src 'none'",
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    'sandbox allow-scripts',
  ].join('; ')
}

function hashOf(part: RegExp, document: string): string {
  const content = part.exec(document)?.[1]
  if (content === undefined) return "'none'"
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}
