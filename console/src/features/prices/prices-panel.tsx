/** Prices of an account, of a price group, or the general ones: list, set, remove, copy, import, export. */
import { CopyPlus, Ellipsis, FileSpreadsheet, Pencil, Plus, Tags, Trash2, Upload } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api, type InputOf } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import type { PagedRows } from '../../api/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { ChannelName } from '../../parts/channel.tsx'
import { DownloadButton } from '../../parts/download-button.tsx'
import { type Column, DataTable } from '../../parts/list/data-table.tsx'
import { useAskedDialog } from '../../parts/overlay/asked-dialog.ts'
import { Menu, MenuItem } from '../../parts/overlay/menu.tsx'
import { Card } from '../../parts/page/page.tsx'
import { EmptyState } from '../../parts/page/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { KnownOperator } from '../operators/known-operator.tsx'
import { SheetDialog } from '../sheets/sheet-dialog.tsx'
import { useSheetTexts } from '../sheets/sheet-texts.ts'
import { CopyDialog } from './copy-dialog.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { isOwnedBy, ownerFields, type Price, type PriceOwner } from './price.ts'
import { PriceDialog, RemovePriceDialog } from './price-dialog.tsx'
import { usePriceTexts } from './price-texts.ts'
import { Validity } from './validity.tsx'

type Chosen =
  | { readonly action: 'copy' | 'import' | 'sheet' }
  | { readonly action: 'set'; readonly price: Price | null }
  | { readonly action: 'remove'; readonly price: Price }

interface PricesPanelProps {
  readonly owner: PriceOwner
  readonly title: string
  readonly description: string
  readonly list: PagedRows<Price>
  /** The filters as query fields, also of the export. */
  readonly shown: Omit<InputOf<'GET', '/tariff'>['query'], 'currency' | 'account' | 'group'>
  readonly filters: ReactNode
  /** Whether the filters may hide prices. */
  readonly isFiltered: boolean
}

export function PricesPanel(props: PricesPanelProps) {
  const { owner, title, description, list, shown, filters, isFiltered } = props
  const texts = usePriceTexts()
  const may = useMay()
  const isAsked = useAskedDialog('price')
  const mayChange = may('setPrice')
  const [chosen, setChosen] = useState<Chosen | null>(isAsked && mayChange ? { action: 'set', price: null } : null)
  const close = () => setChosen(null)
  return (
    <Card
      title={title}
      description={description}
      actions={<Actions owner={owner} shown={shown} mayChange={mayChange} choose={setChosen} />}
      flush
    >
      {filters}
      <DataTable
        caption={title}
        columns={columnsOf(texts, owner, mayChange ? setChosen : null)}
        list={list}
        rowKey={({ account, group, currency, channel, prefix, operator, from }) =>
          [account, group, currency, channel, prefix, operator, from].join(' ')
        }
        empty={
          <EmptyState icon={Tags} title={isFiltered ? texts.noneFound : texts.none}>
            {isFiltered ? texts.noneFoundHint : emptyHint(texts, owner)}
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

interface ActionsProps extends Pick<PricesPanelProps, 'owner' | 'shown'> {
  readonly mayChange: boolean
  readonly choose: (chosen: Chosen) => void
}

function Actions({ owner, shown, mayChange, choose }: ActionsProps) {
  const texts = usePriceTexts()
  const sheetTexts = useSheetTexts()
  const { account, group, currency } = owner
  const read = async () => (await api.get('/tariff', { query: { ...ownerFields(owner), currency, ...shown } })).csv
  return (
    <>
      <DownloadButton file={`prices-${account ?? group ?? 'general'}-${currency}.csv`} read={read}>
        {account === null ? texts.exportIn(currency) : texts.export}
      </DownloadButton>
      {mayChange && (
        <>
          <Button icon={Upload} onClick={() => choose({ action: 'import' })}>
            {texts.import}
          </Button>
          <Button icon={FileSpreadsheet} onClick={() => choose({ action: 'sheet' })}>
            {sheetTexts.import}
          </Button>
          {(account !== null || group !== null) && (
            <Button icon={CopyPlus} onClick={() => choose({ action: 'copy' })}>
              {texts.copy}
            </Button>
          )}
          <Button kind="primary" icon={Plus} onClick={() => choose({ action: 'set', price: null })}>
            {texts.set}
          </Button>
        </>
      )}
    </>
  )
}

type Texts = ReturnType<typeof usePriceTexts>

function emptyHint(texts: Texts, { account, group }: PriceOwner): string {
  if (account !== null) return texts.noneHint
  return group === null ? texts.noneGeneralHint : texts.noneGroupHint
}

function columnsOf(
  texts: Texts,
  owner: PriceOwner,
  choose: ((chosen: Chosen) => void) | null,
): readonly Column<Price>[] {
  const source: Column<Price> = {
    key: 'source',
    label: texts.source,
    belowOnPhone: true,
    cell: (price) => <Source price={price} />,
  }
  const columns: readonly Column<Price>[] = [
    { key: 'channel', label: texts.channel, cell: ({ channel }) => <ChannelName channel={channel} /> },
    { key: 'prefix', label: texts.prefix, cell: ({ prefix }) => (prefix === '' ? texts.all : prefix) },
    {
      key: 'operator',
      label: texts.operator,
      belowOnPhone: true,
      cell: ({ operator }) => (operator === null ? '–' : <KnownOperator mccmnc={operator} />),
    },
    { key: 'valid', label: texts.valid, belowOnPhone: true, cell: (price) => <Validity {...price} /> },
    ...(owner.account === null ? [] : [source]),
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
        {isOwnedBy(price, owner) && (
          <MenuItem icon={Trash2} danger onSelect={() => choose({ action: 'remove', price })}>
            {texts.remove}
          </MenuItem>
        )}
      </Menu>
    ),
  }
  return [...columns, actions]
}

function Source({ price: { account, group } }: { readonly price: Price }) {
  const texts = usePriceTexts()
  if (account !== null) return <Badge tone="info">{texts.own}</Badge>
  // Users of an account see no groups.
  if (group === null || group === undefined) return <Badge>{texts.general}</Badge>
  return <TextLink to={`/prices/${encodeURIComponent(group)}`}>{texts.whose.group(group)}</TextLink>
}
