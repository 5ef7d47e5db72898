/** The SMPP connections of an account's logins to all gateways, as they are now. */
import { Cable } from 'lucide-react'
import type { AnswerOf } from '../../api/api.ts'
import { usePages } from '../../api/queries.ts'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Time } from '../../parts/values.tsx'
import { useLoginTexts } from './login-texts.ts'

type Bind = AnswerOf<'GET', '/accounts/{account}/binds'>['data'][number]
/** Connections have no id, and two may look the same. */
type Row = Bind & { readonly index: number }

const EVERY_MS = 5_000

export function BindsCard({ account }: { readonly account: number }) {
  const texts = useLoginTexts()
  const list = usePages('/accounts/{account}/binds', { params: { account } }, { every: EVERY_MS })
  const rows = list.rows?.map((bind, index) => ({ ...bind, index }))
  return (
    <Card title={texts.binds} description={texts.bindsDescription} flush>
      <DataTable
        caption={texts.binds}
        columns={columnsOf(texts)}
        list={{ ...list, rows }}
        rowKey={({ index }) => index}
        empty={<EmptyState icon={Cable} title={texts.noBinds} />}
      />
    </Card>
  )
}

function columnsOf(texts: ReturnType<typeof useLoginTexts>): readonly Column<Row>[] {
  return [
    {
      key: 'login',
      label: texts.name,
      wraps: true,
      cell: ({ login, mode, system_type: systemType }) => (
        <>
          <span className="font-medium">{login}</span>
          <span className="block text-sm text-muted">
            {[texts.modes[mode], systemType].filter((text) => text !== '').join(', ')}
          </span>
        </>
      ),
    },
    {
      key: 'address',
      label: texts.address,
      cell: ({ address, node }) => (
        <>
          {address ?? '–'}
          {node !== null && <span className="block text-sm text-muted">{texts.node(node)}</span>}
        </>
      ),
    },
    { key: 'since', label: texts.since, hideOn: 'phone', cell: ({ bound_at: at }) => <Time at={at} /> },
    {
      key: 'requests',
      label: texts.requests,
      align: 'right',
      cell: ({ submitted, unanswered }) => (
        <>
          {submitted}
          {unanswered > 0 && <span className="block text-sm text-muted">{texts.inFlight(unanswered)}</span>}
        </>
      ),
    },
    { key: 'delivered', label: texts.delivered, align: 'right', hideOn: 'phone', cell: ({ delivered }) => delivered },
  ]
}
