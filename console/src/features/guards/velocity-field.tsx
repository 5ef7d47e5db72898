/** Velocity limits as rows of fields. The form holds them as the API writes them, one per line. */
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../parts/button.tsx'
import { isWhole } from '../../parts/form/decimal.ts'
import { DurationField, durationSeconds, useDurationText } from '../../parts/form/duration-field.tsx'
import { type FieldBinding, FieldGroup, SelectField, TextField } from '../../parts/form/field.tsx'
import { splitList } from '../../parts/form/split-list.ts'
import { usePartTexts } from '../../parts/part-texts.ts'
import { useFormats } from '../../texts/formats.ts'
import { useGuardFieldTexts } from './guard-texts.ts'
import { readVelocityLimit, type Scope, type VelocityLimit, writeVelocityLimit } from './velocity-limit.ts'

interface VelocityFieldProps extends FieldBinding<string> {
  readonly label: string
  readonly hint?: string | undefined
  readonly disabled?: boolean
}

interface Row {
  readonly key: number
  readonly limit: VelocityLimit
}

const NEW: VelocityLimit = { most: '', scope: 'phone', digits: '', within: { amount: '1', unit: 'hour' } }
const MAX_LIMITS = 20

/** It reads its value once: a form that is set back must give it another key. */
export function VelocityField({ label, hint, value, onValue, error, disabled = false }: VelocityFieldProps) {
  const texts = useGuardFieldTexts()
  const [rows, setRows] = useState<readonly Row[]>(() => rowsOf(value))
  const set = (next: readonly Row[]) => {
    setRows(next)
    onValue(next.map(({ limit }) => writeVelocityLimit(limit)).join('\n'))
  }
  const add = () => set([...rows, { key: (rows.at(-1)?.key ?? 0) + 1, limit: NEW }])
  return (
    <FieldGroup label={label}>
      <div className="flex flex-col gap-4">
        {hint !== undefined && <p className="text-sm text-muted">{hint}</p>}
        {rows.length === 0 && <p className="text-sm text-muted">{texts.noLimit}</p>}
        {rows.map(({ key, limit }, index) => (
          <LimitRow
            key={key}
            number={index + 1}
            limit={limit}
            disabled={disabled}
            isRefused={error !== undefined}
            onLimit={(changed) => set(rows.map((row) => (row.key === key ? { key, limit: changed } : row)))}
            onRemove={() => set(rows.filter((row) => row.key !== key))}
          />
        ))}
        {error !== undefined && rows.every(({ limit }) => isWritten(limit)) && (
          <p role="alert" className="text-sm text-bad">
            {error}
          </p>
        )}
        {!disabled && rows.length < MAX_LIMITS && (
          <Button size="small" icon={Plus} className="self-start" onClick={add}>
            {texts.addLimit}
          </Button>
        )}
      </div>
    </FieldGroup>
  )
}

/** Whether each field has a number; what else may be wrong is said of the group. */
function isWritten({ most, scope, digits, within }: VelocityLimit): boolean {
  return isWhole(most) && isWhole(within.amount) && (scope !== 'prefix' || isWhole(digits))
}

function rowsOf(value: string): readonly Row[] {
  return splitList(value, '\n').flatMap((text, index) => {
    const limit = readVelocityLimit(text)
    return limit === null ? [] : { key: index + 1, limit }
  })
}

interface LimitRowProps {
  readonly number: number
  readonly limit: VelocityLimit
  readonly disabled: boolean
  /** An empty field is not wrong before the form is sent. */
  readonly isRefused: boolean
  readonly onLimit: (limit: VelocityLimit) => void
  readonly onRemove: () => void
}

function LimitRow({ number, limit, disabled, isRefused, onLimit, onRemove }: LimitRowProps) {
  const texts = useGuardFieldTexts()
  const { wholeNumber } = usePartTexts()
  const { most, scope, digits, within } = limit
  const bind = <Name extends keyof VelocityLimit>(name: Name) => ({
    name: `velocity ${number} ${name}`,
    value: limit[name],
    onValue: (value: VelocityLimit[Name]) => onLimit({ ...limit, [name]: value }),
  })
  const problem = (text: string) => (isWhole(text) || (text.trim() === '' && !isRefused) ? undefined : wholeNumber)
  return (
    <fieldset disabled={disabled} className="border-b pb-4 last-of-type:border-0 last-of-type:pb-0">
      <legend className="sr-only">{texts.limit(number)}</legend>
      <div className="grid grid-cols-2 items-start gap-3 sm:grid-cols-[6rem_minmax(0,1fr)_minmax(0,1.2fr)_auto]">
        <TextField {...bind('most')} label={texts.most} inputMode="numeric" maxLength={12} error={problem(most)} />
        <SelectField
          {...bind('scope')}
          label={texts.per}
          choices={(['phone', 'country', 'prefix'] as const).map((value) => ({ value, label: texts.scopes[value] }))}
        />
        <DurationField {...bind('within')} label={texts.within} error={problem(within.amount)} />
        {!disabled && (
          <div className="sm:pt-6.5">
            <IconButton label={texts.removeLimit(number)} icon={Trash2} onClick={onRemove} />
          </div>
        )}
        {scope === 'prefix' && (
          <TextField
            {...bind('digits')}
            label={texts.digits}
            inputMode="numeric"
            maxLength={2}
            error={problem(digits)}
          />
        )}
      </div>
      <LimitSentence limit={limit} />
    </fieldset>
  )
}

function LimitSentence({ limit }: { readonly limit: VelocityLimit }) {
  const write = useLimitText()
  const sentence = write(limit)
  return sentence === null ? null : <p className="mt-2 text-sm text-muted">{sentence}</p>
}

/** Returns a function that writes a limit in words; null while a part is missing. */
function useLimitText(): (limit: VelocityLimit) => string | null {
  const texts = useGuardFieldTexts()
  const { number } = useFormats()
  const durationText = useDurationText()
  const scopeText = (scope: Scope, digits: string) =>
    scope === 'prefix' ? texts.ofScope.prefix(digits.trim()) : texts.ofScope[scope]
  return (limit) => {
    const { most, scope, digits, within } = limit
    const seconds = durationSeconds(within)
    if (!isWritten(limit) || seconds === null) return null
    return texts.sentence(number(Number(most)), scopeText(scope, digits), durationText(seconds))
  }
}

/** Returns a function that writes a limit of the API in words. */
export function useVelocityText(): (text: string) => string {
  const write = useLimitText()
  return (text) => {
    const limit = readVelocityLimit(text)
    return (limit === null ? null : write(limit)) ?? text
  }
}
