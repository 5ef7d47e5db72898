/** Which account gets the messages that recipients write to a number. */
import { Hash, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { useMay, useMe } from '../../api/me.ts'
import { invalidate, usePages } from '../../api/queries.ts'
import { AccountName } from '../../features/accounts/account-name.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { type InboundNumber, nameOf } from './inbound-number.ts'
import { NumberDialog } from './number-dialog.tsx'
import { useInboundTexts } from './texts.ts'

export function Numbers({ account }: { readonly account: number | null }) {
  const texts = useInboundTexts()
  const may = useMay()
  const [edited, setEdited] = useState<InboundNumber | 'new' | null>(null)
  const [removed, setRemoved] = useState<InboundNumber | null>(null)
  const list = usePages('/inbound-numbers', { query: account === null ? {} : { account } })
  const add = may('setInboundNumber') && (
    <Button icon={Plus} onClick={() => setEdited('new')}>
      {texts.add}
    </Button>
  )
  return (
    <Card title={texts.numbers} flush actions={add}>
      <DataTable
        caption={texts.numbers}
        columns={useColumns(setEdited, setRemoved)}
        list={list}
        rowKey={(number) => `${number.carrier} ${nameOf(number)}`}
        empty={
          <EmptyState icon={Hash} title={texts.noNumbers}>
            {texts.noNumbersHint}
          </EmptyState>
        }
      />
      {edited !== null && (
        <NumberDialog number={edited === 'new' ? null : edited} account={account} onClose={() => setEdited(null)} />
      )}
      {removed !== null && (
        <ConfirmDialog
          open
          onClose={() => setRemoved(null)}
          title={texts.removeTitle(nameOf(removed))}
          action={texts.remove}
          danger
          run={async (key) => {
            const { carrier, address, keyword } = removed
            const query = { carrier, address, ...(keyword === null ? {} : { keyword }) }
            await api.delete('/inbound-numbers', { query, key })
            toast(texts.removed)
            invalidate('/inbound-numbers')
          }}
        >
          {texts.removeText}
        </ConfirmDialog>
      )}
    </Card>
  )
}

type Choose = (number: InboundNumber) => void

function useColumns(edit: Choose, remove: Choose): readonly Column<InboundNumber>[] {
  const texts = useInboundTexts()
  const may = useMay()
  const isOperator = useMe()?.account == null
  const ofOperators: readonly Column<InboundNumber>[] = [
    { key: 'account', label: texts.account, cell: ({ account }) => <AccountName account={account} /> },
    { key: 'carrier', label: texts.carrier, hideOn: 'tablet', cell: ({ carrier }) => carrier },
  ]
  return [
    {
      key: 'number',
      label: texts.number,
      wraps: true,
      cell: ({ address, keyword }) => (
        <>
          <span className="font-medium">{address}</span>
          {keyword !== null && (
            <div className="text-sm text-muted">
              {texts.keyword}: {keyword}
            </div>
          )}
        </>
      ),
    },
    ...(isOperator ? ofOperators : []),
    {
      key: 'hook',
      label: texts.hook,
      hideOn: 'phone',
      wraps: true,
      cell: ({ hook }) => hook ?? <span className="text-muted">{texts.defaultHook}</span>,
    },
    {
      key: 'reply',
      label: texts.reply,
      hideOn: 'tablet',
      wraps: true,
      className: 'text-muted',
      cell: ({ reply }) => reply ?? '–',
    },
    {
      key: 'actions',
      label: texts.actions,
      hideLabel: true,
      align: 'right',
      cell: (number) => (
        <span className="inline-flex items-center gap-1">
          {may('setInboundNumber') && (
            <IconButton label={`${texts.edit}: ${nameOf(number)}`} icon={Pencil} onClick={() => edit(number)} />
          )}
          {may('removeInboundNumber') && (
            <IconButton label={`${texts.remove}: ${nameOf(number)}`} icon={Trash2} onClick={() => remove(number)} />
          )}
        </span>
      ),
    },
  ]
}
