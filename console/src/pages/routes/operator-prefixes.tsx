/** The prefixes of one operator, page by page; each can be removed. */
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { usePages } from '../../api/queries.ts'
import { operatorText } from '../../features/operators/operator-name.ts'
import { IconButton } from '../../parts/button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Filters, TextFilter } from '../../parts/list/filters.tsx'
import { ConfirmDialog, Dialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { type Operator, refreshOperators } from './operator.ts'
import { useOperatorTexts } from './operator-texts.ts'

type Prefix = AnswerOf<'GET', '/operators/prefixes'>['data'][number]

interface OperatorPrefixesProps {
  readonly operator: Operator
  readonly mayChange: boolean
  readonly onClose: () => void
}

export function OperatorPrefixes({ operator, mayChange, onClose }: OperatorPrefixesProps) {
  const texts = useOperatorTexts()
  const { mccmnc, name } = operator
  const [digits, setDigits] = useState('')
  const [removed, setRemoved] = useState<string | null>(null)
  const begins = digits.replace(/\D/g, '')
  const query = begins === '' ? { mccmnc } : { mccmnc, prefix: begins }
  const prefixes = usePages('/operators/prefixes', { query })
  const columns: readonly Column<Prefix>[] = [
    { key: 'prefix', label: texts.prefix, cell: ({ prefix }) => <span className="tabular-nums">{prefix}…</span> },
    ...(mayChange
      ? [
          {
            key: 'remove',
            label: texts.removeAction,
            hideLabel: true,
            align: 'right' as const,
            cell: ({ prefix }: Prefix) => (
              <IconButton label={texts.remove(`${prefix}…`)} icon={Trash2} onClick={() => setRemoved(prefix)} />
            ),
          },
        ]
      : []),
  ]
  const title = texts.prefixesOf(operatorText(mccmnc, name) ?? '')
  return (
    <>
      <Dialog open={removed === null} onClose={onClose} title={title}>
        <div className="-mx-5 -my-4">
          <Filters isFiltered={digits !== ''} onClear={() => setDigits('')}>
            <TextFilter label={texts.beginsWith} value={digits} onValue={setDigits} />
          </Filters>
          <DataTable
            caption={title}
            columns={columns}
            list={prefixes}
            rowKey={({ prefix }) => prefix}
            empty={<EmptyState title={texts.noPrefix} />}
          />
        </div>
      </Dialog>
      <ConfirmDialog
        open={removed !== null}
        onClose={() => setRemoved(null)}
        title={`${texts.remove(`${removed}…`)}?`}
        action={texts.removeAction}
        danger
        run={async (key) => {
          if (removed === null) return
          await api.delete('/operators/prefixes', { query: { prefix: removed }, key })
          refreshOperators()
          toast(texts.removed(removed))
        }}
      >
        {texts.removeText}
      </ConfirmDialog>
    </>
  )
}
