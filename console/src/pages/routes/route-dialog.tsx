/** The form of a route, new or present. What identifies a present one cannot be changed. */
import { api } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'
import { AccountField } from '../../features/accounts/account-field.tsx'
import { Button } from '../../parts/button.tsx'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { Dialog, DialogActions } from '../../parts/overlay/dialog.tsx'
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
  const form = useForm({
    initial: {
      carrier: route?.carrier ?? carriers[0] ?? '',
      prefix: route?.prefix ?? '',
      account: route?.account === null || route === null ? '' : String(route.account),
      sender: route?.sender ?? '',
      operators: route?.operators?.join(', ') ?? '',
      priority: String(route?.priority ?? 100),
      weight: String(route?.weight ?? 1),
      pool: route?.pool ?? '',
      ring_seconds: route === null || route.ring_seconds === null ? '' : String(route.ring_seconds),
    },
    send: (values, key) => {
      const operators = values.operators.split(',').map((each) => each.trim())
      const body = {
        carrier: values.carrier,
        prefix: values.prefix.trim().replace(/^\+/, ''),
        account: values.account.trim() === '' ? null : Number(values.account),
        sender: values.sender.trim() === '' ? null : values.sender.trim(),
        operators: values.operators.trim() === '' ? null : operators,
        priority: Number(values.priority),
        weight: Number(values.weight),
        ...(values.pool.trim() === '' && route?.pool == null ? {} : { pool: values.pool.trim() || null }),
        ...(values.ring_seconds.trim() === '' && route?.ring_seconds == null
          ? {}
          : { ring_seconds: values.ring_seconds.trim() === '' ? null : Number(values.ring_seconds) }),
      }
      return route === null
        ? api.put('/routes', { body: { ...body, new: true }, key })
        : api.patch('/routes', { body, key })
    },
    done: () => {
      invalidate('/routes')
      toast(texts.saved)
      onClose()
    },
  })
  const fixed = route !== null
  return (
    <Dialog open onClose={onClose} title={fixed ? texts.editTitle : texts.addTitle} wide>
      <Form form={form}>
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
        <DialogActions>
          <Button onClick={onClose}>{partTexts.cancel}</Button>
          <SubmitButton form={form}>{partTexts.save}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
