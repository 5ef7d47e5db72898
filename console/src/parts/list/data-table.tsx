/**
 * Tables of lists: loading, empty and error states, a link per row, columns that phones hide or show below the row,
 * more rows on request. The server sorts and pages, so a table never holds more than what was loaded.
 */
import { useNavigate } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { Fragment, type MouseEvent, type ReactNode } from 'react'
import type { PagedRows } from '../../api/queries.ts'
import { useFormats } from '../../texts/formats.ts'
import type { Decimal, Formats } from '../../texts/make-formats.ts'
import { Button } from '../button.tsx'
import { classes } from '../classes.ts'
import { useIsPhone } from '../form/phone.ts'
import { ScrollBox } from '../page/scroll-box.tsx'
import { EmptyState, ErrorState, Skeleton } from '../page/states.tsx'
import { usePartTexts } from '../part-texts.ts'
import { Money } from '../values.tsx'

export type Column<Row> = ColumnBase & (CellColumn<Row> | MoneyColumn<Row>)

interface CellColumn<Row> {
  readonly cell: (row: Row) => ReactNode
}

/** Amounts, one below the other if there are several currencies; the table gives all rows the same decimals. */
interface MoneyColumn<Row> {
  readonly money: (row: Row) => readonly NotedAmount[]
  /** Prices of one part have all their decimals. */
  readonly exact?: boolean | undefined
  /** Losses are in the colour of bad numbers, and sorted first. */
  readonly isProfit?: boolean | undefined
}

interface NotedAmount {
  readonly amount: Decimal | null
  readonly currency: string
  readonly signed?: boolean | undefined
  /** In small print below it: another amount, with the decimals of the column. */
  readonly note?: { readonly amount: Decimal; readonly write: (money: string) => ReactNode } | undefined
}

interface ColumnBase {
  readonly key: string
  readonly label: string
  /** The label is for screen readers only, as above buttons. */
  readonly hideLabel?: boolean | undefined
  readonly align?: 'right' | undefined
  /** Hidden below this width: phones, or tablets too. */
  readonly hideOn?: 'phone' | 'tablet' | undefined
  /** On phones it is a line with its label below the row. */
  readonly belowOnPhone?: boolean | undefined
  /** Makes the header a button; the page asks the server to sort. */
  readonly sortable?: boolean | undefined
  /** The first click sorts the lowest first. */
  readonly lowestFirst?: boolean | undefined
  /** Long texts, broken anywhere, in a column that stays wide enough to read them. */
  readonly wraps?: boolean | undefined
  readonly className?: string | undefined
}

export interface Sorting {
  readonly by: string
  readonly descending: boolean
}

interface DataTableProps<Row> {
  /** Read by screen readers. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly list: PagedRows<Row>
  readonly rowKey: (row: Row) => string | number
  /** Path that a click on the row opens; the first cell should hold the same link for keyboards. */
  readonly rowTo?: ((row: Row) => string) | undefined
  /** Less space between many columns. */
  readonly dense?: boolean | undefined
  /** Below all rows: what they add up to, as the server counted it. */
  readonly total?: Row | undefined
  /** Instead of an empty list: what to do next. */
  readonly empty?: ReactNode
  readonly sorting?: Sorting | undefined
  readonly onSort?: ((sorting: Sorting) => void) | undefined
}

const HIDDEN = { phone: 'max-sm:hidden', tablet: 'max-lg:hidden' } as const
/** So few rows are counted at a glance. */
const MAX_UNCOUNTED = 20
const SKELETON_ROWS = ['1', '2', '3', '4', '5', '6']

