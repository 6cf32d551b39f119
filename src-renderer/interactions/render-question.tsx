import type { ComponentType, FunctionComponent, ReactNode } from 'react'
import type { Interaction, InteractionKind } from '../../src-shared/contract/interactions.ts'
import { onDemand } from '../ui/on-demand.tsx'
import type { QuestionProps } from './frame/use-question.tsx'

type Registry = { readonly [K in InteractionKind]: FunctionComponent<QuestionProps<K>> }

// It brings the engine that checks a server's patterns, which is as large as all the other kinds together.
const ElicitationFormDialog = onDemand<QuestionProps<'elicitation-form'>>(() =>
  import('./ElicitationFormDialog.tsx').then((module) => module.ElicitationFormDialog),
)

// The page shows what was said before anybody is asked about a call; its code comes as soon as the page is idle.
const ToolConsentDialog = onDemand<QuestionProps<'tool-consent'>>(() =>
  import('./ToolConsentDialog.tsx').then((module) => module.ToolConsentDialog),
)

// Rare, so their code comes with the first of each kind.
const ServerTrustDialog = onDemand<QuestionProps<'server-trust'>>(() =>
  import('./ServerTrustDialog.tsx').then((module) => module.ServerTrustDialog),
)
const ServersTrustDialog = onDemand<QuestionProps<'servers-trust'>>(() =>
  import('./ServerTrustDialog.tsx').then((module) => module.ServersTrustDialog),
)
const ToolResultDialog = onDemand<QuestionProps<'tool-result'>>(() =>
  import('./ToolResultDialog.tsx').then((module) => module.ToolResultDialog),
)
const SamplingReviewDialog = onDemand<QuestionProps<'sampling-request'>>(() =>
  import('./sampling/SamplingReviewDialog.tsx').then((module) => module.SamplingReviewDialog),
)
const SamplingReplyDialog = onDemand<QuestionProps<'sampling-result'>>(() =>
  import('./sampling/SamplingReplyDialog.tsx').then((module) => module.SamplingReplyDialog),
)
const RootsDialog = onDemand<QuestionProps<'roots-request'>>(() =>
  import('./RootsDialog.tsx').then((module) => module.RootsDialog),
)
const AuthorizationDialog = onDemand<QuestionProps<'authorization'>>(() =>
  import('./AuthorizationDialog.tsx').then((module) => module.AuthorizationDialog),
)
const CallAgainDialog = onDemand<QuestionProps<'call-again'>>(() =>
  import('./CallAgainDialog.tsx').then((module) => module.CallAgainDialog),
)
const ElicitationUrlDialog = onDemand<QuestionProps<'elicitation-url'>>(() =>
  import('./ElicitationUrlDialog.tsx').then((module) => module.ElicitationUrlDialog),
)
const ClientRegistrationDialog = onDemand<QuestionProps<'client-registration'>>(() =>
  import('./ClientRegistrationDialog.tsx').then((module) => module.ClientRegistrationDialog),
)

/** How each kind of question is asked. */
const KINDS: Registry = {
  'server-trust': ServerTrustDialog,
  'servers-trust': ServersTrustDialog,
  'tool-consent': ToolConsentDialog,
  'tool-result': ToolResultDialog,
  'sampling-request': SamplingReviewDialog,
  'sampling-result': SamplingReplyDialog,
  'elicitation-form': ElicitationFormDialog,
  'elicitation-url': ElicitationUrlDialog,
  'call-again': CallAgainDialog,
  'roots-request': RootsDialog,
  authorization: AuthorizationDialog,
  'client-registration': ClientRegistrationDialog,
}

/** The dialog of a question, whatever its kind. */
export function renderQuestion(interaction: Interaction, modal: boolean): ReactNode {
  // The registry pairs every kind with a component of that kind; the compiler cannot follow a union through an index.
  const Question = KINDS[interaction.kind] as ComponentType<{ interaction: Interaction; modal: boolean }>
  return <Question key={interaction.id} interaction={interaction} modal={modal} />
}
