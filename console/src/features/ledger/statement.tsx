/** The statement of an account for one month, with its CSV file. */

import type { ReactNode } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { useApi } from '../../api/queries.ts'
import { ChannelName } from '../../parts/channel.tsx'
import { DownloadButton } from '../../parts/download-button.tsx'
import { type UrlField, useUrlState } from '../../parts/list/url-state.ts'
import { Card, KeyValues } from '../../parts/page/page.tsx'
import { ErrorState, Loading } from '../../parts/page/states.tsx'
import { Money, Num, Time } from '../../parts/values.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useZone } from '../../texts/language.ts'
import { dayIn } from '../../texts/zone.ts'
import { operatorText } from '../operators/operator-name.ts'
import { useLedgerTexts } from './ledger-texts.ts'

type Statement = AnswerOf<'GET', '/accounts/{account}/statements/{month}'>

/** Returns the month so many months ago. */
function monthBefore(zone: string, months: number): string {
  const [year = 0, month = 1] = dayIn(zone, Date.now()).split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 7)
}

interface Months {
  /** This month and those before it, as far back as the account has postings. */
  readonly months: readonly string[]
  /** Earlier ones are known in UTC alone; undefined until it is known itself. */
  readonly firstZoned: string | undefined
  readonly error: Error | null
}

function useMonths(account: number, zone: string): Months {
  const params = { account, month: monthBefore('UTC', 0) }
  const { data, error } = useApi('/accounts/{account}/statements/{month}', { params })
  const months = [monthBefore(zone, 0)]
  const first = data?.first_month ?? months[0] ?? ''
  for (let month = monthBefore(zone, 1); month >= first; month = monthBefore(zone, months.length)) months.push(month)
  return { months, firstZoned: data?.first_zoned_month, error }
}

/** Empty for this month, and for the zone of the user. */
const MONTH: UrlField<string> = {
  initial: '',
  read: (text) => (/^20\d\d-(0[1-9]|1[0-2])$/.test(text) ? text : null),
  write: (value) => value,
}
const ZONE: UrlField<string> = { initial: '', read: (text) => (text === 'UTC' ? text : null), write: (value) => value }
const FIELDS = { month: MONTH, zone: ZONE }

