import { beginFrame } from '../frames/frame-document.ts'
import { makeInert } from './make-inert.ts'
import './preview.css'

beginFrame<string>({
  open: (content) => {
    // A parsed document has no window: it runs and loads nothing.
    const written = new DOMParser().parseFromString(content, 'text/html')
    makeInert(written)
    document.documentElement.replaceWith(document.adoptNode(written.documentElement))
  },
})
addEventListener('click', (event) => {
  // Following a link would replace the preview; only links within the page work.
  const link = event.target instanceof Element ? event.target.closest('a, area') : undefined
  if (link && !link.getAttribute('href')?.startsWith('#')) event.preventDefault()
})
