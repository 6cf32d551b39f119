import { VisibleText } from '../../ui/VisibleText.tsx'
import { emphasise } from './emphasis.ts'

/** A value that someone decides about: paths and hosts stand out, nothing in it is invisible. */
export function EmphasisedText({ text }: { readonly text: string }) {
  let at = 0
  return (
    <bdi>
      {emphasise(text).map((stretch) => {
        const key = at
        at += stretch.text.length
        if (stretch.kind === 'plain') return <VisibleText key={key} text={stretch.text} />
        return (
          <strong key={key} className="content-emphasis">
            <VisibleText text={stretch.text} />
          </strong>
        )
      })}
    </bdi>
  )
}
