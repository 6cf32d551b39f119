import type { Confirm } from '../../src-shared/contract/attachments.ts'
import { Button } from '../ui/Button.tsx'
import { ProblemCard } from '../ui/ProblemCard.tsx'

interface SizeQuestionProps {
  readonly asked: Confirm
  /** The button that continues, such as "Read anyway". */
  readonly label: string
  readonly busy?: boolean
  readonly onConfirm: () => void
}

/** The question before a large resource is read. */
export function SizeQuestion({ asked, label, busy = false, onConfirm }: SizeQuestionProps) {
  const button = (
    <Button disabled={busy} onClick={onConfirm}>
      {label}
    </Button>
  )
  return <ProblemCard level="warning" problem={asked.why} actions={button} />
}
