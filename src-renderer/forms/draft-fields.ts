/** Connects fields with the members of a draft: `<TextField label="Name" {...field('name')} />`. */
export function draftFields<D extends object>(
  draft: D,
  onChange: (part: Partial<D>) => void,
  problems?: Readonly<Partial<Record<keyof D, string>>>,
) {
  return <K extends keyof D>(name: K) => ({
    value: draft[name],
    problem: problems?.[name],
    onChange: (value: D[K]) => onChange({ [name]: value } as unknown as Partial<D>), // the type of a computed key is lost
  })
}
