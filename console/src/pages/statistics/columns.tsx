/** The columns of the table, of what the user's role may see. */

import { useMay } from '../../api/me.ts'
import { AccountName } from '../../features/accounts/account-name.tsx'
import { operatorText } from '../../features/operators/operator-name.ts'
import { StatusBadge } from '../../parts/badge.tsx'
import { ChannelName } from '../../parts/channel.tsx'
import { ShareBar } from '../../parts/charts/share-bar.tsx'
import type { Column } from '../../parts/list/data-table.tsx'
import { useHasPage } from '../../parts/list/has-page.ts'
import { TextLink } from '../../parts/text-link.tsx'
import { Money, Num } from '../../parts/values.tsx'
import { useFormats } from '../../texts/formats.ts'
import { usePreferences } from '../../texts/language.ts'
import type { Group } from './query.ts'
import { useStatisticsTexts } from './statistics-texts.ts'
import type { Row } from './use-statistics.ts'

export function useColumns(by: Group): readonly Column<Row>[] {
  const texts = useStatisticsTexts()
  const formats = useFormats()
  const may = useMay()
  const shown = { texts, formats }
  const seconds = (value: number | null) => (value === null ? '–' : formats.estimate(value))
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
    cell: (row) => <ShareBar share={row.rate} />,
  }
  const read: Column<Row> = {
    key: 'read',
    label: texts.read,
    align: 'right',
    cell: ({ line }) => <Num value={line.read} />,
  }
  const times: readonly Column<Row>[] = [
    { key: 'p50', label: texts.median, align: 'right', cell: ({ line }) => seconds(line.p50_seconds) },
    { key: 'p95', label: texts.tail, align: 'right', cell: ({ line }) => seconds(line.p95_seconds) },
  ]
  return [
    {
      key: 'group',
      label: texts[by],
      sortable: true,
      cell: ({ group, line }) => (
        <GroupName by={by} group={group} operatorName={line.operator_name} others={line.others} />
      ),
    },
    ...[count('asked'), count('taken', 'phone'), count('delivered', 'phone')],
    by === 'status' ? read : rate,
    count('failed'),
    ...times,
    ...(may('listPostings') ? [priceColumn(texts.price)] : []),
    ...(may('showMargin') ? [costColumn('cost', shown), costColumn('margin', shown)] : []),
  ]
}

interface Shown {
  readonly texts: ReturnType<typeof useStatisticsTexts>
  readonly formats: ReturnType<typeof useFormats>
}

function priceColumn(label: string): Column<Row> {
  const cell = ({ prices }: Row) =>
    prices.length === 0
      ? '–'
      : prices.map(({ price, currency }) => (
          <div key={currency}>
            <Money amount={price} currency={currency} />
          </div>
        ))
  return { key: 'price', label, align: 'right', cell }
}

function costColumn(key: 'cost' | 'margin', { texts, formats }: Shown): Column<Row> {
  const label = texts[key]
  const cell = ({ line }: Row) => {
    const currency = key === 'cost' ? line.cost_currency : line.currency
    const left = key === 'margin' ? (line.price_without_cost ?? 0) : 0
    return (
      <>
        {currency === null ? '–' : <Money amount={line[key]} currency={currency} />}
        {left > 0 && currency !== null && (
          <div className="text-xs text-muted">{texts.without(formats.money(left, currency))}</div>
        )}
      </>
    )
  }
  return { key, label, align: 'right', cell }
}

interface GroupNameProps {
  readonly by: Group
  readonly group: string | number | null
  readonly operatorName: string | null
  /** How many groups the line adds up; null for one group. */
  readonly others: number | null
}

function GroupName({ by, group, operatorName, others }: GroupNameProps) {
  const texts = useStatisticsTexts()
  const formats = useFormats()
  const hasPage = useHasPage()
  const { language } = usePreferences()
  if (others !== null) return <span className="text-muted">{texts.others(formats.number(others))}</span>
  if (group === null) {
    const names: Partial<Record<Group, string>> = {
      operator: texts.unknownOperator,
      country: texts.unknownCountry,
      carrier: texts.noCarrier,
      status: texts.noStatus,
    }
    return <span className="text-muted">{names[by] ?? texts.none}</span>
  }
  const text = String(group)
  if (by === 'channel') return <ChannelName channel={text} />
  if (by === 'operator') return <span className="font-medium">{operatorText(text, operatorName)}</span>
  if (by === 'status') return <StatusBadge status={text} />
  if (by === 'day') return <span className="whitespace-nowrap tabular-nums">{text}</span>
  if (by === 'country') return <>{new Intl.DisplayNames(language, { type: 'region' }).of(text) ?? text}</>
  if (by === 'account') return <AccountName account={Number(group)} linked />
  if (by === 'carrier' && hasPage('/carriers/$carrier')) {
    return <TextLink to={`/carriers/${encodeURIComponent(text)}`}>{text}</TextLink>
  }
  return <span className="font-medium tabular-nums [overflow-wrap:anywhere]">{text}</span>
}
