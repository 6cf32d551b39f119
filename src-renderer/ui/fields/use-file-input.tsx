import { useRef } from 'react'

interface FileInput {
  readonly label: string
  readonly accept?: string
  readonly multiple?: boolean
  readonly onFiles: (files: readonly [File, ...File[]]) => void
}

/** The system's dialog for files, which `choose` opens; `input` is part of the page, and not seen. */
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
        // The same file again is a change, too.
        event.currentTarget.value = ''
        if (file) onFiles([file, ...more])
      }}
    />
  )
  return { input, choose: () => field.current?.click() }
}
