import { useMemo, useRef, useState } from 'react'
import type { ResourceTemplate } from '../../src-shared/mcp/primitives.ts'
import { TemplateForm } from '../forms/TemplateForm.tsx'
import { chosenOf, resourceEntries } from '../offers/resource-entries.ts'
import { type ServerOffer, useOffers, useReadyServers } from '../offers/use-offers.ts'
import type { ChosenResource, Picker } from '../state/view-store.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'
import { AttachStep } from './AttachStep.tsx'
import { OfferSummary } from './OfferSummary.tsx'
import { ResourceChoices } from './ResourceChoices.tsx'

type Step =
  | { readonly is: 'list' }
  | { readonly is: 'template'; readonly offer: ServerOffer<ResourceTemplate> }
  | { readonly is: 'attach'; readonly chosen: ChosenResource; readonly from: Step }

const LIST: Step = { is: 'list' }

/** Chooses a resource of a server to go with the message: from a list, a tree or a template. */
export function ResourcePicker({ picker, onClose }: { readonly picker: Picker; readonly onClose: () => void }) {
  const [step, setStep] = useState<Step>(picker.resource ? { is: 'attach', chosen: picker.resource.chosen, from: LIST } : LIST)
  const search = useRef<HTMLInputElement>(null)
  const servers = useReadyServers()
  const resources = useOffers(servers, 'catalog.resources')
  const templates = useOffers(servers, 'catalog.templates')
  const entries = useMemo(() => resourceEntries(resources.offers), [resources.offers])
  const templateStep = step.is === 'attach' ? step.from : step
  return (
    <Dialog
      title="Attach a resource"
      size="wide"
      closeLabel="Close"
      onEscape={onClose}
      onOutside={onClose}
      initialFocus={search}
      corner={
        step.is === 'list' ? null : (
          <Button size="small" onClick={() => setStep(step.is === 'attach' ? step.from : LIST)}>
            Back
          </Button>
        )
      }
    >
      <div hidden={step.is !== 'list'}>
        <ResourceChoices
          search={search}
          typed={picker.resource ? '' : (picker.typed?.text.slice(1) ?? '')}
          servers={servers}
          entries={entries}
          templates={templates.offers}
          loading={resources.loading || templates.loading}
          problems={[...new Set([...resources.problems, ...templates.problems])]}
          onResource={({ server, resource }) => setStep({ is: 'attach', from: LIST, chosen: chosenOf(server, resource) })}
          onTemplate={(offer) => setStep({ is: 'template', offer })}
        />
      </div>
      {templateStep.is === 'template' ? (
        <div hidden={step.is !== 'template'}>
          <TemplateStep offer={templateStep.offer} onExpanded={(chosen) => setStep((from) => ({ is: 'attach', chosen, from }))} />
        </div>
      ) : null}
      {step.is === 'attach' ? (
        <AttachStep
          key={`${step.chosen.serverId} ${step.chosen.uri}`}
          picker={picker}
          chosen={step.chosen}
          asked={step.chosen === picker.resource?.chosen ? picker.resource.confirm : undefined}
          onAttached={onClose}
          onMore={() => setStep(LIST)}
        />
      ) : null}
    </Dialog>
  )
}

interface TemplateStepProps {
  readonly offer: ServerOffer<ResourceTemplate>
  readonly onExpanded: (chosen: ChosenResource) => void
}

/** Fills in a template; the expanded address then takes the same step as any other resource. */
function TemplateStep({ offer, onExpanded }: TemplateStepProps) {
  const { server, item } = offer
  return (
    <div className="picker column-3">
      <OfferSummary
        title={item.title || item.name}
        serverName={server.name}
        description={item.description}
        uri={<VisibleText text={item.uriTemplate} />}
      />
      <TemplateForm
        server={server}
        uriTemplate={item.uriTemplate}
        action="Use these values"
        onExpanded={(uri) => onExpanded(chosenOf(server, { ...item, uri }))}
      />
    </div>
  )
}
