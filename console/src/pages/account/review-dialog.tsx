/** Shows what a change of settings does, before it is saved. */
import { useQuietText } from '../../features/guards/quiet-hours-field.tsx'
import { useVelocityText } from '../../features/guards/velocity-field.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/overlay/dialog.tsx'
import { useTexts } from '../../texts/texts.ts'
import { type Account, type AccountChange, kindOf, type SettingName } from './setting-fields.ts'
import { SETTINGS_DE } from './settings-de.ts'
import { SETTINGS_EN } from './settings-en.ts'

const TEXTS = { en: SETTINGS_EN, de: SETTINGS_DE }
const CELL = 'border-b px-3 py-2 align-top [overflow-wrap:anywhere] whitespace-pre-line'

interface ReviewDialogProps {
  readonly before: Account
  readonly change: AccountChange
  readonly settle: (isConfirmed: boolean) => void
}

export function ReviewDialog({ before, change, settle }: ReviewDialogProps) {
  const texts = useTexts<typeof SETTINGS_EN>(TEXTS)
  const velocityText = useVelocityText()
  const quietText = useQuietText()
  const write = (name: SettingName, value: unknown): string => {
    if (kindOf(name) === 'hours') return quietText(String(value))
    if (typeof value === 'boolean') return value ? texts.on : texts.off
    if (value === null || (Array.isArray(value) && value.length === 0)) return texts.none
    return Array.isArray(value)
      ? value.map(kindOf(name) === 'limits' ? velocityText : String).join('\n')
      : String(value)
  }
  return (
    <Dialog open wide onClose={() => settle(false)} title={texts.reviewTitle} description={texts.reviewHint}>
      <table className="w-full text-left">
        <caption className="sr-only">{texts.reviewTitle}</caption>
        <thead className="text-xs text-muted">
          <tr>
            {[texts.setting, texts.before, texts.after].map((label) => (
              <th key={label} scope="col" className="border-b px-3 py-2 font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(Object.keys(change) as SettingName[]).map((name) => (
            <tr key={name}>
              <th scope="row" className={`${CELL} font-medium`}>
                {texts.fields[name].label}
              </th>
              <td className={`${CELL} text-muted`}>{write(name, before[name])}</td>
              <td className={CELL}>{write(name, change[name])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <DialogActions>
        <Button onClick={() => settle(false)}>{texts.cancel}</Button>
        <Button kind="primary" onClick={() => settle(true)}>
          {texts.save}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
