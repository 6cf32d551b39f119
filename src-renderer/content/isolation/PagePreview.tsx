import { useState } from 'react'
import { type FrameMessage, frameSign, messageOf } from '../../frames/messages.ts'
import './isolation.css'
import { InertFrame } from './InertFrame.tsx'

/** Of a preview only the signs of life are heard. */
const read = (heard: FrameMessage, frame: unknown) => {
  const said = messageOf(frame, heard)
  return said && frameSign(said)
}

/** A page or drawing that a model wrote, as a browser would show it without scripts and without a network. */
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
      // A page's colours are its own.
      theme="light"
      content={code}
      read={read}
      onSilent={() => setSilent(true)}
    />
  )
}
