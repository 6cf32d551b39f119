import type { ConsentCall } from '../../../src-shared/contract/consent.ts'
import type { ToolCallId } from '../../../src-shared/contract/ids.ts'
import { ArgumentsTable, ArgumentValue } from '../../content/ArgumentsTable.tsx'
import { EmphasisedText } from '../../content/text/EmphasisedText.tsx'
import { Checkbox } from '../../ui/fields/Checkbox.tsx'
import { CallName } from './CallName.tsx'
import type { CallTable } from './call-table.ts'

interface CallRowsProps {
  readonly table: CallTable
  readonly calls: readonly ConsentCall[]
  readonly unticked: readonly ToolCallId[]
  readonly onTick: (call: ToolCallId, ticked: boolean) => void
}

/** Calls of one tool, one per row. Shared arguments stand above the rows, so that a call that differs stands out. */
export function CallRows({ table: { same, columns, rows }, calls, unticked, onTick }: CallRowsProps) {
  return (
    <>
      {Object.keys(same).length > 0 ? (
        <>
          <p className="meta">The same in {calls.length === 2 ? 'both' : `all ${calls.length}`} calls</p>
          <ArgumentsTable open json={{ json: JSON.stringify(same) }} order={Object.keys(same)} />
        </>
      ) : null}
      <table className="content-table consent-rows small">
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">Call</span>
            </th>
            {columns.map((name) => (
              <th scope="col" key={name}>
                <EmphasisedText text={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {calls.map((call, at) => (
            <tr key={call.toolCallId}>
              <td>
                <Checkbox
                  label={<CallName call={call} unseen="all" />}
                  checked={!unticked.includes(call.toolCallId)}
                  onChange={(ticked) => onTick(call.toolCallId, ticked)}
                />
              </td>
              {columns.map((name) => (
                <td key={name}>
                  <ArgumentValue open value={rows[at]?.[name] ?? null} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
