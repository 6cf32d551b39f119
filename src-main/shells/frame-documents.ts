import { createHash } from 'node:crypto'

interface FrameRules {
  /** Its own style by hash, or the inline styles of its content. */
  readonly style: 'hash' | 'inline'
  /** Further directives. */
  readonly more: readonly string[]
}

/** The frames that show foreign content, by path. */
const FRAMES: Readonly<Record<string, FrameRules>> = {
  '/pdf/index.html': { style: 'hash', more: ['worker-src blob:'] },
  // Diagrams and pages bring their own styles, which cannot load anything.
  '/diagram/index.html': { style: 'inline', more: [] },
  '/preview/index.html': { style: 'inline', more: ['img-src data:'] },
}

/** The documents that the page may embed. */
export const FRAME_PATHS: readonly string[] = Object.keys(FRAMES)

const SCRIPT = /<script type="module">([\s\S]*)<\/script>/
const STYLE = /<style>([\s\S]*?)<\/style>/

/**
 * The policy of a frame; undefined for any other path. The frame runs its one script and loads nothing. Without an origin it reaches
 * neither our page, nor its storage, nor the channel to the host, even outside of a frame.
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
