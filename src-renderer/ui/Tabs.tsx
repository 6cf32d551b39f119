import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

export interface Tab<T extends string> {
  readonly id: T
  readonly label: string
  /** Screen readers read it as the description. */
  readonly count?: number
}

interface TabsProps<T extends string> {
  readonly label: string
  readonly tabs: readonly Tab<T>[]
  readonly active: T
  readonly onChange: (id: T) => void
  readonly children: ReactNode
}

/** Tabs with roving focus: one Tab stop, arrow keys, Home and End. */
export function Tabs<T extends string>({ label, tabs, active, onChange, children }: TabsProps<T>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.id === active)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    const tab = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length]
    if (!tab) return
    event.preventDefault()
    onChange(tab.id)
    list.current?.querySelectorAll<HTMLButtonElement>('[role=tab]')[tabs.indexOf(tab)]?.focus()
  }
  return (
    <>
      <div className="ui-tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            className="ui-tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === active}
            aria-controls={tab.id === active ? `${id}-panel` : undefined}
            aria-description={tab.count === undefined ? undefined : String(tab.count)}
            tabIndex={tab.id === active ? 0 : -1}
            onClick={() => onChange(tab.id)}
          >
            {tab.label}
            {tab.count === undefined ? null : (
              <span className="ui-tab-count" aria-hidden>
                {tab.count}
              </span>
            )}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${active}`} className="ui-tab-panel">
        {children}
      </div>
    </>
  )
}
