/** The third step: what the sheet changes, what is wrong in it, and what to look at before. */
import { Badge } from '../../parts/badge.tsx'
import { DownloadButton } from '../../parts/download-button.tsx'
import { Checkbox } from '../../parts/form/field.tsx'
import type { FormState } from '../../parts/form/form.tsx'
import { Moment } from '../../parts/moment.tsx'
import { ScrollBox } from '../../parts/page/scroll-box.tsx'
import { Notice } from '../../parts/page/states.tsx'
import { Num } from '../../parts/values.tsx'
import { useFormats } from '../../texts/formats.ts'
import { usePreferences } from '../../texts/language.ts'
import { KnownOperator } from '../operators/known-operator.tsx'
import { operatorText } from '../operators/operator-name.ts'
import type { SheetAnswer, SheetValues } from './sheet.ts'
import { useSheetTexts } from './sheet-texts.ts'

interface PreviewStepProps {
  readonly form: FormState<SheetValues>
  readonly answer: SheetAnswer
  /** Of amounts without one; empty for that of the installation. */
  readonly currency: string
  /** Returns all changes as CSV. */
  readonly readChanges: () => Promise<string>
}

type Effect = keyof SheetAnswer['effects']

const TONES = { raised: 'bad', lowered: 'good', added: 'info', ended: 'warn', unchanged: 'plain' } as const

/** Countries that a note names. */
const MAX_COUNTRIES = 4

