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
import { operatorText } from '../operators/operator-name.ts'
import { useLedgerTexts } from './ledger-texts.ts'

type Statement = AnswerOf<'GET', '/accounts/{account}/statements/{month}'>

/** Returns the month so many months ago, UTC. */
function monthBefore(months: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 7)
}

/** Returns this month and those before it, as far back as the account has postings. */
function useMonths(account: number): readonly string[] {
  const months = [monthBefore(0)]
  const params = { account, month: months[0] ?? '' }
  const { data } = useApi('/accounts/{account}/statements/{month}', { params })
  const first = data?.first_month ?? params.month
  for (let month = monthBefore(1); month >= first; month = monthBefore(months.length)) months.push(month)
  return months
}

/** Empty for this month. */
const MONTH: UrlField<string> = {
  initial: '',
  read: (text) => (/^20\d\d-(0[1-9]|1[0-2])$/.test(text) ? text : null),
  write: (value) => value,
}
const FIELDS = { month: MONTH }

export function StatementCard({ account }: { readonly account: number }) {
  const texts = useLedgerTexts()
  const months = useMonths(account)
  const [{ month: asked }, change] = useUrlState(FIELDS)
  const month = asked === '' ? (months[0] ?? '') : asked
  const query = useApi('/accounts/{account}/statements/{month}', { params: { account, month } })
  const read = async () => {
    const path = '/accounts/{account}/statements/{month}/csv' as const
    return (await api.get(path, { params: { account, month } })).csv
  }
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
      <DownloadButton file={`statement-${account}-${month}.csv`} read={read}>
        {texts.csv}
      </DownloadButton>
    </>
  )
  return (
    <Card title={texts.statement} description={texts.statementHint} actions={actions}>
      {query.error !== null && <ErrorState error={query.error} retry={() => void query.refetch()} />}
      {query.data === undefined ? query.error === null && <Loading /> : <StatementView statement={query.data} />}
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
  const money = (amount: number) => <Money {...{ amount, currency, digits }} />
  return (
    <div className="flex flex-col gap-6">
      <KeyValues
        items={[
          { label: texts.opening, value: money(opening) },
          { label: texts.topUps, value: money(topUps) },
          {
            label: texts.corrections,
            value: (
              <>
                {money(corrections)}
                {refunds > 0 && (
                  <span className="text-muted">
                    {' '}
                    · {texts.refunded} {money(refunds)}
                  </span>
                )}
              </>
            ),
          },
          { label: texts.charges, value: money(charges) },
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
            money(amount),
          ])}
          numbersFrom={2}
        />
      )}
      {payments.length > 0 && (
        <SmallTable
          caption={texts.payments}
          heads={[texts.time, texts.kind, texts.note, texts.value]}
          rows={payments.map(({ at, kind, amount, by = null, note }) => [
            <Time key="time" at={at} />,
            texts.kinds[kind as keyof typeof texts.kinds] ?? kind,
            [note, by === null ? null : texts.by(by)].filter((each) => each !== null).join(' · ') || '–',
            money(amount),
          ])}
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
