import type { ThreadAnswer, ThreadAsk } from '../apart/thread-queue.ts'
import { drawFormula, type Formula } from './draw-formula.ts'
import type { MathsNode } from './maths-tree.ts'

addEventListener('message', ({ data }: MessageEvent<ThreadAsk<Formula>>) => {
  postMessage({ id: data.id, answer: drawFormula(data.ask) } satisfies ThreadAnswer<MathsNode>)
})
