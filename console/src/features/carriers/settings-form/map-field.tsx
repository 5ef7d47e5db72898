/** A map of names and values, a row for each entry. */
import { Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button, IconButton } from '../../../parts/button.tsx'
import { FieldGroup } from '../../../parts/form/field.tsx'
import { useFormTexts } from './form-texts.ts'
import { asObject, kindOf, type SettingSchema, valuesOf } from './setting-schema.ts'

interface MapFieldProps {
  readonly name: string
  readonly label: string
  readonly hint: ReactNode
  readonly error: string | undefined
  readonly schema: SettingSchema
  readonly value: unknown
  readonly onValue: (value: unknown) => void
  readonly errors: ReadonlyMap<string, string>
}

type Row = readonly [name: string, value: string]

export function MapField({ name, label, hint, error, schema, value, onValue, errors }: MapFieldProps) {
  const texts = useFormTexts()
  const values = valuesOf(schema) ?? {}
  /** Rows may have no name or a repeated one while they are typed; only the others are sent. */
  const [rows, setRows] = useState<readonly Row[]>(() =>
    Object.entries(asObject(value)).map(([key, each]) => [key, String(each)] as const),
  )
  const change = (next: readonly Row[]) => {
    setRows(next)
    const named = next.filter(([key]) => key !== '')
    onValue(named.length === 0 ? undefined : Object.fromEntries(named.map(([key, text]) => [key, typed(values, text)])))
  }
  const edit = (index: number, row: Row) => change(rows.map((each, at) => (at === index ? row : each)))
  const kind = kindOf(values)
  return (
    <FieldGroup label={label}>
      <p className="text-sm text-muted">{hint}</p>
      {rows.map(([key, text], index) => {
        const labels = { name: `${label}: ${texts.name} ${index + 1}`, value: `${label}: ${texts.value} ${index + 1}` }
        const input = {
          'aria-label': labels.value,
          'aria-invalid': errors.has(`${name}.${key}`),
          value: text,
          className: 'input-box min-w-0 flex-1',
        }
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row keeps its place while its name is typed
          <div key={index} className="mt-2 flex flex-wrap items-start gap-2">
            <input
              type="text"
              autoComplete="off"
              aria-label={labels.name}
              value={key}
              onChange={(event) => edit(index, [event.target.value, text])}
              className="input-box min-w-0 flex-1"
            />
            {kind === 'choice' ? (
              <select {...input} onChange={(event) => edit(index, [key, event.target.value])}>
                <option value="" />
                {(values.enum ?? []).map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            ) : (
              <input
                {...input}
                type={kind === 'secret' ? 'password' : 'text'}
                autoComplete={kind === 'secret' ? 'new-password' : 'off'}
                onChange={(event) => edit(index, [key, event.target.value])}
              />
            )}
            <IconButton
              label={`${texts.removeRow}: ${key || index + 1}`}
              icon={Trash2}
              onClick={() => change(rows.filter((_, at) => at !== index))}
            />
            {errors.has(`${name}.${key}`) && <p className="w-full text-sm text-bad">{errors.get(`${name}.${key}`)}</p>}
          </div>
        )
      })}
      {error !== undefined && <p className="mt-2 text-sm text-bad">{error}</p>}
      <Button className="mt-3" icon={Plus} onClick={() => setRows([...rows, ['', '']])}>
        {texts.addRow}
      </Button>
    </FieldGroup>
  )
}

function typed(schema: SettingSchema, text: string): unknown {
  return kindOf(schema) === 'number' && /^-?\d{1,15}$/.test(text) ? Number(text) : text
}
