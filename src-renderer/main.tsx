// First, so that what says more of an element than that it is a button or a column wins.
import './ui/theme.css'
import './ui/ui.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { systemClock } from '../src-shared/base/clock.ts'
import { App } from './App.tsx'
import { leaveKeysToComposing } from './composing.ts'
import { findConnector } from './host/find-connector.ts'
import { HostLink } from './host/host-link.ts'
import { nextFrame } from './host/next-frame.ts'
import { attachLink } from './state/ask.ts'
import { hostSink } from './state/host-store.ts'
import { followAddress } from './state/view-store.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

leaveKeysToComposing(window)
const link = new HostLink(
  {
    ...hostSink,
    // Only the desktop shell has any.
    order: (order) => void import('./window-orders.ts').then(({ handleWindowOrder }) => handleWindowOrder(order)),
  },
  nextFrame(systemClock),
)
attachLink(link)
// Takes the one-time token out of the address before the address is read as a route.
link.connect(findConnector(window, systemClock))
followAddress(window)

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
