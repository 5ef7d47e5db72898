/** Opt-outs, the newest first, found by phone and removed. Phones are sent in bodies and never part of the address. */
import { Plus, Trash2, UserRoundX } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { problemOf } from '../../api/problem.ts'
import { queryClient, usePagesOf } from '../../api/queries.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { isTooShort } from '../../parts/form/phone-text.ts'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Filters, TextFilter } from '../../parts/list/filters.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Time } from '../../parts/values.tsx'
import { AccountName } from '../accounts/account-name.tsx'
import { AddOptOut } from './add-opt-out.tsx'
import { useOptOutTexts } from './opt-out-texts.ts'

type OptOut = AnswerOf<'GET', '/opt-outs'>['data'][number]
const KEY = 'opt-outs'

/** `account`: null for those of all accounts. */
export function OptOutsCard({ account }: { readonly account: number | null }) {
  const texts = useOptOutTexts()
  const may = useMay()
  const [phone, setPhone] = useState('')
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<OptOut | null>(null)
  const found = useOptOuts(account, phone)
  const phoneError = problemOf(found.error, 'phone')
  // It is shown at its field.
  const list = phoneError === undefined ? found : { ...found, error: null, rows: [] }
  const isFiltered = phone !== ''
  const add = may('addOptOut') && (
    <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  )
  return (
    <Card title={texts.title} description={texts.description} actions={add} flush>
      <Filters isFiltered={isFiltered} onClear={() => setPhone('')}>
        <TextFilter
          label={texts.phone}
          value={phone}
          onValue={setPhone}
          check={(text) => (isTooShort(text) ? texts.phoneTooShort : undefined)}
          error={phoneError}
        />
      </Filters>
      <DataTable
        caption={texts.title}
        columns={useColumns(account === null, may('removeOptOut') ? setRemoved : null)}
        list={list}
        rowKey={({ account: of, phone: who, sender }) => `${of} ${who} ${sender}`}
        empty={
          <EmptyState icon={UserRoundX} title={isFiltered ? texts.noneHere : texts.none}>
            {!isFiltered && texts.noneHint}
          </EmptyState>
        }
      />
      {isAdding && <AddOptOut account={account} onClose={() => setAdding(false)} onSaved={refresh} />}
      <ConfirmDialog
        open={removed !== null}
        onClose={() => setRemoved(null)}
        title={texts.removeTitle}
        action={texts.remove}
        danger
        run={async (key) => {
          if (removed === null) return
          const { account: of, phone: who, sender } = removed
          await api.post('/accounts/{account}/opt-outs/remove', {
            params: { account: of },
            body: { phone: who, sender },
            key,
          })
          refresh()
          toast(texts.removed)
        }}
      >
        {removed !== null && texts.removeText(removed.phone, removed.sender ?? texts.allSenders)}
      </ConfirmDialog>
    </Card>
  )
}

function useOptOuts(account: number | null, phone: string) {
  const of = account === null ? {} : { account }
  return usePagesOf<OptOut>([KEY, of, phone], (after, signal) => {
    if (phone !== '') return api.post('/opt-outs/find', { body: { ...of, phone }, signal })
    return api.get('/opt-outs', { query: { ...of, ...(after === null ? {} : { after: Number(after) }) }, signal })
  })
}

function refresh(): void {
  void queryClient.invalidateQueries({ queryKey: ['pages', KEY] })
}

function useColumns(hasAccount: boolean, remove: ((optOut: OptOut) => void) | null): readonly Column<OptOut>[] {
  const texts = useOptOutTexts()
  const account: Column<OptOut> = {
    key: 'account',
    label: texts.account,
    belowOnPhone: true,
    cell: ({ account: of }) => <AccountName account={of} />,
  }
  const actions: Column<OptOut> = {
    key: 'remove',
    label: texts.remove,
    hideLabel: true,
    align: 'right',
    cell: (optOut) => (
      <IconButton label={texts.removeOf(optOut.phone)} icon={Trash2} onClick={() => remove?.(optOut)} />
    ),
  }
  return [
    {
      key: 'phone',
      label: texts.phone,
      cell: ({ phone }) => <span className="font-medium tabular-nums">{phone}</span>,
    },
    ...(hasAccount ? [account] : []),
    { key: 'sender', label: texts.sender, cell: ({ sender }) => sender ?? texts.allSenders },
    { key: 'by', label: texts.by, belowOnPhone: true, cell: ({ by }) => texts.origins[by] },
    { key: 'at', label: texts.at, belowOnPhone: true, cell: ({ at }) => <Time at={at} /> },
    ...(remove === null ? [] : [actions]),
  ]
}
