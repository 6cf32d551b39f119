import { createHash } from 'node:crypto'

/** Where the page finds the frame that shows PDF files. */
export const PDF_PATH = '/pdf/index.html'

const SCRIPT = /<script type="module">([\s\S]*)<\/script>/
const STYLE = /<style>([\s\S]*?)<\/style>/

/**
 * The policy of that frame: it runs its one script and the workers that this makes, and loads nothing from anywhere. Without an origin
 * it reaches neither our page, nor its storage, nor the channel to the host, even when someone opens it outside of a frame.
 */
export function pdfPolicy(document: Uint8Array): string {
  const text = Buffer.from(document).toString()
  return [
    "default-src 'none'",
    `script-src ${hashOf(SCRIPT, text)}`,
    `style-src ${hashOf(STYLE, text)}`,
    'worker-src blob:',
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
