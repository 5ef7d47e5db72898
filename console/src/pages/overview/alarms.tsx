/** Alarms that are open now: what they are about, and why. */
import { useMay } from '../../api/me.ts'
import { useApi } from '../../api/queries.ts'
import { NamedSubject } from '../../features/accounts/named-subject.tsx'
import { alarmKind } from '../../features/alarms/alarm-kind.ts'
import { alarmSubject } from '../../features/alarms/alarm-subject.ts'
import { LinkButton } from '../../parts/button.tsx'
import { useHasPage } from '../../parts/list/has-page.ts'
import { Notice } from '../../parts/page/states.tsx'
import { gatewayText } from '../../texts/gateway-texts.ts'
import { usePreferences } from '../../texts/language.ts'
import { useOverviewTexts } from './overview-texts.ts'

const MAX_COUNTED = 100
const MAX_SHOWN = 3
const EVERY_MS = 15_000

/** Nothing while there are none. The critical ones come first. */
export function OpenAlarms() {
  const texts = useOverviewTexts()
  const { language } = usePreferences()
  const hasPage = useHasPage()
  const may = useMay()
  const query = { state: 'open', most: MAX_COUNTED } as const
  const { data } = useApi('/alarms', { query }, { every: EVERY_MS, enabled: may('listAlarms') })
  const open = data?.data ?? []
  if (open.length === 0) return null
  const critical = open.filter(({ severity }) => severity === 'critical')
  const shown = [...critical, ...open.filter((alarm) => !critical.includes(alarm))].slice(0, MAX_SHOWN)
  const action = hasPage('/alarms') && (
    <LinkButton size="small" to="/alarms">
      {texts.showAlarms}
    </LinkButton>
  )
  return (
    <Notice kind={critical.length > 0 ? 'bad' : 'warn'} action={action}>
      <p className="font-medium">{texts.alarms(open.length)}</p>
      <ul>
        {shown.map(({ alarm, kind, subject, detail }) => (
          <li key={alarm} className="[overflow-wrap:anywhere]">
            {alarmKind(kind, language)}:{' '}
            <span className="font-medium">
              <NamedSubject subject={alarmSubject(subject, language)} />
            </span>
            <span className="text-muted"> · {gatewayText(detail)}</span>
          </li>
        ))}
      </ul>
    </Notice>
  )
}