export function DataTable<Row>({ columns: asked, ...props }: DataTableProps<Row>) {
  const { caption, list, empty, total } = props
  const formats = useFormats()
  const known = total === undefined ? (list.rows ?? []) : [...(list.rows ?? []), total]
  const all = asked.map((column) => ('money' in column ? withDigits(column, known, formats) : column))
  const isPhone = useIsPhone()
  const below = isPhone ? all.filter(({ belowOnPhone }) => belowOnPhone) : []
  const beside = below.length === 0 ? all : all.filter((column) => !below.includes(column))
  const columns = isPhone ? sortedInView(beside, props.sorting) : beside
  const texts = usePartTexts()
  const { rows, error } = list
  if (error !== null && rows === undefined) return <ErrorState error={error} retry={list.retry} />
  // A page of a search may be empty although more follow.
  if (rows?.length === 0 && !list.hasMore) return <>{empty ?? <EmptyState title={texts.nothing} />}</>
  return (
    <div>
      <ScrollBox label={caption}>
        <table
          className={classes('w-full border-separate border-spacing-0 text-left', props.dense === true && 'dense')}
          aria-busy={rows === undefined}
        >
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <HeaderCell key={column.key} column={column} sorting={props.sorting} onSort={props.onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows === undefined ? (
              <SkeletonRows columns={columns} />
            ) : (
              <Rows {...props} columns={columns} below={below} rows={rows} />
            )}
          </tbody>
          {total !== undefined && <TotalRow columns={columns} below={below} total={total} />}
        </table>
      </ScrollBox>
      {rows !== undefined && <Footer list={list} />}
    </div>
  )
}

interface HeaderCellProps {
  readonly column: ColumnBase
  readonly sorting: Sorting | undefined
  readonly onSort: ((sorting: Sorting) => void) | undefined
}

function HeaderCell({ column, sorting, onSort }: HeaderCellProps) {
  const { key, label, hideLabel = false, align, hideOn, sortable = false, lowestFirst = false } = column
  const texts = usePartTexts()
  const isSorted = sorting?.by === key
  const Arrow = isSorted ? (sorting.descending ? ArrowDown : ArrowUp) : ChevronsUpDown
  const order = isSorted ? (sorting.descending ? 'descending' : 'ascending') : 'none'
  return (
    <th
      scope="col"
      aria-sort={sortable ? order : undefined}
      className={classes(
        'sticky top-0 z-10 border-b bg-surface px-4 py-2.5 text-xs max-sm:px-3 first:pl-5 last:pr-5 font-medium whitespace-nowrap text-muted',
        align === 'right' && 'text-right',
        hideOn !== undefined && HIDDEN[hideOn],
      )}
    >
      {sortable && onSort !== undefined ? (
        <button
          type="button"
          title={texts.sortBy(label)}
          onClick={() => onSort({ by: key, descending: isSorted ? !sorting.descending : !lowestFirst })}
          className="inline-flex items-center gap-1 rounded-sm hover:text-ink"
        >
          {label}
          <Arrow aria-hidden className="size-3.5" />
        </button>
      ) : (
        <span className={hideLabel ? 'sr-only' : undefined}>{label}</span>
      )}
    </th>
  )
}

/** Returns the columns with the one that the rows are sorted by after the first, which stays in view. */
function sortedInView<Row>(columns: readonly DrawnColumn<Row>[], sorting: Sorting | undefined) {
  const [first, ...others] = columns
  const sorted = others.find(({ key }) => key === sorting?.by)
  if (first === undefined || sorted === undefined) return columns
  return [first, { ...sorted, hideOn: undefined }, ...others.filter((column) => column !== sorted)]
}

type DrawnColumn<Row> = ColumnBase & CellColumn<Row>

function withDigits<Row>(
  { money, exact, isProfit = false, ...column }: ColumnBase & MoneyColumn<Row>,
  rows: readonly Row[],
  formats: Formats,
): DrawnColumn<Row> {
  const shown = rows.flatMap(money)
  const noted = shown.flatMap(({ note, currency }) => (note === undefined ? [] : [{ amount: note.amount, currency }]))
  const digits = formats.moneyDigits([...shown, ...noted], exact)
  const cell = (row: Row) => {
    const amounts = money(row)
    if (amounts.length === 0) return '–'
    return amounts.map(({ amount, currency, signed, note }) => (
      <div key={currency}>
        <span className={isProfit && Number(amount) < 0 ? 'text-bad' : undefined}>
          <Money {...{ amount, currency, digits, signed }} />
        </span>
        {note !== undefined && (
          <div className="ml-auto max-w-36 text-xs font-normal whitespace-normal text-muted">
            {note.write(formats.money(note.amount, currency, digits))}
          </div>
        )}
      </div>
    ))
  }
  return { ...column, align: 'right', lowestFirst: isProfit, cell }
}

interface TotalRowProps<Row> {
  readonly columns: readonly DrawnColumn<Row>[]
  readonly below: readonly DrawnColumn<Row>[]
  readonly total: Row
}

