import mermaid from 'mermaid'
import { beginFrame, tellPage } from '../frames/frame-document.ts'
import { colours } from './colours.ts'
import './diagram.css'
import type { FromDiagramFrame } from './messages.ts'

const tell = tellPage<FromDiagramFrame>
const dark = matchMedia('(prefers-color-scheme: dark)')
let source = ''
let drawings = 0

function isDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? dark.matches : theme === 'dark'
}

async function draw(): Promise<void> {
  drawings += 1
  const drawing = drawings
  mermaid.initialize({
    startOnLoad: false,
    // Labels are text, not HTML, and nothing can be clicked.
    securityLevel: 'strict',
    suppressErrorRendering: true,
    logLevel: 'fatal',
    look: 'classic',
    theme: 'base',
    themeVariables: colours(isDark()),
    fontFamily: 'Inter, system-ui, sans-serif',
    maxTextSize: 50_000,
    maxEdges: 500,
  })
  try {
    const { svg } = await mermaid.render(`diagram-${drawing}`, source)
    if (drawing !== drawings) return
    const root = document.getElementById('root')
    if (root) root.innerHTML = svg
    tellSize()
  } catch {
    tell({ is: 'failed' })
  }
}

function tellSize(): void {
  const root = document.getElementById('root')
  // Mermaid sets `max-width` to the natural width of a drawing.
  const widest = Number.parseFloat(root?.querySelector('svg')?.style.maxWidth ?? '')
  const height = Math.ceil(root?.getBoundingClientRect().height ?? 0)
  const width = Math.ceil(Number.isFinite(widest) ? widest : (root?.clientWidth ?? 0))
  if (height > 0 && width > 0) tell({ is: 'drawn', width, height })
}

beginFrame<string>({
  open: (content) => {
    source = content
    void draw()
    dark.addEventListener('change', () => void draw())
    addEventListener('resize', tellSize)
  },
  onTheme: () => void draw(),
})
// Following a link would replace the diagram.
addEventListener('click', (event) => event.preventDefault())
