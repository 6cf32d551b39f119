import { TextField, type TextFieldProps } from './TextField.tsx'

/** A search field whose label is its placeholder unless another is set. */
export function SearchField(props: Omit<TextFieldProps, 'type' | 'hideLabel'>) {
  return <TextField type="search" hideLabel placeholder={props.label} {...props} />
}
