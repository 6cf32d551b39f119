import { serveThread } from '../apart/serve-thread.ts'
import { drawFormula } from './draw-formula.ts'

serveThread(drawFormula)
