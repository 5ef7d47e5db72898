/** The accounts that belong to a price group, now or later. */
import { Building2 } from 'lucide-react'
import type { AnswerOf } from '../../api/api.ts'
import { usePages } from '../../api/queries.ts'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { AccountName } from '../accounts/account-name.tsx'
import { useGroupTexts } from './group-texts.ts'
import { MoveButton } from './move-dialog.tsx'

type Member = AnswerOf<'GET', '/price-groups/{group}/accounts'>['data'][number]

export function Members({ group }: { readonly group: string }) {
  const texts = useGroupTexts()
  const list = usePages('/price-groups/{group}/accounts', { params: { group } })
  const columns: readonly Column<Member>[] = [
    {
      key: 'account',
      label: texts.account,
      wraps: true,
      cell: ({ account }) => <AccountName account={account} linked />,
    },
    { key: 'from', label: texts.from, cell: ({ from }) => <Moment at={from} none={texts.always} /> },
    { key: 'until', label: texts.until, cell: ({ until }) => <Moment at={until} none={texts.noEnd} /> },
  ]
  return (
    <Card title={texts.members} actions={<MoveButton group={group} />} flush>
      <DataTable
        caption={texts.members}
        columns={columns}
        list={list}
        rowKey={({ account, from }) => `${account} ${from}`}
        empty={
          <EmptyState icon={Building2} title={texts.noMembers}>
            {texts.noMembersHint}
          </EmptyState>
        }
      />
    </Card>
  )
}
