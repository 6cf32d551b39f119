import { beginFrame } from '../frames/frame-document.ts'
import { makeInert } from './make-inert.ts'
import './preview.css'

// The document of the frame that shows a page that a model wrote.

beginFrame<string>({
  open: (content) => {
    // Nothing runs and nothing loads while this is read: it has no window.
    const written = new DOMParser().parseFromString(content, 'text/html')
    makeInert(written)
    document.documentElement.replaceWith(document.adoptNode(written.documentElement))
  },
})
addEventListener('click', (event) => {
  // A link would take the preview's place; one that stays in the page may be followed.
  const link = event.target instanceof Element ? event.target.closest('a, area') : undefined
  if (link && !link.getAttribute('href')?.startsWith('#')) event.preventDefault()
})
