import { VisibleText } from '../../ui/VisibleText.tsx'
import { emphasise } from './emphasis.ts'

/** A value that a person decides about: paths and hosts stand out, and invisible characters are shown. */
export function EmphasisedText({ text }: { readonly text: string }) {
  let at = 0
  return (
    <bdi>
      {emphasise(text).map((span) => {
        const key = at
        at += span.text.length
        if (span.kind === 'plain') return <VisibleText key={key} text={span.text} />
        return (
          <strong key={key} className="content-emphasis">
            <VisibleText text={span.text} />
          </strong>
        )
      })}
    </bdi>
  )
}