export function StatementCard({ account }: { readonly account: number }) {
  const texts = useLedgerTexts()
  const mine = useZone()
  const [{ month: asked, zone: askedZone }, change] = useUrlState(FIELDS)
  const wanted = askedZone === '' ? mine : askedZone
  const { months, firstZoned, error: noMonths } = useMonths(account, wanted)
  const month = asked === '' ? (months[0] ?? '') : asked
  const isOnlyInUtc = firstZoned !== undefined && month < firstZoned
  const zone = isOnlyInUtc ? 'UTC' : wanted
  const request = { params: { account, month }, ...(zone === 'UTC' ? {} : { query: { zone } }) }
  const query = useApi('/accounts/{account}/statements/{month}', request, { enabled: firstZoned !== undefined })
  const error = query.error ?? noMonths
  const read = async () => (await api.get('/accounts/{account}/statements/{month}/csv', request)).csv
  const actions = (
    <>
      <select
        aria-label={texts.month}
        value={month}
        onChange={({ target }) => change({ month: target.value === months[0] ? '' : target.value })}
        className="input-box w-auto"
      >
        {(months.includes(month) ? months : [month, ...months]).map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
      {mine !== 'UTC' && (
        <select
          aria-label={texts.zone}
          value={isOnlyInUtc ? 'UTC' : askedZone}
          disabled={isOnlyInUtc}
          onChange={({ target }) => change({ zone: target.value })}
          className="input-box w-auto"
        >
          <option value="">{mine}</option>
          <option value="UTC">UTC</option>
        </select>
      )}
      <DownloadButton file={`statement-${account}-${month}-${zone.replaceAll('/', '-')}.csv`} read={read}>
        {texts.csv}
      </DownloadButton>
    </>
  )
  return (
    <Card title={texts.statement} description={texts.statementHint(zone)} actions={actions}>
      {error !== null && <ErrorState error={error} retry={() => void query.refetch()} />}
      {query.data === undefined ? error === null && <Loading /> : <StatementView statement={query.data} />}
    </Card>
  )
}

function StatementView({ statement }: { readonly statement: Statement }) {
  const texts = useLedgerTexts()
  const { currency, closed, lines, payments } = statement
  const { moneyDigits } = useFormats()
  const { opening, top_ups: topUps, corrections, refunds, charges, closing } = statement
  const amounts = [
    opening,
    topUps,
    corrections,
    charges,
    closing,
    ...[...lines, ...payments].map((each) => each.amount),
  ]
  const digits = moneyDigits(amounts.map((amount) => ({ amount, currency })))
  const money = (amount: number, signed = false) => <Money {...{ amount, currency, digits, signed }} />
  const change = (amount: number) => money(amount, true)
  return (
    <div className="flex flex-col gap-6">
      <KeyValues
        items={[
          { label: texts.opening, value: money(opening) },
          { label: texts.topUps, value: change(topUps) },
          {
            label: texts.corrections,
            value: (
              <>
                {change(corrections)}
                {refunds > 0 && (
                  <span className="text-muted">
                    {' '}
                    · {texts.refunded} {change(refunds)}
                  </span>
                )}
              </>
            ),
          },
          { label: texts.charges, value: change(-charges) },
          {
            label: texts.closing,
            value: (
              <>
                <strong>{money(closing)}</strong>
                {!closed && <span className="text-muted"> · {texts.open}</span>}
              </>
            ),
          },
        ]}
      />
      {lines.length === 0 ? (
        <p className="text-muted">{texts.noLines}</p>
      ) : (
        <SmallTable
          caption={texts.lines}
          heads={[texts.channel, texts.operator, texts.messages, texts.partsLabel, texts.value]}
          rows={lines.map(({ channel, operator, operator_name: name, messages, parts, amount }) => [
            <ChannelName key="channel" channel={channel} />,
            operatorText(operator, name) ?? '–',
            <Num key="messages" value={messages} />,
            <Num key="parts" value={parts} />,
            change(-amount),
          ])}
          numbersFrom={2}
        />
      )}
      {(payments.length > 0 || refunds > 0) && (
        <SmallTable
          caption={texts.payments}
          heads={[texts.time, texts.kind, texts.note, texts.value]}
          rows={[
            ...payments.map(({ at, kind, amount, by = null, note }) => [
              <Time key="time" at={at} />,
              texts.kinds[kind as keyof typeof texts.kinds] ?? kind,
              [note, by === null ? null : texts.by(by)].filter((each) => each !== null).join(' · ') || '–',
              change(amount),
            ]),
            ...(refunds > 0 ? [['–', texts.kinds.refund, texts.ofMessages, change(refunds)]] : []),
          ]}
          numbersFrom={3}
        />
      )}
    </div>
  )
}

interface SmallTableProps {
  readonly caption: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly ReactNode[])[]
  /** Index of the first column with numbers. */
  readonly numbersFrom: number
}

function SmallTable({ caption, heads, rows, numbersFrom }: SmallTableProps) {
  const side = (index: number) => (index >= numbersFrom ? 'text-right whitespace-nowrap' : 'text-left')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section aria-label={caption} tabIndex={0} className="overflow-x-auto">
      <table className="w-full">
        <caption className="pb-1 text-left font-medium">{caption}</caption>
        <thead className="text-xs text-muted">
          <tr>
            {heads.map((head, index) => (
              <th key={head} scope="col" className={`border-b py-2 pr-4 font-medium last:pr-0 ${side(index)}`}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a statement's lines have no id and keep their order
            <tr key={row}>
              {cells.map((cell, index) => (
                <td key={heads[index]} className={`border-b py-2 pr-4 last:pr-0 ${side(index)}`}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
