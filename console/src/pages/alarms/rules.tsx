/** When each kind of condition opens an alarm, and who is notified of it. */
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { AnswerOf } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { asRows, useApi } from '../../api/queries.ts'
import { alarmKind } from '../../features/alarms/alarm-kind.ts'
import { Badge } from '../../parts/badge.tsx'
import { IconButton } from '../../parts/button.tsx'
import { useDurationText } from '../../parts/form/duration-field.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Card } from '../../parts/page/page.tsx'
import { Num } from '../../parts/values.tsx'
import { usePreferences } from '../../texts/language.ts'
import { RuleDialog } from './rule-dialog.tsx'
import { useAlarmTexts } from './texts.ts'

export type Rule = AnswerOf<'GET', '/alarm-rules'>['data'][number]
const MAX_TARGETS = 100

export function Rules() {
  const texts = useAlarmTexts()
  const rules = useApi('/alarm-rules')
  const [edited, setEdited] = useState<Rule | null>(null)
  return (
    <Card title={texts.rules} description={texts.rulesHint} flush>
      <DataTable
        caption={texts.rules}
        columns={useColumns(setEdited)}
        list={asRows(rules)}
        rowKey={({ kind }) => kind}
      />
      {edited !== null && <RuleDialog rule={edited} onClose={() => setEdited(null)} />}
    </Card>
  )
}

function useColumns(edit: (rule: Rule) => void): readonly Column<Rule>[] {
  const texts = useAlarmTexts()
  const { language } = usePreferences()
  const may = useMay()
  const durationText = useDurationText()
  const mayEdit = may('setAlarmRule')
  return [
    {
      key: 'kind',
      label: texts.kind,
      cell: ({ kind, enabled }) => (
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{alarmKind(kind, language)}</span>
          {!enabled && <Badge>{texts.off}</Badge>}
        </span>
      ),
    },
    {
      key: 'threshold',
      label: texts.threshold,
      belowOnPhone: true,
      cell: ({ kind, threshold }) =>
        threshold === null ? (
          '–'
        ) : (
          <>
            <Num value={threshold} />
            <div className="text-sm text-muted">{texts.thresholds[kind]}</div>
          </>
        ),
    },
    {
      key: 'open',
      label: texts.openAfter,
      belowOnPhone: true,
      cell: ({ open_after_seconds: seconds }) => (seconds === 0 ? texts.atOnce : durationText(seconds)),
    },
    {
      key: 'resolve',
      label: texts.resolveAfter,
      belowOnPhone: true,
      cell: ({ resolve_after_seconds: seconds }) => (seconds === 0 ? texts.atOnce : durationText(seconds)),
    },
    {
      key: 'targets',
      label: texts.targets,
      belowOnPhone: true,
      hideOn: 'tablet',
      wraps: true,
      className: 'text-muted',
      cell: ({ kind }) => <Notified kind={kind} />,
    },
    ...(mayEdit
      ? [
          {
            key: 'edit',
            label: texts.editRule,
            hideLabel: true,
            align: 'right' as const,
            cell: (rule: Rule) => (
              <IconButton
                label={`${texts.editRule}: ${alarmKind(rule.kind, language)}`}
                icon={Pencil}
                onClick={() => edit(rule)}
              />
            ),
          },
        ]
      : []),
  ]
}

function Notified({ kind }: { readonly kind: Rule['kind'] }) {
  const texts = useAlarmTexts()
  const { data } = useApi('/notification-targets', { query: { most: MAX_TARGETS } })
  if (data === undefined) return null
  const names = data.data.filter(({ enabled, kinds }) => enabled && (kinds === null || kinds.includes(kind)))
  return names.length === 0 ? texts.noneNotified : names.map(({ name }) => name).join(', ')
}
