/** Where carriers were demoted, when and why. */
import { History } from 'lucide-react'
import type { AnswerOf } from '../../../api/api.ts'
import { usePages } from '../../../api/queries.ts'
import { type Column, DataTable } from '../../../parts/list/data-table.tsx'
import { Card } from '../../../parts/page/page.tsx'
import { EmptyState } from '../../../parts/page/states.tsx'
import { Time } from '../../../parts/values.tsx'
import { gatewayText } from '../../../texts/gateway-texts.ts'
import { useDestination } from './destination.ts'
import { useQualityTexts } from './quality-texts.ts'

type Demotion = AnswerOf<'GET', '/quality/demotions'>['data'][number]

export function DemotionHistory() {
  const texts = useQualityTexts()
  const destination = useDestination()
  const columns: readonly Column<Demotion>[] = [
    {
      key: 'carrier',
      label: texts.carrier,
      cell: (row) => (
        <>
          <span className="font-medium [overflow-wrap:anywhere]">{row.carrier}</span>
          <div className="text-sm text-muted">{destination(row)}</div>
        </>
      ),
    },
    {
      key: 'kind',
      label: texts.state,
      cell: ({ kind, user }) => (
        <>
          {texts.states[kind]}
          {user !== null && <div className="text-sm text-muted">{texts.by(user)}</div>}
        </>
      ),
    },
    { key: 'began', label: texts.began, belowOnPhone: true, cell: ({ began_at: at }) => <Time at={at} /> },
    {
      key: 'ended',
      label: texts.ended,
      belowOnPhone: true,
      cell: ({ ended_at: at }) => (at === null ? texts.lasts : <Time at={at} />),
    },
    {
      key: 'why',
      label: texts.why,
      belowOnPhone: true,
      wraps: true,
      cell: ({ reason, end_reason: endReason }) => (
        <>
          {gatewayText(reason)}
          {endReason !== null && <div className="text-sm text-muted">{gatewayText(endReason)}</div>}
        </>
      ),
    },
  ]
  return (
    <Card title={texts.history} flush>
      <DataTable
        caption={texts.history}
        columns={columns}
        list={usePages('/quality/demotions')}
        rowKey={({ carrier, country, operator, began_at: at }) => `${carrier} ${country} ${operator} ${at}`}
        empty={<EmptyState icon={History} title={texts.historyNone} />}
      />
    </Card>
  )
}