export function PreviewStep({ form, answer, currency, readChanges }: PreviewStepProps) {
  const texts = useSheetTexts()
  const { language } = usePreferences()
  const { effects, problems, changes, wrong, doubt, unknown_networks: unknown, also_covered: covered } = answer
  const { unpriced, kept, new_rates: newRates } = answer
  const countries = new Intl.DisplayNames(language, { type: 'region' })
  const namesOfCovered = covered.slice(0, MAX_COUNTRIES).map((code) => countries.of(code) ?? code)
  return (
    <>
      <p className="flex flex-wrap gap-x-4 gap-y-1">
        {(Object.keys(texts.effects) as Effect[]).map((effect) => (
          <span key={effect}>
            <strong>
              <Num value={effects[effect]} />
            </strong>{' '}
            {texts.effects[effect]}
          </span>
        ))}
        {newRates > effects.added && <span className="text-muted">{texts.newRates(newRates)}</span>}
      </p>
      {problems.length > 0 && (
        <Notice kind="bad">
          <ul className="flex flex-col gap-2">
            {problems.map(({ kind, count, lines }) => (
              <li key={kind}>
                {texts.problems[kind]} (<Num value={count} />)
                <SheetLines lines={lines} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {wrong > 0 && <Checkbox label={texts.skipWrong(wrong)} {...form.field('skip_wrong')} />}
      {unpriced.count > 0 && (
        <Notice kind={kept === 0 ? 'info' : 'warn'}>
          {texts.unpriced(unpriced.count)} {kept > 0 && texts.kept(kept)}
          <SheetLines lines={unpriced.lines} />
        </Notice>
      )}
      {unpriced.count === 0 && kept > 0 && <Notice kind="warn">{texts.kept(kept)}</Notice>}
      {changes.length === 0 ? <p>{texts.nothing}</p> : <Changes changes={changes} currency={currency} />}
      {(changes.length > 0 || unknown.count > 0) && (
        <div className="flex flex-wrap items-center gap-3">
          <DownloadButton file="changes.csv" read={readChanges}>
            {texts.download}
          </DownloadButton>
          <Others answer={answer} />
        </div>
      )}
      <Below answer={answer} />
      {covered.length > 0 && (
        <Notice kind="info">
          {texts.alsoCovered(namesOfCovered.join(', '), covered.length - namesOfCovered.length)}
        </Notice>
      )}
      {unknown.count > 0 && (
        <Notice kind="info">{texts.unknown(unknown.count, unknown.first.slice(0, 8).join(', '))}</Notice>
      )}
      {doubt !== null && <Checkbox label={texts.confirm} {...form.field('confirm')} />}
    </>
  )
}

/** Of the sheet, in its own words. */
function SheetLines({ lines }: { readonly lines: SheetAnswer['unpriced']['lines'] }) {
  const texts = useSheetTexts()
  return (
    <ul className="list-disc pl-5 text-sm [overflow-wrap:anywhere]">
      {lines.map(({ line, text }) => (
        <li key={line}>{texts.line(line, text)}</li>
      ))}
    </ul>
  )
}

/** How many changes are only in the file. */
function Others({ answer: { effects, changes } }: { readonly answer: SheetAnswer }) {
  const texts = useSheetTexts()
  const others = effects.raised + effects.lowered + effects.added + effects.ended - changes.length
  return others === 0 ? null : <span className="text-muted">{texts.others(others)}</span>
}

function Changes({ changes, currency }: { readonly changes: SheetAnswer['changes']; readonly currency: string }) {
  const texts = useSheetTexts()
  const formats = useFormats()
  const amounts = changes.flatMap(({ before, before_currency, after, after_currency }) => [
    { amount: before, currency: before_currency ?? currency },
    { amount: after, currency: after_currency ?? currency },
  ])
  const digits = formats.moneyDigits(amounts, true)
  const write = (value: number | null, own: string | null) =>
    value === null ? '–' : formats.money(value, own ?? currency, digits)
  return (
    <div className="rounded-lg border">
      <ScrollBox label={texts.changes}>
        <table className="w-full text-sm">
          <caption className="px-3 pt-2 text-left font-medium">{texts.changes}</caption>
          <thead>
            <tr className="text-left text-muted">
              <th scope="col" className="px-3 py-1.5 font-normal">
                {texts.numbers}
              </th>
              <th scope="col" className="px-3 py-1.5 text-right font-normal">
                {texts.before}
              </th>
              <th scope="col" className="px-3 py-1.5 text-right font-normal">
                {texts.after}
              </th>
              <th scope="col" className="px-3 py-1.5 font-normal">
                {texts.from}
              </th>
            </tr>
          </thead>
          <tbody>
            {changes.map(
              ({ effect, is_new, prefix, operator, network, before, before_currency, after, after_currency, from }) => (
                <tr key={`${effect} ${prefix} ${operator} ${from}`} className="border-t">
                  <td className="px-3 py-1.5">
                    <Badge tone={TONES[effect]}>{texts.effects[effect]}</Badge>{' '}
                    {operatorText(operator, network) ?? <NumbersOf prefix={prefix} operator={operator} />}
                    {is_new && effect !== 'added' && <span className="text-muted"> · {texts.newLine}</span>}
                  </td>
                  <td className="px-3 py-1.5 text-right whitespace-nowrap tabular-nums">
                    {write(before, before_currency)}
                  </td>
                  <td className="px-3 py-1.5 text-right whitespace-nowrap tabular-nums">
                    {write(after, after_currency)}
                  </td>
                  <td className="px-3 py-1.5">
                    <Moment at={from} none="–" />
                  </td>
                </tr>
              ),
            )}
          </tbody>
        </table>
      </ScrollBox>
    </div>
  )
}

/** Of a rate. */
function NumbersOf({ prefix, operator }: { readonly prefix: string; readonly operator: string | null }) {
  const texts = useSheetTexts()
  if (operator !== null) return <KnownOperator mccmnc={operator} />
  return <>{prefix === '' ? texts.everyNumber : `${prefix}…`}</>
}

function Below({ answer: { below_cost: below } }: { readonly answer: SheetAnswer }) {
  const texts = useSheetTexts()
  const formats = useFormats()
  if (below === undefined || below.count === 0) return null
  return (
    <Notice kind="warn">
      {texts.below(below.count)}
      <ul className="list-disc pl-5 text-sm [overflow-wrap:anywhere]">
        {below.first.map(({ account, group, prefix, operator, currency, price, cost, ...of }) => (
          <li key={`${account} ${group} ${prefix} ${operator} ${currency}`}>
            <NumbersOf prefix={prefix} operator={operator} />
            {` · ${account === null ? (group ?? texts.general) : texts.account(account)}: `}
            {texts.belowLine(formats.exactMoney(price, currency), formats.exactMoney(cost, currency))} (
            <NumbersOf prefix={of.cost_prefix} operator={of.cost_operator} />)
          </li>
        ))}
      </ul>
    </Notice>
  )
}
