/** A time as a number and its unit. The API takes whole seconds, or whole minutes. */
import { usePartTexts } from '../part-texts.ts'
import { isWhole, refuseField } from './decimal.ts'
import { type FieldBinding, FieldFrame } from './field.tsx'

/** Seconds of each. */
const UNITS = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const
export type TimeUnit = keyof typeof UNITS
const ALL_UNITS = Object.keys(UNITS) as TimeUnit[]

export interface Duration {
  /** As the user types it; empty for none. */
  readonly amount: string
  readonly unit: TimeUnit
}

/** Returns the time in the largest unit that it has a whole number of; null is an empty field. */
export function writeDuration(seconds: number | null, none: TimeUnit = 'minute'): Duration {
  if (seconds === null) return { amount: '', unit: none }
  const unit = ALL_UNITS.findLast((each) => seconds > 0 && seconds % UNITS[each] === 0) ?? 'second'
  return { amount: String(seconds / UNITS[unit]), unit }
}

/** Null if the amount is no whole number. */
export function durationSeconds({ amount, unit }: Duration): number | null {
  return isWhole(amount) ? Number(amount) * UNITS[unit] : null
}

/** Returns seconds. Throws ApiError with the problem at the field. */
export function readDuration(field: string, duration: Duration, problem: string): number {
  return durationSeconds(duration) ?? refuseField(field, problem)
}

interface DurationFieldProps extends FieldBinding<Duration> {
  readonly label: string
  readonly hint?: string | undefined
  readonly optional?: boolean | undefined
  readonly units?: readonly TimeUnit[]
}

export function DurationField(props: DurationFieldProps) {
  const { name, label, hint, error, optional, value, onValue, units = ALL_UNITS } = props
  const { timeUnits, unitOf } = usePartTexts()
  return (
    <FieldFrame {...{ label, hint, error, optional }}>
      {(ids) => (
        <div className="flex gap-2">
          <input
            {...ids}
            name={name}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            maxLength={15}
            required={optional !== true}
            value={value.amount}
            onChange={({ target }) => onValue({ ...value, amount: target.value })}
            className="input-box min-w-16"
          />
          <select
            aria-label={unitOf(label)}
            value={value.unit}
            onChange={({ target }) => onValue({ ...value, unit: target.value as TimeUnit })}
            className="input-box w-auto"
          >
            {units.map((unit) => (
              <option key={unit} value={unit}>
                {timeUnits[unit]}
              </option>
            ))}
          </select>
        </div>
      )}
    </FieldFrame>
  )
}

/** Returns a function that writes seconds in words: 5 minutes. */
export function useDurationText(): (seconds: number) => string {
  const { times } = usePartTexts()
  return (seconds) => {
    const { amount, unit } = writeDuration(seconds)
    return times[unit](Number(amount))
  }
}
