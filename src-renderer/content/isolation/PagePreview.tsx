import { useState } from 'react'
import { type FrameMessage, frameSign, messageOf } from '../../frames/messages.ts'
import './isolation.css'
import { InertFrame } from './InertFrame.tsx'

/** A preview sends nothing but the messages of all frames. */
const read = (heard: FrameMessage, frame: unknown) => {
  const said = messageOf(frame, heard)
  return said && frameSign(said)
}

/** Shows a page or SVG of a model without scripts and without network. */
export function PagePreview({ code }: { readonly code: string }) {
  const [silent, setSilent] = useState(false)
  if (silent)
    return (
      <p className="content-placeholder" role="alert">
        The preview was closed because it was too slow.
      </p>
    )
  return (
    <InertFrame
      path="preview/index.html"
      className="isolated-frame isolated-preview"
      title="Preview of code written by the model"
      // Pages bring their own colours.
      theme="light"
      content={code}
      read={read}
      onSilent={() => setSilent(true)}
    />
  )
}
