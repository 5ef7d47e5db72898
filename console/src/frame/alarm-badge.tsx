/** Alarms that wait for an operator, beside the navigation's entry. */
import type { useUnacknowledgedAlarms } from '../api/live.ts'
import { classes } from '../parts/classes.ts'
import { useFrameTexts } from './frame-texts.ts'

type Alarms = ReturnType<typeof useUnacknowledgedAlarms>

/** Nothing while there are none. Screen readers read it with the link that it is in. */
export function AlarmBadge({ alarms: { count, worst } }: { readonly alarms: Alarms }) {
  const texts = useFrameTexts()
  if (count === 0 || worst === null) return null
  return (
    <span
      title={texts.alarms(count, worst)}
      className={classes(
        'ml-auto min-w-5 rounded-full px-1.5 text-center text-xs leading-5 font-semibold tabular-nums',
        worst === 'critical' ? 'bg-bad-fill text-white' : 'bg-warn-soft text-warn',
      )}
    >
      <span aria-hidden>{shownCount(count)}</span>
      <span className="sr-only">, {texts.alarms(count, worst)}</span>
    </span>
  )
}

/** Says when alarms are new. The region must exist before. */
export function AlarmAnnouncement({ alarms: { count, worst } }: { readonly alarms: Alarms }) {
  const texts = useFrameTexts()
  return (
    <p role="status" className="sr-only">
      {count > 0 && worst !== null && texts.alarms(count, worst)}
    </p>
  )
}

/** For the title of the browser's tab. */
export function tabPrefixOf({ count }: Alarms): string {
  return count === 0 ? '' : `(${shownCount(count)}) `
}

const MAX_SHOWN = 99

function shownCount(count: number): string {
  return count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count)
}
