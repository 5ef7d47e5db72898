/** Alarms, the newest first. */
import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate, usePages } from '../../api/queries.ts'
import { NamedSubject } from '../../features/accounts/named-subject.tsx'
import { alarmKind } from '../../features/alarms/alarm-kind.ts'
import { alarmSubject } from '../../features/alarms/alarm-subject.ts'
import { Badge, type BadgeTone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Filters, SelectFilter } from '../../parts/list/filters.tsx'
import { urlChoice, useUrlState } from '../../parts/list/url-state.ts'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Time } from '../../parts/values.tsx'
import { gatewayText } from '../../texts/gateway-texts.ts'
import { usePreferences } from '../../texts/language.ts'
import { useAlarmTexts } from './texts.ts'

type Alarm = AnswerOf<'GET', '/alarms'>['data'][number]
const CONSOLE = '/console'
const EVERY_MS = 10_000
const STATES = ['open', 'acknowledged', 'resolved'] as const
const FIELDS = { state: urlChoice(['', ...STATES], '') }
const SEVERITY: Readonly<Record<Alarm['severity'], BadgeTone>> = { info: 'info', warning: 'warn', critical: 'bad' }
const TONES: Readonly<Record<Alarm['state'], BadgeTone>> = { open: 'bad', acknowledged: 'warn', resolved: 'good' }

export function AlarmList() {
  const texts = useAlarmTexts()
  const [{ state }, change] = useUrlState(FIELDS)
  const alarms = usePages('/alarms', { query: state === '' ? {} : { state } }, { every: EVERY_MS })
  return (
    <Card flush>
      <Filters isFiltered={state !== ''} onClear={() => change({ state: '' })}>
        <SelectFilter
          label={texts.anyState}
          value={state}
          choices={STATES.map((value) => ({ value, label: texts.states[value] }))}
          onValue={(value) => change({ state: value })}
        />
      </Filters>
      <DataTable
        caption={texts.alarms}
        columns={useColumns()}
        list={alarms}
        rowKey={({ alarm }) => alarm}
        empty={
          <EmptyState icon={BellRing} title={state === '' ? texts.none : texts.noneHere}>
            {state === '' && texts.noneHint}
          </EmptyState>
        }
      />
    </Card>
  )
}

function useColumns(): readonly Column<Alarm>[] {
  const texts = useAlarmTexts()
  const { language } = usePreferences()
  const may = useMay()
  return [
    {
      key: 'kind',
      label: texts.kind,
      cell: ({ kind, subject, page }) => (
        <>
          <TextLink {...linkTo(page)} className="font-medium sm:whitespace-nowrap">
            {alarmKind(kind, language)}
          </TextLink>
          <div className="text-sm text-muted [overflow-wrap:anywhere]">
            <NamedSubject subject={alarmSubject(subject, language)} />
          </div>
        </>
      ),
    },
    {
      key: 'severity',
      label: texts.severity,
      belowOnPhone: true,
      cell: ({ severity }) => <Badge tone={SEVERITY[severity]}>{texts.severities[severity]}</Badge>,
    },
    {
      key: 'state',
      label: texts.state,
      cell: ({ state, acknowledged_by: by }) => (
        <>
          <Badge dot tone={TONES[state]}>
            {texts.states[state]}
          </Badge>
          {state === 'acknowledged' && by !== null && (
            <div className="text-sm text-muted">{texts.acknowledgedBy(by)}</div>
          )}
        </>
      ),
    },
    {
      key: 'opened',
      label: texts.opened,
      belowOnPhone: true,
      cell: ({ opened_at: at }) => <Time at={at} show="relative" />,
    },
    {
      key: 'detail',
      label: texts.detail,
      belowOnPhone: true,
      hideOn: 'tablet',
      wraps: true,
      className: 'text-muted',
      cell: ({ detail, effect, action, state }) => (
        <>
          {gatewayText(detail)}
          <div className="text-sm">{gatewayText(effect)}</div>
          {state !== 'resolved' && <div className="text-sm text-ink">{gatewayText(action)}</div>}
        </>
      ),
    },
    ...(may('acknowledgeAlarm')
      ? [
          {
            key: 'acknowledge',
            label: texts.acknowledge,
            hideLabel: true,
            align: 'right' as const,
            cell: ({ alarm, state }: Alarm) => state === 'open' && <Acknowledge alarm={alarm} />,
          },
        ]
      : []),
  ]
}

/** Of a path of the console with its search. */
function linkTo(page: string) {
  const { pathname, searchParams } = new URL(page, location.origin)
  return { to: pathname.slice(CONSOLE.length), search: Object.fromEntries(searchParams) }
}

function Acknowledge({ alarm }: { readonly alarm: number }) {
  const texts = useAlarmTexts()
  const [isBusy, setBusy] = useState(false)
  const acknowledge = async () => {
    setBusy(true)
    try {
      await api.post('/alarms/{alarm}/acknowledge', { params: { alarm } })
      toast(texts.acknowledged)
    } catch (error) {
      toast((error as Error).message, 'bad')
    }
    setBusy(false)
    invalidate('/alarms')
  }
  return (
    <Button size="small" busy={isBusy} onClick={() => void acknowledge()}>
      {texts.acknowledge}
    </Button>
  )
}
