import type { MessageBoxOptions } from 'electron'
import type { ToolCallByHand } from '../../host/core/platform.ts'
import { boxName, nativeBoxes } from './native-boxes.ts'

/** The boxes that alone can allow a call by hand in the desktop app, with everything that is sent on them. */
export function callBoxes({ server, tool, args }: ToolCallByHand): readonly MessageBoxOptions[] | undefined {
  return nativeBoxes({
    message: `Run “${boxName(tool)}” on “${boxName(server)}”?`,
    intro: 'Parley will send this call',
    lines: [`Server: ${server}`, `Tool: ${tool}`, 'Arguments:', ...JSON.stringify(args, null, 2).split('\n')],
    advice: 'Only allow a call that you have asked for yourself.',
  })
}
