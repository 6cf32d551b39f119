import { SIGNING_ALGORITHMS, type SigningAlgorithm } from '../../../src-shared/base/signing-algorithms.ts'
import { MAX_KEY_LENGTH } from '../../../src-shared/contract/authorization.ts'
import { draftFields } from '../../forms/draft-fields.ts'
import { useSecretPlace } from '../../forms/use-secret-place.ts'
import { Button } from '../../ui/Button.tsx'
import { RadioGroup } from '../../ui/fields/RadioGroup.tsx'
import { SecretField } from '../../ui/fields/SecretField.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { TextArea } from '../../ui/fields/TextArea.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { useFileInput } from '../../ui/fields/use-file-input.tsx'
import type { DraftField } from './server-draft.ts'
import type { SignInDraft } from './sign-in-draft.ts'

interface SignInFieldsProps {
  readonly draft: SignInDraft
  readonly onChange: (draft: SignInDraft) => void
  readonly errors: ReadonlyMap<DraftField, string>
}

const AUTOMATIC = 'automatic'
const ALGORITHMS: readonly { readonly value: SigningAlgorithm | typeof AUTOMATIC; readonly label: string }[] = [
  { value: AUTOMATIC, label: 'Automatic' },
  ...SIGNING_ALGORITHMS.map((value) => ({ value, label: value })),
]

/** The sign-in to a remote server: by a person in the browser, or as a registered client (XAUTH-4). */
export function SignInFields({ draft, onChange, errors }: SignInFieldsProps) {
  const place = useSecretPlace()
  const change = (part: Partial<SignInDraft>) => onChange({ ...draft, ...part })
  const field = draftFields(draft, change, Object.fromEntries(errors))
  const { by, proof, saved } = draft
  return (
    <>
      <RadioGroup
        label="Sign-in"
        options={[
          { value: 'browser', label: 'Automatic', hint: 'In your browser, if required' },
          { value: 'client', label: 'Client credentials', hint: 'Parley signs in by itself, without a browser' },
        ]}
        {...field('by')}
      />
      {by === 'browser' ? null : (
        <div className="ruled column-4">
          <TextField code required label="Client ID" autoCapitalize="off" {...field('clientId')} />
          <RadioGroup
            label="Proof"
            options={[
              { value: 'secret', label: 'Client secret' },
              { value: 'key', label: 'Private key', hint: 'Proves the client’s identity and is never sent' },
            ]}
            {...field('proof')}
          />
          {proof === 'secret' ? (
            <SecretField
              required={saved !== 'secret'}
              label="Client secret"
              hint={`Stored ${place}.`}
              placeholder={saved === 'secret' ? 'Saved; type to replace' : undefined}
              {...field('secret')}
              problem={errors.get('clientSecret')}
            />
          ) : (
            <KeyFields draft={draft} place={place} problem={errors.get('clientKey')} onChange={change} />
          )}
          <TextField
            code
            label="Scopes"
            hint="Separated by spaces. Empty: what the server requests."
            autoCapitalize="off"
            {...field('scopes')}
          />
          <TextField
            code
            label="Issuer"
            hint="The authorization server it belongs to. Empty: the first one the server names."
            inputMode="url"
            {...field('issuer')}
          />
        </div>
      )}
    </>
  )
}

interface KeyFieldsProps {
  readonly draft: SignInDraft
  readonly place: string
  readonly problem: string | undefined
  readonly onChange: (part: Partial<SignInDraft>) => void
}

function KeyFields({ draft, place, problem, onChange }: KeyFieldsProps) {
  const file = useFileInput({
    label: 'File of the private key',
    accept: '.pem,.key',
    onFiles: ([chosen]) =>
      void chosen
        .slice(0, MAX_KEY_LENGTH)
        .text()
        .then((key) => onChange({ key })),
  })
  const field = draftFields(draft, onChange)
  const saved = draft.saved === 'key'
  return (
    <>
      <TextArea
        code
        required={!saved}
        rows={4}
        label="Private key (PEM)"
        hint={saved ? 'Saved; paste another to replace it.' : `Stored ${place}.`}
        {...field('key')}
        problem={problem}
      />
      <div>
        <Button size="small" onClick={file.choose}>
          Choose file …
        </Button>
        {file.input}
      </div>
      <Select
        label="Algorithm"
        hint="Automatic: one that both sides support."
        options={ALGORITHMS}
        value={draft.algorithm === '' ? AUTOMATIC : draft.algorithm}
        onChange={(algorithm) => onChange({ algorithm: algorithm === AUTOMATIC ? '' : algorithm })}
      />
    </>
  )
}
