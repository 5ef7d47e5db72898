/** The columns of the table, of what the user's role may see. */

import { useMay } from '../../api/me.ts'
import { AccountName } from '../../features/accounts/account-name.tsx'
import { StatusBadge } from '../../parts/badge.tsx'
import type { Column } from '../../parts/list/data-table.tsx'
import { useHasPage } from '../../parts/list/has-page.ts'
import { TextLink } from '../../parts/text-link.tsx'
import { Num, Percent } from '../../parts/values.tsx'
import { useFormats } from '../../texts/formats.ts'
import type { Amount } from '../../texts/make-formats.ts'
import { useGroupText } from './group-text.ts'
import { type Group, messagesOf } from './query.ts'
import { useStatisticsTexts } from './statistics-texts.ts'
import type { Row } from './use-statistics.ts'

export function useColumns(by: Group): readonly Column<Row>[] {
  const texts = useStatisticsTexts()
  const formats = useFormats()
  const may = useMay()
  const count = (key: 'asked' | 'taken' | 'delivered' | 'failed', hideOn?: 'phone'): Column<Row> => ({
    key,
    label: texts[key],
    align: 'right',
    sortable: true,
    hideOn,
    cell: ({ line }) => <Num value={line[key]} />,
  })
  const rate: Column<Row> = {
    key: 'rate',
    label: texts.rate,
    align: 'right',
    sortable: true,
    cell: (row) => <Percent share={row.rate} />,
  }
  // Of the row of a status: the total would count a message that was read twice.
  const messages: Column<Row> = {
    key: 'messages',
    label: texts.chartMessages,
    align: 'right',
    cell: ({ line, group, isTotal }) => <Num value={isTotal || group === null ? null : messagesOf(line)} />,
  }
  const time = (key: 'p50' | 'p95', label: string): Column<Row> => ({
    key,
    label,
    align: 'right',
    sortable: true,
    cell: ({ line }) => {
      const seconds = line[`${key}_seconds`]
      return seconds === null ? '–' : formats.estimate(seconds)
    },
  })
  return [
    {
      key: 'group',
      label: texts[by],
      sortable: true,
      // As wide as the name, up to the width at which it wraps.
      cell: (row) => (
        <div className="w-max max-w-36 [overflow-wrap:anywhere]">
          <GroupName by={by} row={row} />
        </div>
      ),
    },
    ...(by === 'status' ? [messages] : []),
    ...[count('asked'), count('taken', 'phone'), count('delivered', 'phone')],
    ...(by === 'status' ? [] : [rate]),
    count('failed'),
    ...[time('p50', texts.p50), time('p95', texts.p95)],
    ...(may('listPostings') ? [priceColumn(texts.price)] : []),
    ...(may('showMargin') ? [costColumn(texts.cost), marginColumn(texts.margin, texts.without)] : []),
  ]
}

function priceColumn(label: string): Column<Row> {
  const money = ({ amounts }: Row) => amounts.flatMap(({ price, currency }) => amountOf(price, currency))
  return { key: 'price', label, sortable: true, money }
}

function costColumn(label: string): Column<Row> {
  const money = ({ amounts }: Row) => amounts.flatMap(({ cost, cost_currency: currency }) => amountOf(cost, currency))
  return { key: 'cost', label, sortable: true, money }
}

/** Of the messages whose cost is known; the price of the others is below it. */
function marginColumn(label: string, without: (price: string) => string): Column<Row> {
  const money = ({ amounts }: Row) =>
    amounts.flatMap(({ margin, currency, price_without_cost: left }) => {
      const note = left ? { amount: left, write: without } : undefined
      return currency === null || (margin === null && note === undefined) ? [] : [{ amount: margin, currency, note }]
    })
  return { key: 'margin', label, sortable: true, money, isProfit: true }
}

function amountOf(amount: number | null, currency: string | null): readonly Amount[] {
  return amount === null || currency === null ? [] : [{ amount, currency }]
}

function GroupName({ by, row: { line, group, isTotal } }: { readonly by: Group; readonly row: Row }) {
  const texts = useStatisticsTexts()
  const formats = useFormats()
  const hasPage = useHasPage()
  const text = useGroupText(by)(line)
  if (isTotal) return <>{texts.total}</>
  if (line.others !== null) return <span className="text-muted">{texts.others(formats.number(line.others))}</span>
  if (group === null) return <span className="text-muted">{text}</span>
  if (by === 'status') return <StatusBadge status={text} />
  if (by === 'account') return <AccountName account={Number(group)} linked />
  const isLink = by === 'carrier' && hasPage('/carriers/$carrier')
  return (
    <span title={text} className="font-medium tabular-nums">
      {isLink ? <TextLink to={`/carriers/${encodeURIComponent(text)}`}>{text}</TextLink> : text}
    </span>
  )
}
