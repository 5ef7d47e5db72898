/** The form of a new carrier. */
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { api, type BodyOf } from '../../api/api.ts'
import { invalidate, useApi } from '../../api/queries.ts'
import { useCarrierTexts } from '../../features/carriers/carrier-view.tsx'
import type { Json } from '../../features/carriers/settings-form/setting-schema.ts'
import { SettingsEditor } from '../../features/carriers/settings-form/settings-editor.tsx'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { Form, useForm } from '../../parts/form/form.tsx'
import { FormActions } from '../../parts/form/form-dialog.tsx'
import { Dialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { useTexts } from '../../texts/texts.ts'
import { AddByProvider } from './add-by-provider.tsx'
import { NEW_ROUTE, RouteFields, routeOf } from './route-fields.tsx'
import { LIST_DE } from './texts-de.ts'
import { LIST_EN } from './texts-en.ts'

type Kind = NonNullable<BodyOf<'PUT', '/carriers/{id}'>['kind']>
type Channel = NonNullable<BodyOf<'PUT', '/carriers/{id}'>['channel']>

/** A route for calls needs a pool of numbers, which comes later. */
const CALL_KINDS: readonly Kind[] = ['sip']
/** Kinds that serve any channel. */
const ANY_CHANNEL: readonly Kind[] = ['http']

interface AddCarrierProps {
  readonly onClose: () => void
}

export function AddCarrier({ onClose }: AddCarrierProps) {
  const texts = useTexts<typeof LIST_EN>({ en: LIST_EN, de: LIST_DE })
  const navigate = useNavigate()
  const [provider, setProvider] = useState('')
  const { data: providers } = useApi('/providers')
  const done = (carrier: string) => {
    onClose()
    void navigate({ to: `/carriers/${encodeURIComponent(carrier)}` })
  }
  return (
    <Dialog open onClose={onClose} title={texts.addTitle} description={texts.addDescription} wide>
      <div className="flex flex-col gap-4">
        <SelectField
          name="provider"
          value={provider}
          onValue={setProvider}
          label={texts.provider}
          none={texts.noProvider}
          choices={(providers?.data ?? []).map((each) => ({ value: each.provider, label: each.title }))}
        />
        {provider === '' ? (
          <AddBySettings onCancel={onClose} onDone={done} />
        ) : (
          <AddByProvider key={provider} provider={provider} onCancel={onClose} onDone={done} />
        )}
      </div>
    </Dialog>
  )
}

interface AddBySettingsProps {
  readonly onCancel: () => void
  readonly onDone: (carrier: string) => void
}

function AddBySettings({ onCancel, onDone }: AddBySettingsProps) {
  const texts = useTexts<typeof LIST_EN>({ en: LIST_EN, de: LIST_DE })
  const carrierTexts = useCarrierTexts()
  const form = useForm({
    initial: {
      id: '',
      kind: 'smpp' as Kind,
      channel: 'sms' as Channel,
      settings: {} as Json,
      ...NEW_ROUTE,
    },
    send: ({ id, kind, channel, settings, ...route }, key) => {
      const isForCalls = CALL_KINDS.includes(kind)
      return api.put('/carriers/{id}', {
        params: { id: id.trim() },
        body: {
          kind,
          ...(ANY_CHANNEL.includes(kind) ? { channel } : {}),
          settings,
          route: isForCalls ? null : routeOf(route),
          new: true,
        },
        key,
      })
    },
    done: ({ carrier }) => {
      invalidate('/carriers', '/routes')
      toast(texts.added(carrier))
      onDone(carrier)
    },
  })
  const { kind, settings } = form.values
  /** What was typed for other kinds comes back with them. */
  const typed = useRef(new Map<Kind, Json>())
  const chooseKind = (next: Kind) => {
    typed.current.set(kind, settings)
    form.forgive()
    form.change({ kind: next, settings: typed.current.get(next) ?? {} })
  }
  const choices = (of: Readonly<Record<string, string>>) =>
    Object.entries(of).map(([value, label]) => ({ value, label }))
  return (
    <Form form={form}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...form.field('id')} label={texts.id} hint={texts.idHint} />
        <SelectField
          {...form.field('kind')}
          label={carrierTexts.kind}
          choices={choices(carrierTexts.kinds) as { value: Kind; label: string }[]}
          onValue={chooseKind}
        />
        {ANY_CHANNEL.includes(kind) && (
          <SelectField
            {...form.field('channel')}
            label={carrierTexts.channel}
            choices={choices(carrierTexts.channels) as { value: Channel; label: string }[]}
          />
        )}
      </div>
      <SettingsEditor
        key={kind}
        kind={kind}
        label={texts.settings}
        value={settings}
        onValue={(next) => form.change({ settings: next })}
        errors={form.errorsIn('settings')}
      />
      {CALL_KINDS.includes(kind) ? (
        <p className="text-sm text-muted">{texts.callRouteHint}</p>
      ) : (
        <RouteFields form={form} />
      )}
      <FormActions form={form} onCancel={onCancel} action={texts.add} />
    </Form>
  )
}