function TotalRow<Row>({ columns, below, total }: TotalRowProps<Row>) {
  return (
    <tfoot className="font-semibold">
      <tr>
        {columns.map(({ key, cell, align, hideOn, className }) => (
          <td
            key={key}
            className={classes(
              'sticky bottom-0 border-t border-line-strong bg-surface px-4 py-2.5 max-sm:px-3 first:pl-5 last:pr-5',
              align === 'right' && 'text-right whitespace-nowrap',
              hideOn !== undefined && HIDDEN[hideOn],
              className,
            )}
          >
            {cell(total)}
          </td>
        ))}
      </tr>
      {below.length > 0 && (
        <tr>
          <td colSpan={columns.length} className="px-5 pb-3">
            <Below columns={below} row={total} />
          </td>
        </tr>
      )}
    </tfoot>
  )
}

interface RowsProps<Row> extends Omit<DataTableProps<Row>, 'columns'> {
  readonly columns: readonly DrawnColumn<Row>[]
  readonly rows: readonly Row[]
  /** Columns shown below the row. */
  readonly below: readonly DrawnColumn<Row>[]
}

function Rows<Row>({ columns, below, rows, rowKey, rowTo }: RowsProps<Row>) {
  const navigate = useNavigate()
  const isLink = rowTo !== undefined
  return rows.map((row, index) => {
    const open = (event: MouseEvent) => {
      const isOnControl =
        event.target instanceof Element && event.target.closest('a,button,input,select,label') !== null
      if (rowTo === undefined || isOnControl || window.getSelection()?.isCollapsed === false) return
      void navigate({ to: rowTo(row) })
    }
    const hasLine = index < rows.length - 1
    return (
      <Fragment key={rowKey(row)}>
        <tr className={classes('group', isLink && 'cursor-pointer')} onClick={open}>
          {columns.map(({ key, cell, align, hideOn, wraps, className }) => (
            <td
              key={key}
              className={classes(
                'px-4 py-2.5 align-middle max-sm:px-3 first:pl-5 last:pr-5',
                hasLine && below.length === 0 && 'border-b',
                isLink && 'group-hover:bg-hover',
                align === 'right' && 'text-right whitespace-nowrap',
                hideOn !== undefined && HIDDEN[hideOn],
                wraps === true && 'min-w-44 [overflow-wrap:anywhere]',
                className,
              )}
            >
              {cell(row)}
            </td>
          ))}
        </tr>
        {below.length > 0 && (
          <tr className={classes(isLink && 'cursor-pointer')} onClick={open}>
            <td colSpan={columns.length} className={classes('px-5 pb-3', hasLine && 'border-b')}>
              <Below columns={below} row={row} />
            </td>
          </tr>
        )}
      </Fragment>
    )
  })
}

function Below<Row>({ columns, row }: { readonly columns: readonly DrawnColumn<Row>[]; readonly row: Row }) {
  return (
    <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {columns.map(({ key, label, cell }) => (
        <div key={key} className="flex min-w-0 gap-1.5">
          <dt className="shrink-0 text-muted">{label}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">{cell(row)}</dd>
        </div>
      ))}
    </dl>
  )
}

function SkeletonRows({ columns }: { readonly columns: readonly ColumnBase[] }) {
  return SKELETON_ROWS.map((row) => (
    <tr key={row}>
      {columns.map(({ key, hideOn }) => (
        <td
          key={key}
          className={classes('border-b px-4 py-3 first:pl-5 last:pr-5', hideOn !== undefined && HIDDEN[hideOn])}
        >
          <Skeleton className="h-4 w-full max-w-28" />
        </td>
      ))}
    </tr>
  ))
}

function Footer<Row>({ list }: { readonly list: PagedRows<Row> }) {
  const texts = usePartTexts()
  const formats = useFormats()
  const { rows = [], error, hasMore, isReading, count = rows.length } = list
  const shown =
    count === rows.length ? texts.rowsShown(count) : texts.rowsOf(formats.number(rows.length), formats.number(count))
  if (error === null && !hasMore && rows.length <= MAX_UNCOUNTED) return null
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-3 border-t px-5 py-2 text-sm text-muted">
      <span role="status">{error === null ? shown : texts.failed}</span>
      {error !== null && (
        <Button size="small" onClick={list.retry}>
          {texts.retry}
        </Button>
      )}
      {hasMore && error === null && (
        <Button size="small" busy={isReading} onClick={list.readMore}>
          {texts.more}
        </Button>
      )}
    </div>
  )
}
