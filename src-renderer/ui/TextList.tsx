import { VisibleText } from './VisibleText.tsx'

/** Sentences from outside, each with a bullet. Nothing is shown without one. */
export function TextList({ texts, code = false }: { readonly texts: readonly string[]; readonly code?: boolean }) {
  if (texts.length === 0) return null
  return (
    <ul className="bullets">
      {texts.map((text) => (
        <li key={text}>
          <VisibleText as={code ? 'code' : 'span'} text={text} />
        </li>
      ))}
    </ul>
  )
}
