import mermaid from 'mermaid'
import { beginFrame, tellPage } from '../frames/frame-document.ts'
import './diagram.css'
import type { FromDiagramFrame } from './messages.ts'

// The document of the frame that draws a diagram.

/** The page's colours, which Mermaid derives its own from. */
const LIGHT = {
  darkMode: false,
  background: '#ffffff',
  primaryColor: '#eeeefc',
  primaryTextColor: '#1b1c20',
  primaryBorderColor: '#868994',
  secondaryColor: '#f6f6f8',
  tertiaryColor: '#f6f6f8',
  lineColor: '#4b4e57',
  textColor: '#1b1c20',
  edgeLabelBackground: '#ffffff',
  fontSize: '14px',
}
const DARK = {
  darkMode: true,
  background: '#17181b',
  primaryColor: '#25264a',
  primaryTextColor: '#ededf0',
  primaryBorderColor: '#74777f',
  secondaryColor: '#1d1e22',
  tertiaryColor: '#1d1e22',
  lineColor: '#b9bcc5',
  textColor: '#ededf0',
  edgeLabelBackground: '#17181b',
  fontSize: '14px',
}

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
    // Words are text and nothing of it is HTML; nothing can be clicked.
    securityLevel: 'strict',
    suppressErrorRendering: true,
    logLevel: 'fatal',
    look: 'classic',
    theme: 'base',
    themeVariables: isDark() ? DARK : LIGHT,
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
  // Mermaid writes as its widest what it would be at its own size.
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
// A link of a diagram would take the diagram's place.
addEventListener('click', (event) => event.preventDefault())
