/** The form of a route, new or present. What identifies a present one cannot be changed. */
import { api } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'
import { AccountField } from '../../features/accounts/account-field.tsx'
import { changedFields } from '../../parts/form/changed-fields.ts'
import { readDecimal, readWhole } from '../../parts/form/decimal.ts'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { usePartTexts } from '../../parts/part-texts.ts'
import type { Route } from './routes-tab.tsx'
import { useRouteTexts } from './texts.ts'

interface RouteDialogProps {
  /** Null for a new one. */
  readonly route: Route | null
  readonly carriers: readonly string[]
  readonly onClose: () => void
}

export function RouteDialog({ route, carriers, onClose }: RouteDialogProps) {
  const texts = useRouteTexts()
  const partTexts = usePartTexts()
  const initial = initialOf(route, carriers)
  const form = useForm({
    initial,
    send: async (values, key) => {
      const read = (form: Values) => readSettings(form, partTexts)
      if (route === null) {
        await api.put('/routes', { body: { ...identityOf(values), ...withoutNulls(read(values)), new: true }, key })
        return
      }
      const changed = changedFields(read(initial), read(values))
      if (Object.keys(changed).length === 0) return
      await api.patch('/routes', { body: { ...identityOf(values), ...changed }, key })
    },
    done: () => {
      invalidate('/routes')
      toast(texts.saved)
      onClose()
    },
  })
  const fixed = route !== null
  return (
    <FormDialog onClose={onClose} title={fixed ? texts.editTitle : texts.addTitle} wide form={form}>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          {...form.field('carrier')}
          label={texts.carrier}
          disabled={fixed}
          choices={carriers.map((value) => ({ value, label: value }))}
        />
        <TextField
          {...form.field('prefix')}
          label={texts.numbers}
          hint={texts.prefixHint}
          optional
          disabled={fixed}
          inputMode="numeric"
        />
        <AccountField
          {...form.field('account')}
          label={texts.account}
          hint={texts.accountHint}
          placeholder={texts.all}
          optional
          disabled={fixed}
        />
        <TextField {...form.field('sender')} label={texts.sender} hint={texts.senderHint} optional disabled={fixed} />
        <TextField {...form.field('priority')} label={texts.priority} hint={texts.priorityHint} inputMode="numeric" />
        <TextField {...form.field('weight')} label={texts.weight} hint={texts.weightHint} inputMode="numeric" />
        <TextField {...form.field('operators')} label={texts.operators} hint={texts.operatorsHint} optional />
        <TextField {...form.field('pool')} label={texts.pool} optional />
        <TextField
          {...form.field('ring_seconds')}
          label={texts.ringSeconds}
          hint={texts.ringSecondsHint}
          optional
          inputMode="decimal"
        />
      </div>
    </FormDialog>
  )
}

type Values = ReturnType<typeof initialOf>

function initialOf(route: Route | null, carriers: readonly string[]) {
  const text = (value: number | null | undefined) => (value === null || value === undefined ? '' : String(value))
  return {
    carrier: route?.carrier ?? carriers[0] ?? '',
    prefix: route?.prefix ?? '',
    account: text(route?.account),
    sender: route?.sender ?? '',
    operators: route?.operators?.join(', ') ?? '',
    priority: String(route?.priority ?? 100),
    weight: String(route?.weight ?? 1),
    pool: route?.pool ?? '',
    ring_seconds: text(route?.ring_seconds),
  }
}

/** Returns what a route is found by. */
function identityOf({ carrier, prefix, account, sender }: Values) {
  return {
    carrier,
    prefix: prefix.replace(/[\s+]/g, ''),
    account: account === '' ? null : Number(account),
    sender: sender.trim() || null,
  }
}

/** Returns what can be changed. Throws ApiError for what is no number. */
function readSettings(values: Values, wrong: { readonly wholeNumber: string; readonly decimalNumber: string }) {
  const operators = values.operators.split(',').map((each) => each.trim())
  const ring = values.ring_seconds.trim()
  return {
    operators: values.operators.trim() === '' ? null : operators,
    priority: readWhole('priority', values.priority, wrong.wholeNumber),
    weight: readWhole('weight', values.weight, wrong.wholeNumber),
    pool: values.pool.trim() || null,
    ring_seconds: ring === '' ? null : readDecimal('ring_seconds', ring, wrong.decimalNumber),
  }
}

/** Only routes for calls have a pool and a ring time: others must not name them. */
function withoutNulls<T extends object>(settings: T): T {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null)) as T
}
