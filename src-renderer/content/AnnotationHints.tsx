import type { Annotations } from '../../src-shared/mcp/content.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'

/** Shows a server's annotations as what they are: unverified hints. */
export function AnnotationHints({ annotations }: { readonly annotations: Annotations | undefined }) {
  if (!annotations) return null
  const { audience, priority, lastModified } = annotations
  const changed = lastModified === undefined ? Number.NaN : Date.parse(lastModified)
  const forWhom = audienceLabel(audience)
  if (forWhom === undefined && priority === undefined && Number.isNaN(changed)) return null
  return (
    <span className="meta content-hints line" title="Server’s annotations (not verified)">
      {forWhom === undefined ? null : <span>{forWhom}</span>}
      {priority === undefined ? null : <span>priority {Math.round(priority * 100)} %</span>}
      {Number.isNaN(changed) ? null : (
        <span>
          changed <RelativeTime at={changed} />
        </span>
      )}
    </span>
  )
}

/** "for you", "for the model", "for you and the model"; undefined when the server did not say. */
export function audienceLabel(audience: Annotations['audience']): string | undefined {
  if (!audience || audience.length === 0) return undefined
  const you = audience.includes('user')
  const model = audience.includes('assistant')
  return you && model ? 'for you and the model' : you ? 'for you' : 'for the model'
}
