import { VisibleText } from '../../ui/VisibleText.tsx'

export interface ForeignTextProps {
  /** Names the frame for screen readers. */
  readonly label: string
  readonly text: string
}

/** Words of a server or program in a frame and a face of their own, inert, with nothing hidden in them. */
export function ForeignText({ label, text }: ForeignTextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling text must be reachable by keyboard
    <section className="foreign" aria-label={label} tabIndex={0}>
      <VisibleText text={text} />
    </section>
  )
}
