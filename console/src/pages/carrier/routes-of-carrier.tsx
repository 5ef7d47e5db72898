/** The routes that lead to a carrier. */
import { Route as RouteIcon } from 'lucide-react'
import type { AnswerOf } from '../../api/api.ts'
import { usePages } from '../../api/queries.ts'
import { LinkButton } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Num } from '../../parts/values.tsx'
import { useTextsOfCarrier } from './texts.ts'

type Route = AnswerOf<'GET', '/routes'>['data'][number]
/** The most of one page: routes are few, and the list has no filter by carrier. */
export const MAX_ROUTES = 1_000

export function RoutesOfCarrier({ carrier }: { readonly carrier: string }) {
  const texts = useTextsOfCarrier()
  const all = usePages('/routes', { query: { most: MAX_ROUTES } })
  const columns: readonly Column<Route>[] = [
    { key: 'prefix', label: texts.prefix, cell: ({ prefix }) => (prefix === '' ? texts.allNumbers : `${prefix}…`) },
    { key: 'account', label: texts.account, cell: ({ account }) => account ?? texts.all },
    { key: 'sender', label: texts.sender, cell: ({ sender }) => sender ?? texts.all },
    { key: 'priority', label: texts.priority, align: 'right', cell: ({ priority }) => <Num value={priority} /> },
    { key: 'weight', label: texts.weight, align: 'right', cell: ({ weight }) => <Num value={weight} /> },
  ]
  const open = (
    <LinkButton to="/routes" search={{ carrier }}>
      {texts.toRoutes}
    </LinkButton>
  )
  return (
    <Card title={texts.routes} flush actions={open}>
      <DataTable
        caption={texts.routes}
        columns={columns}
        list={{ ...all, rows: all.rows?.filter((route) => route.carrier === carrier) }}
        rowKey={({ prefix, account, sender }) => `${prefix} ${account} ${sender}`}
        empty={
          <EmptyState icon={RouteIcon} title={texts.noRoutes} action={open}>
            {texts.noRoutesHint}
          </EmptyState>
        }
      />
    </Card>
  )
}
