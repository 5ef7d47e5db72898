/** Limits of the installation; accounts may have stricter ones of their own. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AnswerOf, api, type BodyOf } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate } from '../../api/queries.ts'
import { QuietHoursField } from '../../features/guards/quiet-hours-field.tsx'
import { VelocityField } from '../../features/guards/velocity-field.tsx'
import { Button } from '../../parts/button.tsx'
import { readDecimal, readWhole } from '../../parts/form/decimal.ts'
import { FieldGroup, SelectField, TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { splitList } from '../../parts/form/split-list.ts'
import { toast } from '../../parts/overlay/toast.tsx'
import { Card } from '../../parts/page/page.tsx'
import { ErrorState, Loading, Notice } from '../../parts/page/states.tsx'
import { usePartTexts } from '../../parts/part-texts.ts'
import { Unsaved } from '../../parts/unsaved.tsx'
import { useGuardTexts } from './texts.ts'

type Guards = AnswerOf<'GET', '/guards'>
type Change = BodyOf<'PATCH', '/guards'>

/** Reads the version that the form changes: what others change in the meantime is not overwritten. */
export function Limits() {
  const [version, setVersion] = useState(0)
  const query = useQuery({
    queryKey: ['guard settings', version],
    queryFn: ({ signal }) => api.getVersioned('/guards', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (query.error !== null) return <ErrorState error={query.error} retry={() => void query.refetch()} />
  if (query.data === undefined) return <Loading />
  const { answer, etag } = query.data
  return <LimitForm key={version} before={answer} etag={etag} reload={() => setVersion(version + 1)} />
}

interface LimitFormProps {
  readonly before: Guards
  readonly etag: string | null
  readonly reload: () => void
}

function LimitForm({ before, etag, reload }: LimitFormProps) {
  const texts = useGuardTexts()
  const partTexts = usePartTexts()
  const mayChange = useMay()('changeGuards')
  const form = useForm({
    initial: inputsOf(before),
    send: (inputs, key) =>
      api.patch('/guards', {
        body: read(inputs, { whole: partTexts.wholeNumber, decimal: partTexts.decimalNumber }),
        key,
        ifMatch: etag,
      }),
    done: () => {
      invalidate('/guards')
      toast(texts.limitsSaved)
      reload()
    },
  })
  return (
    <Card title={texts.limits} description={texts.limitsHint}>
      <Form form={form}>
        <Unsaved when={!form.isSending && JSON.stringify(form.values) !== JSON.stringify(inputsOf(before))} />
        {!mayChange && <Notice kind="info">{texts.readOnly}</Notice>}
        <fieldset disabled={!mayChange} className="grid items-start gap-x-8 gap-y-5 lg:grid-cols-2">
          <legend className="sr-only">{texts.limits}</legend>
          <TextField
            {...form.field('allowed_countries')}
            label={texts.countries}
            hint={texts.countriesHint}
            placeholder="DE, AT, CH"
            optional
          />
          <TextField
            {...form.field('daily_messages')}
            label={texts.daily}
            hint={texts.dailyHint}
            inputMode="numeric"
            optional
          />
          <SelectField
            {...form.field('opt_out_scope')}
            label={texts.scope}
            disabled={!mayChange}
            choices={(['sender', 'account'] as const).map((value) => ({ value, label: texts.scopes[value] }))}
          />
          <div className="lg:col-span-2">
            <VelocityField {...form.field('velocity_limits')} label={texts.velocity} disabled={!mayChange} />
          </div>
          <QuietHoursField {...form.field('quiet_hours')} label={texts.quiet} none="" disabled={!mayChange} />
          <FieldGroup label={texts.pumping}>
            <div className="grid items-start gap-3 sm:grid-cols-3">
              <TextField {...form.field('floor')} label={texts.floor} inputMode="numeric" optional />
              <TextField {...form.field('factor')} label={texts.factor} inputMode="decimal" optional />
              <TextField {...form.field('stop_minutes')} label={texts.stop} inputMode="numeric" optional />
            </div>
            <p className="mt-2 text-sm text-muted">{texts.pumpingHint}</p>
            {form.field('pumping').error !== undefined && (
              <p className="mt-2 text-sm text-bad">{form.field('pumping').error}</p>
            )}
          </FieldGroup>
        </fieldset>
        {mayChange && (
          <div className="flex flex-wrap gap-2">
            <SubmitButton form={form}>{texts.save}</SubmitButton>
            <Button onClick={reload}>{texts.discard}</Button>
          </div>
        )}
      </Form>
    </Card>
  )
}

function inputsOf({ allowed_countries, daily_messages, quiet_hours, opt_out_scope, velocity_limits, pumping }: Guards) {
  const text = (value: number | null | undefined) => (value === null || value === undefined ? '' : String(value))
  return {
    allowed_countries: allowed_countries?.join(', ') ?? '',
    daily_messages: text(daily_messages),
    quiet_hours: quiet_hours ?? '',
    opt_out_scope,
    velocity_limits: velocity_limits.join('\n'),
    floor: text(pumping?.floor),
    factor: text(pumping?.factor),
    stop_minutes: text(pumping?.stop_minutes),
    /** Its errors belong to the three fields above together. */
    pumping: '',
  }
}

interface Problems {
  readonly whole: string
  readonly decimal: string
}

function read(inputs: ReturnType<typeof inputsOf>, problems: Problems): Change {
  const { allowed_countries: countries, daily_messages: daily, quiet_hours: quiet, opt_out_scope } = inputs
  const { velocity_limits: velocity, floor, factor, stop_minutes: stop } = inputs
  const whole = (field: string, text: string) => readWhole(field, text, problems.whole)
  const isOff = [floor, factor, stop].every((text) => text.trim() === '')
  const codes = countries.split(/[\s,]+/).filter((code) => code !== '')
  return {
    allowed_countries: codes.length === 0 ? null : codes.map((code) => code.toUpperCase()),
    daily_messages: daily.trim() === '' ? null : whole('daily_messages', daily),
    quiet_hours: quiet.trim() === '' ? null : quiet.trim(),
    opt_out_scope,
    velocity_limits: splitList(velocity, '\n'),
    pumping: isOff
      ? null
      : {
          floor: whole('floor', floor),
          factor: readDecimal('factor', factor, problems.decimal),
          stop_minutes: whole('stop_minutes', stop),
        },
  }
}
