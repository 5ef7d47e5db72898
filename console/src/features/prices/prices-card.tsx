/** The prices that an account pays: list, set, remove, copy, import, export. */
import { CopyPlus, Download, Ellipsis, FileSpreadsheet, Pencil, Plus, Tags, Trash2, Upload } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { messageOf } from '../../api/problem.ts'
import { usePages } from '../../api/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { ChannelName, channelChoices } from '../../parts/channel.tsx'
import { downloadText } from '../../parts/download.ts'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { Filters, SelectFilter } from '../../parts/list/filters.tsx'
import { urlChoice, useUrlState } from '../../parts/list/url-state.ts'
import { useAskedDialog } from '../../parts/overlay/asked-dialog.ts'
import { Menu, MenuItem } from '../../parts/overlay/menu.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { ROUTED_CHANNELS } from '../../texts/channels.ts'
import { usePreferences } from '../../texts/language.ts'
import { KnownOperator } from '../operators/known-operator.tsx'
import { SheetDialog } from '../sheets/sheet-dialog.tsx'
import { useSheetTexts } from '../sheets/sheet-texts.ts'
import { CopyDialog } from './copy-dialog.tsx'
import { ImportDialog } from './import-dialog.tsx'
import type { Price, PriceOwner } from './price.ts'
import { PriceDialog, RemovePriceDialog } from './price-dialog.tsx'
import { usePriceTexts } from './price-texts.ts'

const FIELDS = { channel: urlChoice(['', ...ROUTED_CHANNELS], '') }
type Chosen =
  | { readonly action: 'copy' | 'import' | 'sheet' }
  | { readonly action: 'set'; readonly price: Price | null }
  | { readonly action: 'remove'; readonly price: Price }

export function PricesCard({ account, currency }: PriceOwner) {
  const texts = usePriceTexts()
  const may = useMay()
  const { language } = usePreferences()
  const [{ channel }, change] = useUrlState(FIELDS)
  const list = usePages('/accounts/{account}/prices', {
    params: { account },
    query: channel === '' ? {} : { channel },
  })
  const isAsked = useAskedDialog('price')
  const [chosen, setChosen] = useState<Chosen | null>(isAsked ? { action: 'set', price: null } : null)
  const close = () => setChosen(null)
  const owner = { account, currency }
  const mayChange = may('setPrice')
  return (
    <Card
      title={texts.title}
      description={texts.description(currency)}
      actions={<Actions owner={owner} mayChange={mayChange} choose={setChosen} />}
      flush
    >
      <Filters isFiltered={channel !== ''} onClear={() => change({ channel: '' })}>
        <SelectFilter
          label={texts.channel}
          value={channel}
          choices={channelChoices(ROUTED_CHANNELS, language)}
          onValue={(value) => change({ channel: value })}
        />
      </Filters>
      <DataTable
        caption={texts.title}
        columns={columnsOf(texts, mayChange ? setChosen : null)}
        list={list}
        rowKey={({ account: whose, channel: which, prefix, operator, from }) =>
          [whose, which, prefix, operator, from].join(' ')
        }
        empty={
          <EmptyState icon={Tags} title={texts.none}>
            {texts.noneHint}
          </EmptyState>
        }
      />
      {chosen?.action === 'set' && <PriceDialog owner={owner} price={chosen.price} onClose={close} />}
      {chosen?.action === 'remove' && <RemovePriceDialog price={chosen.price} onClose={close} />}
      {chosen?.action === 'copy' && <CopyDialog owner={owner} onClose={close} />}
      {chosen?.action === 'sheet' && <SheetDialog target={{ kind: 'prices', ...owner }} onClose={close} />}
      {chosen?.action === 'import' && <ImportDialog owner={owner} onClose={close} />}
    </Card>
  )
}

interface ActionsProps {
  readonly owner: PriceOwner
  readonly mayChange: boolean
  readonly choose: (chosen: Chosen) => void
}

function Actions({ owner, mayChange, choose }: ActionsProps) {
  const texts = usePriceTexts()
  const sheetTexts = useSheetTexts()
  const save = async () => {
    try {
      const { csv } = await api.get('/tariff', { query: owner })
      downloadText(`prices-${owner.account}-${owner.currency}.csv`, csv)
    } catch (error) {
      toast(messageOf(error), 'bad')
    }
  }
  return (
    <>
      <Button icon={Download} onClick={() => void save()}>
        {texts.export}
      </Button>
      {mayChange && (
        <>
          <Button icon={Upload} onClick={() => choose({ action: 'import' })}>
            {texts.import}
          </Button>
          <Button icon={FileSpreadsheet} onClick={() => choose({ action: 'sheet' })}>
            {sheetTexts.import}
          </Button>
          <Button icon={CopyPlus} onClick={() => choose({ action: 'copy' })}>
            {texts.copy}
          </Button>
          <Button kind="primary" icon={Plus} onClick={() => choose({ action: 'set', price: null })}>
            {texts.set}
          </Button>
        </>
      )}
    </>
  )
}

type Texts = ReturnType<typeof usePriceTexts>

function columnsOf(texts: Texts, choose: ((chosen: Chosen) => void) | null): readonly Column<Price>[] {
  const columns: readonly Column<Price>[] = [
    { key: 'channel', label: texts.channel, cell: ({ channel }) => <ChannelName channel={channel} /> },
    { key: 'prefix', label: texts.prefix, cell: ({ prefix }) => (prefix === '' ? texts.all : prefix) },
    {
      key: 'operator',
      label: texts.operator,
      belowOnPhone: true,
      cell: ({ operator }) => (operator === null ? '–' : <KnownOperator mccmnc={operator} />),
    },
    { key: 'valid', label: texts.valid, belowOnPhone: true, cell: (price) => validity(texts, price) },
    {
      key: 'source',
      label: texts.source,
      belowOnPhone: true,
      cell: ({ account }) =>
        account === null ? <Badge>{texts.general}</Badge> : <Badge tone="info">{texts.own}</Badge>,
    },
    {
      key: 'price',
      label: texts.price,
      exact: true,
      money: ({ price, currency }) => [{ amount: price, currency }],
    },
  ]
  if (choose === null) return columns
  const actions: Column<Price> = {
    key: 'actions',
    label: texts.actionsLabel,
    hideLabel: true,
    align: 'right',
    cell: (price) => (
      <Menu trigger={<IconButton icon={Ellipsis} label={texts.actions(`${price.channel} ${price.prefix}`)} />}>
        <MenuItem icon={Pencil} onSelect={() => choose({ action: 'set', price })}>
          {texts.edit}
        </MenuItem>
        {price.account !== null && (
          <MenuItem icon={Trash2} danger onSelect={() => choose({ action: 'remove', price })}>
            {texts.remove}
          </MenuItem>
        )}
      </Menu>
    ),
  }
  return [...columns, actions]
}

function validity(texts: Texts, { from, until }: Price): string {
  const parts = [from === null ? '' : texts.fromDay(from), until === null ? '' : texts.untilDay(until)]
  return parts.filter((part) => part !== '').join(' ') || texts.always
}
