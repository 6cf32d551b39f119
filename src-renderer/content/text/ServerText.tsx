import { VisibleText } from '../../ui/VisibleText.tsx'
import './content.css'

interface ServerTextProps {
  /** The accessible name: "What the server says". */
  readonly label: string
  readonly text: string
}

/** Text of a server or program in its own frame and typeface: no markup, no links, nothing invisible. */
export function ServerText({ label, text }: ServerTextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls and must be reachable by keyboard
    <section className="server-text from-server" aria-label={label} tabIndex={0}>
      <VisibleText text={text} />
    </section>
  )
}
