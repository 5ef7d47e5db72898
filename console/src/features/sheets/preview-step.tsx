/** The third step: what the sheet changes, what is wrong in it, and what to look at before. */
import { Badge } from '../../parts/badge.tsx'
import { Checkbox } from '../../parts/form/field.tsx'
import type { FormState } from '../../parts/form/form.tsx'
import { Moment } from '../../parts/moment.tsx'
import { ScrollBox } from '../../parts/page/scroll-box.tsx'
import { Notice } from '../../parts/page/states.tsx'
import { Num } from '../../parts/values.tsx'
import { useFormats } from '../../texts/formats.ts'
import { KnownOperator } from '../operators/known-operator.tsx'
import type { SheetAnswer, SheetValues } from './sheet.ts'
import { useSheetTexts } from './sheet-texts.ts'

interface PreviewStepProps {
  readonly form: FormState<SheetValues>
  readonly answer: SheetAnswer
  /** Empty if each amount has its own. */
  readonly currency: string
}

type Effect = keyof SheetAnswer['effects']

const TONES = { raised: 'bad', lowered: 'good', added: 'info', ended: 'warn', unchanged: 'plain' } as const

export function PreviewStep({ form, answer, currency }: PreviewStepProps) {
  const texts = useSheetTexts()
  const { effects, problems, changes, wrong, doubt, unknown_networks: unknown, also_covered: covered } = answer
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
      </p>
      {problems.length > 0 && (
        <Notice kind="bad">
          <ul className="flex flex-col gap-2">
            {problems.map(({ kind, count, lines }) => (
              <li key={kind}>
                {texts.problems[kind]} (<Num value={count} />)
                <ul className="list-disc pl-5 text-sm [overflow-wrap:anywhere]">
                  {lines.map(({ line, text }) => (
                    <li key={line}>{texts.line(line, text)}</li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {wrong > 0 && <Checkbox label={texts.skipWrong(wrong)} {...form.field('skip_wrong')} />}
      {changes.length === 0 ? <p>{texts.nothing}</p> : <Changes changes={changes} currency={currency} />}
      <Below answer={answer} />
      {covered.length > 0 && <Notice kind="info">{texts.alsoCovered(covered.join(', '))}</Notice>}
      {unknown.count > 0 && (
        <Notice kind="info">{texts.unknown(unknown.count, unknown.first.slice(0, 8).join(', '))}</Notice>
      )}
      {doubt !== null && <Checkbox label={texts.confirm} {...form.field('confirm')} />}
    </>
  )
}

function Changes({ changes, currency }: { readonly changes: SheetAnswer['changes']; readonly currency: string }) {
  const texts = useSheetTexts()
  const formats = useFormats()
  const amount = (value: number | null) => {
    if (value === null) return '–'
    return currency === '' ? String(value) : formats.money(value, currency)
  }
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
            {changes.map(({ effect, prefix, operator, before, after, from }) => (
              <tr key={`${effect} ${prefix} ${operator} ${from}`} className="border-t">
                <td className="px-3 py-1.5">
                  <Badge tone={TONES[effect]}>{texts.effects[effect]}</Badge>{' '}
                  <NumbersOf prefix={prefix} operator={operator} />
                </td>
                <td className="px-3 py-1.5 text-right whitespace-nowrap tabular-nums">{amount(before)}</td>
                <td className="px-3 py-1.5 text-right whitespace-nowrap tabular-nums">{amount(after)}</td>
                <td className="px-3 py-1.5">
                  <Moment at={from} none="–" />
                </td>
              </tr>
            ))}
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
        {below.first.map(({ account, prefix, operator, currency, price, cost }) => (
          <li key={`${account} ${prefix} ${operator} ${currency}`}>
            <NumbersOf prefix={prefix} operator={operator} />
            {` · ${account === null ? texts.general : texts.account(account)}: `}
            {texts.belowLine(formats.money(price, currency), formats.money(cost, currency))}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
