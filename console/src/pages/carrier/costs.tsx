/** What a part costs at a carrier, by prefix, operator and category, and when. */
import { Coins, Plus, Trash2, Upload } from 'lucide-react'
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate, usePages } from '../../api/queries.ts'
import { KnownOperator } from '../../features/operators/known-operator.tsx'
import { usePriceTexts } from '../../features/prices/price-texts.ts'
import { RATE_FIELDS, RateFilters, rateQuery } from '../../features/prices/rate-filters.tsx'
import { readValidity, Validity, ValidityFields, validityValues } from '../../features/prices/validity.tsx'
import { SheetDialog } from '../../features/sheets/sheet-dialog.tsx'
import { useSheetTexts } from '../../features/sheets/sheet-texts.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { DownloadButton } from '../../parts/download-button.tsx'
import { readDecimal } from '../../parts/form/decimal.ts'
import { TextField } from '../../parts/form/field.tsx'
import { useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { useUrlState } from '../../parts/list/url-state.ts'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { Money } from '../../parts/values.tsx'
import { useTextsOfCarrier } from './texts.ts'

type Cost = AnswerOf<'GET', '/costs'>['data'][number]

export function Costs({ carrier }: { readonly carrier: string }) {
  const texts = useTextsOfCarrier()
  const priceTexts = usePriceTexts()
  const may = useMay()
  const sheetTexts = useSheetTexts()
  const [isAdding, setAdding] = useState(false)
  const [isImporting, setImporting] = useState(false)
  const [removed, setRemoved] = useState<Cost | null>(null)
  const [filters, change] = useUrlState(RATE_FIELDS)
  const query = { carrier, ...rateQuery(filters) }
  const costs = usePages('/costs', { query })
  const isFiltered = Object.values(filters).some((value) => value !== '')
  const columns: readonly Column<Cost>[] = [
    { key: 'prefix', label: texts.prefix, cell: ({ prefix }) => (prefix === '' ? texts.allNumbers : `${prefix}…`) },
    {
      key: 'operator',
      label: texts.operator,
      belowOnPhone: true,
      cell: ({ operator }) => (operator === null ? texts.all : <KnownOperator mccmnc={operator} />),
    },
    { key: 'category', label: texts.category, belowOnPhone: true, cell: ({ category }) => category ?? texts.all },
    { key: 'valid', label: priceTexts.valid, belowOnPhone: true, cell: (cost) => <Validity {...cost} /> },
    {
      key: 'price',
      label: texts.price,
      exact: true,
      money: ({ price, currency }) => [{ amount: price, currency: currency ?? '' }],
    },
    ...(may('removeCost')
      ? [
          {
            key: 'remove',
            label: texts.removeCost,
            hideLabel: true,
            align: 'right' as const,
            cell: (cost: Cost) => (
              <IconButton label={texts.removeCost} icon={Trash2} onClick={() => setRemoved(cost)} />
            ),
          },
        ]
      : []),
  ]
  const add = may('setCost') && (
    <Button icon={Plus} onClick={() => setAdding(true)}>
      {texts.addCost}
    </Button>
  )
  return (
    <Card
      title={texts.costs}
      flush
      actions={
        <>
          <DownloadButton file={`costs-${carrier}.csv`} read={async () => (await api.get('/costs/csv', { query })).csv}>
            {priceTexts.export}
          </DownloadButton>
          {may('importCosts') && (
            <Button icon={Upload} onClick={() => setImporting(true)}>
              {sheetTexts.import}
            </Button>
          )}
          {add}
        </>
      }
    >
      <RateFilters
        values={filters}
        change={change}
        isFiltered={isFiltered}
        onClear={() => change({ search: '', valid: '', day: '' })}
      />
      <DataTable
        caption={texts.costs}
        columns={columns}
        list={costs}
        rowKey={keyOf}
        empty={
          <EmptyState icon={Coins} title={isFiltered ? texts.noCostFound : texts.noCosts}>
            {isFiltered ? priceTexts.noneFoundHint : texts.noCostsHint}
          </EmptyState>
        }
      />
      {isAdding && <AddCost carrier={carrier} onClose={() => setAdding(false)} />}
      {isImporting && <SheetDialog target={{ kind: 'costs', carrier }} onClose={() => setImporting(false)} />}
      <ConfirmDialog
        open={removed !== null}
        onClose={() => setRemoved(null)}
        title={texts.removeCost}
        action={texts.removeCost}
        danger
        run={async (key) => {
          if (removed === null) return
          const { category, prefix, operator, from } = removed
          await api.delete('/costs', { query: { carrier, prefix, category, operator, from }, key })
          invalidate('/costs')
          toast(texts.costRemoved)
        }}
      >
        {removed !== null && <Money as="price" amount={removed.price} currency={removed.currency ?? ''} />}
      </ConfirmDialog>
    </Card>
  )
}

function keyOf({ prefix, operator, category, from }: Cost): string {
  return `${prefix} ${operator} ${category} ${from}`
}

function AddCost({ carrier, onClose }: { readonly carrier: string; readonly onClose: () => void }) {
  const texts = useTextsOfCarrier()
  const form = useForm({
    initial: { prefix: '', operator: '', category: '', price: '', currency: '', ...validityValues(null) },
    send: async ({ prefix, operator, category, price, currency, ...validity }, key) =>
      api.put('/costs', {
        body: {
          carrier,
          prefix: prefix.trim(),
          operator: operator.trim() === '' ? null : operator.trim(),
          category: category.trim() === '' ? null : category.trim(),
          ...readValidity(validity),
          price: readDecimal('price', price.replace(',', '.'), texts.priceProblem),
          ...(currency.trim() === '' ? {} : { currency: currency.trim().toUpperCase() }),
        },
        key,
      }),
    done: () => {
      invalidate('/costs')
      toast(texts.costSaved)
      onClose()
    },
  })
  return (
    <FormDialog onClose={onClose} title={texts.costTitle} form={form}>
      <TextField {...form.field('prefix')} label={texts.prefix} hint={texts.prefixHint} optional inputMode="numeric" />
      <TextField
        {...form.field('operator')}
        label={texts.operator}
        hint={texts.operatorHint}
        optional
        inputMode="numeric"
      />
      <TextField {...form.field('category')} label={texts.category} hint={texts.categoryHint} optional />
      <div className="grid grid-cols-2 gap-4">
        <TextField {...form.field('price')} label={texts.price} inputMode="decimal" />
        <TextField {...form.field('currency')} label={texts.currency} optional placeholder="EUR" maxLength={3} />
      </div>
      <ValidityFields form={form} />
    </FormDialog>
  )
}
