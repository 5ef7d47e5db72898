/** Chooses the time zone in which times and days are shown. */

import { Select } from '../parts/form/select.tsx'
import { Dialog } from '../parts/overlay/dialog.tsx'
import { setPreferences, usePreferences } from '../texts/language.ts'
import { browserZone } from '../texts/zone.ts'
import { useFrameTexts } from './frame-texts.ts'

export function ZoneDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useFrameTexts()
  const { zone } = usePreferences()
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((each) => each !== 'UTC')]
  const known = zone === '' || zones.includes(zone) ? zones : [zone, ...zones]
  return (
    <Dialog open onClose={onClose} title={texts.zone} description={texts.zoneHint}>
      <Select
        label={texts.zone}
        value={zone}
        choices={[
          { value: '', label: texts.browserZone(browserZone()) },
          ...known.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
        ]}
        onValue={(chosen) => setPreferences({ zone: chosen })}
        className="w-full"
      />
    </Dialog>
  )
}
