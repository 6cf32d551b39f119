import type { MessageBoxOptions } from 'electron'
import type { ToolCallByHand } from '../../host/core/platform.ts'
import { boxName, nativeBoxes } from './native-boxes.ts'

/** Native boxes for a call by hand, which only they can allow. They show everything that is sent. */
export function callBoxes({ server, tool, args }: ToolCallByHand): readonly MessageBoxOptions[] | undefined {
  return nativeBoxes({
    message: `Run “${boxName(tool)}” on “${boxName(server)}”?`,
    intro: 'Parley will send this call',
    lines: [`Server: ${server}`, `Tool: ${tool}`, 'Arguments:', ...JSON.stringify(args, null, 2).split('\n')],
    advice: 'Only allow a call that you started yourself.',
  })
}
