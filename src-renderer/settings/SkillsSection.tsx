import { useFolderPicker } from '../forms/folders/use-folder-picker.tsx'
import { useSetting } from '../forms/use-saved-choice.ts'
import { SkillList } from '../skills/SkillList.tsx'
import { ask } from '../state/ask.ts'
import { attempt } from '../state/attempt.ts'
import { useHost } from '../state/host-store.ts'
import { Button } from '../ui/Button.tsx'
import { VisibleText } from '../ui/VisibleText.tsx'

export function SkillsSection() {
  const folder = useHost((mirror) => mirror.host.settings.skillFolder)
  const [switches, change] = useSetting('newSwitches')
  const setFolder = (path: string) => void attempt(ask('skill.setFolder', { path }))
  const picker = useFolderPicker('Folder of your skills', setFolder, folder)
  return (
    <div className="column-3">
      <div className="line">
        {folder === '' ? <span className="soft">No folder.</span> : <VisibleText as="code" text={folder} />}
        <Button onClick={picker.open}>{folder === '' ? 'Choose the folder of your skills …' : 'Choose another …'}</Button>
        {folder === '' ? null : <Button onClick={() => setFolder('')}>Forget it</Button>}
      </div>
      <SkillList switches={switches} onChange={change} />
      {picker.dialog}
    </div>
  )
}
