import type { TextareaHTMLAttributes } from 'react'
import { FieldFrame, type FieldProps } from './FieldFrame.tsx'

interface TextAreaProps extends FieldProps, Pick<TextareaHTMLAttributes<HTMLTextAreaElement>, 'rows' | 'dir'> {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly code?: boolean
}

export function TextArea({ rows, dir, value, onChange, code, ...frame }: TextAreaProps) {
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <textarea
          {...control}
          rows={rows}
          dir={dir}
          spellCheck={!code}
          className={code ? 'ui-input code' : 'ui-input'}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </FieldFrame>
  )
}
