import type { Blocked } from '../../src-shared/contract/blocked.ts'
import { Disclosure } from '../ui/Disclosure.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { visibleText } from '../ui/visible-text.ts'

/** Kinds that the summary names; the list has them all. */
const IN_SUMMARY = 3

interface BlockedListProps {
  /** Declared addresses that no view may load from. */
  readonly refused: readonly string[]
  readonly blocked: readonly Blocked[]
}

/** Everything that a view was kept from, counted. It is what a hostile view is known by. */
export function BlockedList({ refused, blocked }: BlockedListProps) {
  const all = [...blocked.map(phrase), ...[...new Set(refused)].map((address) => `the address ${address}`)]
  if (all.length === 0) return null
  const more = all.length - IN_SUMMARY
  const first = visibleText(all.slice(0, IN_SUMMARY).join(', '))
  return <ListLine summary={`Blocked: ${first}${more > 0 ? ` and ${more} more` : ''}`} as="span" items={all} />
}

interface ListLineProps {
  readonly summary: string
  readonly as: 'code' | 'span'
  readonly items: readonly string[]
}

/** A line below a view, which unfolds to a list. */
export function ListLine({ summary, as, items }: ListLineProps) {
  return (
    <Disclosure summary={summary} className="app-view-addresses">
      <ul>
        {items.map((one) => (
          <li key={one}>
            <VisibleText as={as} text={one} />
          </li>
        ))}
      </ul>
    </Disclosure>
  )
}

const WORDS: Readonly<Record<Blocked['what'], readonly [once: string, often: string]>> = {
  address: ['a request to', 'requests to'],
  call: ['a call of', 'calls of'],
  resource: ['a reading of', 'readings of'],
  link: ['a link', 'links'],
  text: ['a text', 'texts'],
  size: ['a larger size', 'larger sizes'],
  message: ['a wrong message', 'wrong messages'],
  method: ['a request for', 'requests for'],
  window: ['a window', 'windows'],
  top: ['a link over the whole page', 'links over the whole page'],
  download: ['a download', 'downloads'],
  dialog: ['a dialog', 'dialogs'],
  storage: ['a use of storage', 'uses of storage'],
  worker: ['a worker', 'workers'],
  feature: ['a use of', 'uses of'],
}

/** Features by the names that Permissions Policy has for them, or the page that tells of them. */
const FEATURES: Readonly<Record<string, string>> = {
  camera: 'the camera',
  microphone: 'the microphone',
  geolocation: 'your location',
  'display-capture': 'the screen',
  'clipboard-read': 'the clipboard (reading)',
  'clipboard-write': 'the clipboard (writing)',
  notifications: 'notifications',
  fullscreen: 'the full screen',
  pointer: 'the pointer',
  files: 'your files',
}

function phrase({ what, name, times }: Blocked): string {
  const [once, often] = WORDS[what]
  const named = what === 'feature' && Object.hasOwn(FEATURES, name) ? FEATURES[name] : name
  return `${times === 1 ? once : `${times} ${often}`} ${named}`.trim()
}
