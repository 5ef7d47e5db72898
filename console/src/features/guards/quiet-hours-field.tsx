/** Quiet hours as fields. The form holds them as the API writes them: 22:00-07:00, or 22:00-07:00 refuse. */
import { useState } from 'react'
import { type FieldBinding, FieldGroup, SelectField, TextField } from '../../parts/form/field.tsx'
import { useGuardFieldTexts } from './guard-texts.ts'

interface Hours {
  readonly from: string
  readonly to: string
  readonly action: 'wait' | 'refuse'
}

type Mode = 'installation' | 'none' | 'own'
const NIGHT: Hours = { from: '22:00', to: '07:00', action: 'wait' }
const WRITTEN = /^(\d\d:\d\d)-(\d\d:\d\d)(?: (wait|refuse))?$/

interface QuietHoursFieldProps extends FieldBinding<string> {
  readonly label: string
  readonly hint?: string | undefined
  /** The text for none; accounts may also have those of the installation. */
  readonly none: '' | 'off'
  readonly disabled?: boolean
}

/** It reads its value once: a form that is set back must give it another key. */
export function QuietHoursField(props: QuietHoursFieldProps) {
  const { label, hint, name, value, onValue, error, none, disabled = false } = props
  const texts = useGuardFieldTexts()
  const [hours, setHours] = useState<Hours>(() => readHours(value) ?? NIGHT)
  const mode: Mode = value === none ? 'none' : value === 'installation' ? 'installation' : 'own'
  const modes: readonly Mode[] = none === 'off' ? ['installation', 'none', 'own'] : ['none', 'own']
  const setMode = (next: Mode) => onValue(next === 'own' ? writeHours(hours) : next === 'none' ? none : next)
  const bind = <Name extends keyof Hours>(field: Name) => ({
    name: `${name} ${field}`,
    value: hours[field],
    onValue: (part: Hours[Name]) => {
      const next = { ...hours, [field]: part }
      setHours(next)
      onValue(writeHours(next))
    },
  })
  const write = useQuietText()
  return (
    <FieldGroup label={label}>
      <fieldset disabled={disabled} className="grid grid-cols-2 items-start gap-3">
        <legend className="sr-only">{label}</legend>
        <div className="col-span-2">
          <SelectField
            name={name}
            value={mode}
            onValue={setMode}
            label={texts.hours}
            choices={modes.map((each) => ({ value: each, label: texts.modes[each] }))}
          />
        </div>
        {mode === 'own' && (
          <>
            <TextField {...bind('from')} label={texts.from} type="time" />
            <TextField {...bind('to')} label={texts.to} type="time" />
            <div className="col-span-2">
              <SelectField
                {...bind('action')}
                label={texts.action}
                choices={(['wait', 'refuse'] as const).map((each) => ({ value: each, label: texts.actions[each] }))}
              />
            </div>
          </>
        )}
      </fieldset>
      <p className="mt-2 text-sm text-muted">{[write(value), hint].filter((each) => each !== undefined).join(' ')}</p>
      {error !== undefined && (
        <p role="alert" className="mt-2 text-sm text-bad">
          {error}
        </p>
      )}
    </FieldGroup>
  )
}

function readHours(text: string): Hours | null {
  const [, from, to, action = 'wait'] = WRITTEN.exec(text) ?? []
  return from === undefined || to === undefined ? null : { from, to, action: action as Hours['action'] }
}

function writeHours({ from, to, action }: Hours): string {
  return `${from}-${to}${action === 'wait' ? '' : ` ${action}`}`
}

/** Returns a function that writes quiet hours of the API in words. */
export function useQuietText(): (text: string) => string {
  const texts = useGuardFieldTexts()
  return (text) => {
    if (text === '' || text === 'off') return texts.none
    if (text === 'installation') return texts.asInstallation
    const hours = readHours(text)
    if (hours === null) return ''
    return `${texts.quiet(hours.from, hours.to)} ${hours.action === 'wait' ? texts.waits : texts.refuses}`
  }
}
