import { parseJson } from '../../../src-shared/base/parse-json.ts'
import type { ConsentCall } from '../../../src-shared/contract/consent.ts'
import { DiffView } from '../../content/viewers/DiffView.tsx'

/** Longer definitions are cut before they are compared. */
const DIFF_CHARS = 60_000

function pretty(json: string): string {
  try {
    return JSON.stringify(parseJson(json), null, 2).slice(0, DIFF_CHARS)
  } catch {
    return json.slice(0, DIFF_CHARS)
  }
}

/** The tool before and now, when it is not what a rule was made for. */
export function ToolChange({ changed }: { readonly changed: ConsentCall['changed'] | undefined }) {
  if (!changed) return null
  return (
    <div className="question-changed column-1">
      <strong>The tool changed since you made a rule for it.</strong>
      {changed.before === undefined ? <p>Its earlier definition is not known. Now:</p> : <p>Before (−) and now (+):</p>}
      <DiffView before={pretty(changed.before ?? changed.now)} now={pretty(changed.now)} />
    </div>
  )
}
