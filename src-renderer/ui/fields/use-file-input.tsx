import { useRef } from 'react'

interface FileInput {
  readonly label: string
  readonly accept?: string
  readonly multiple?: boolean
  readonly onFiles: (files: readonly [File, ...File[]]) => void
}

/** `choose` opens the file dialog of the system; `input` is hidden but must be rendered. */
export function useFileInput({ label, onFiles, ...rest }: FileInput) {
  const field = useRef<HTMLInputElement>(null)
  const input = (
    <input
      {...rest}
      ref={field}
      type="file"
      hidden
      aria-label={label}
      onChange={(event) => {
        const [file, ...more] = event.currentTarget.files ?? []
        // Choosing the same file again must be a change.
        event.currentTarget.value = ''
        if (file) onFiles([file, ...more])
      }}
    />
  )
  return { input, choose: () => field.current?.click() }
}
