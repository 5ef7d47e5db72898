/** Traffic that left its pattern: allow it, or block it. */
import { Activity } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate, usePages } from '../../api/queries.ts'
import { AccountName } from '../../features/accounts/account-name.tsx'
import { Badge, type BadgeTone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Num, Time } from '../../parts/values.tsx'
import { useAlarmTexts } from './texts.ts'

type TrafficAlarm = AnswerOf<'GET', '/guards/alarms'>['data'][number]
const TONES: Readonly<Record<TrafficAlarm['state'], BadgeTone>> = {
  raised: 'warn',
  stopped: 'bad',
  confirmed: 'bad',
  lifted: 'good',
}

interface Asked {
  readonly alarm: TrafficAlarm
  readonly action: 'lift' | 'confirm'
}

export function TrafficAlarms() {
  const texts = useAlarmTexts()
  const [asked, setAsked] = useState<Asked | null>(null)
  const alarms = usePages('/guards/alarms')
  const isLift = asked?.action === 'lift'
  return (
    <Card flush>
      <DataTable
        caption={texts.traffic}
        columns={useColumns(setAsked)}
        list={alarms}
        rowKey={({ kind, prefix, account }) => `${kind} ${prefix} ${account}`}
        empty={<EmptyState icon={Activity} title={texts.noTraffic} />}
      />
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={isLift ? texts.liftTitle : texts.confirmTitle}
        action={isLift ? texts.lift : texts.confirm}
        danger={!isLift}
        run={async (key) => {
          if (asked === null) return
          const { kind, prefix, account } = asked.alarm
          const input = { body: { kind, prefix, account }, key }
          await (isLift ? api.post('/guards/alarms/lift', input) : api.post('/guards/alarms/confirm', input))
          toast(isLift ? texts.lifted : texts.confirmed)
          invalidate('/guards/alarms', '/alarms')
        }}
      >
        {isLift ? texts.liftText : texts.confirmText}
      </ConfirmDialog>
    </Card>
  )
}

function useColumns(ask: (asked: Asked) => void): readonly Column<TrafficAlarm>[] {
  const texts = useAlarmTexts()
  const may = useMay()
  return [
    { key: 'prefix', label: texts.numbers, cell: ({ prefix }) => <span className="font-medium">{prefix}…</span> },
    { key: 'kind', label: texts.what, belowOnPhone: true, cell: ({ kind }) => texts.trafficKinds[kind] },
    {
      key: 'account',
      label: texts.account,
      belowOnPhone: true,
      cell: ({ account }) => (account === null ? texts.allAccounts : <AccountName account={account} />),
    },
    {
      key: 'state',
      label: texts.state,
      cell: ({ state }) => (
        <Badge dot tone={TONES[state]}>
          {texts.trafficStates[state]}
        </Badge>
      ),
    },
    { key: 'seen', label: texts.seen, align: 'right', cell: ({ seen }) => <Num value={seen} /> },
    {
      key: 'usual',
      label: texts.usual,
      belowOnPhone: true,
      align: 'right',
      cell: ({ usual }) => <Num value={usual} />,
    },
    {
      key: 'raised',
      label: texts.opened,
      belowOnPhone: true,
      hideOn: 'tablet',
      cell: ({ raised_at: at }) => <Time at={at} show="relative" />,
    },
    ...(may('liftAlarm')
      ? [
          {
            key: 'actions',
            label: texts.lift,
            hideLabel: true,
            align: 'right' as const,
            cell: (alarm: TrafficAlarm) => (
              <span className="inline-flex gap-2">
                {alarm.state !== 'lifted' && (
                  <Button size="small" onClick={() => ask({ alarm, action: 'lift' })}>
                    {texts.lift}
                  </Button>
                )}
                {alarm.state !== 'confirmed' && (
                  <Button size="small" onClick={() => ask({ alarm, action: 'confirm' })}>
                    {texts.confirm}
                  </Button>
                )}
              </span>
            ),
          },
        ]
      : []),
  ]
}
