import { serveThread } from '../isolation/serve-thread.ts'
import { drawFormula } from './draw-formula.ts'

serveThread(drawFormula)
