import { TextField, type TextFieldProps } from './TextField.tsx'

/** A box to search in; its label is read, and shown in it while it is empty unless a placeholder is. */
export function SearchField(props: Omit<TextFieldProps, 'type' | 'hideLabel'>) {
  return <TextField type="search" hideLabel placeholder={props.label} {...props} />
}
