/** Approves, requests, changes and rejects senders. */
import { type AnswerOf, api, type BodyOf } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate } from '../../api/queries.ts'
import { channelChoices } from '../../parts/channel.tsx'
import { readDecimal, refuseField } from '../../parts/form/decimal.ts'
import { SelectField, TextArea, TextField } from '../../parts/form/field.tsx'
import { type FormState, useForm } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/form/form-dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { factsOf, MESSAGE_CHANNELS } from '../../texts/channels.ts'
import { usePreferences } from '../../texts/language.ts'
import { useSenderTexts } from './sender-texts.ts'

export type Sender = AnswerOf<'GET', '/senders'>['data'][number]
type Channel = Sender['channel']
type Ids = NonNullable<BodyOf<'POST', '/senders/approve'>['ids']>

interface SenderDialogProps {
  readonly account: number
  /** That is changed; null for a new one. */
  readonly sender: Sender | null
  readonly onClose: () => void
}

export function SenderDialog({ account, sender, onClose }: SenderDialogProps) {
  const texts = useSenderTexts()
  const { language } = usePreferences()
  const isApproval = useMay()('approveSender')
  const form = useForm({
    initial: draftOf(sender),
    send: (draft, key) => {
      const { channel, name } = draft
      const countries = readCountries(draft.countries)
      // A name may be known: what is left empty stays as it is, unless its dialog of changes empties it.
      const chosen = sender === null && countries === null ? {} : { countries }
      const body = { account, channel, name: name.trim(), ...chosen }
      return isApproval
        ? api.post('/senders/approve', { body: { ...body, ...readTerms(draft, sender !== null, texts) }, key })
        : api.post('/senders/request', { body, key })
    },
    done: ({ name, state }) => {
      invalidate('/senders', '/accounts/{account}')
      toast(state === 'approved' ? texts.approved(name) : texts.requested(name))
      onClose()
    },
  })
  const isSms = mayHaveTerms(form.values.channel)
  return (
    <FormDialog
      onClose={onClose}
      title={sender !== null ? texts.changeTitle(sender.name) : isApproval ? texts.addTitle : texts.requestTitle}
      form={form}
      action={sender !== null ? texts.save : isApproval ? texts.approve : texts.request}
    >
      {sender === null && (
        <>
          <SelectField
            label={texts.channel}
            choices={channelChoices(MESSAGE_CHANNELS, language)}
            {...form.field('channel')}
          />
          <TextField
            label={texts.name}
            hint={isSms ? texts.smsRule : texts.otherRule}
            maxLength={100}
            {...form.field('name')}
          />
        </>
      )}
      <TextField label={texts.countries} hint={texts.countriesHint} optional {...form.field('countries')} />
      {isApproval && isSms && <TermsFields form={form} />}
      {isApproval && <IdFields form={form} />}
    </FormDialog>
  )
}

type Draft = ReturnType<typeof draftOf>

function draftOf(sender: Sender | null) {
  return {
    channel: sender?.channel ?? ('sms' as Channel),
    name: sender?.name ?? '',
    countries: sender?.countries?.join(', ') ?? '',
    members: sender?.members.join(', ') ?? '',
    per_second: sender?.per_second?.toString() ?? '',
    registrations: writeRegistrations(sender?.registrations ?? {}),
    ids: sender?.ids ?? ({} as Ids),
  }
}

function TermsFields({ form }: { readonly form: FormState<Draft> }) {
  const texts = useSenderTexts()
  return (
    <>
      <TextField label={texts.members} hint={texts.membersHint} optional {...form.field('members')} />
      <TextField label={texts.rate} hint={texts.rateHint} inputMode="decimal" optional {...form.field('per_second')} />
      <TextArea
        label={texts.registrations}
        hint={texts.registrationsHint}
        rows={2}
        code
        optional
        {...form.field('registrations')}
      />
    </>
  )
}

function IdFields({ form }: { readonly form: FormState<Draft> }) {
  const texts = useSenderTexts()
  const { channel, ids } = form.values
  const { senderIds } = factsOf(channel)
  if (senderIds.length === 0) return null
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-2 text-sm text-muted">{texts.ids}</legend>
      {senderIds.map((id) => (
        <TextField
          key={id}
          label={id}
          name={id}
          optional
          maxLength={100}
          value={ids[id] ?? ''}
          onValue={(value) => form.change({ ids: { ...ids, [id]: value } })}
        />
      ))}
    </fieldset>
  )
}

/** `isChange`: what is empty is removed. Otherwise the name may be known, and stays as it is in what is left empty. */
function readTerms(draft: Draft, isChange: boolean, texts: ReturnType<typeof useSenderTexts>) {
  const { channel, members, per_second: rate, registrations } = draft
  const ids = Object.fromEntries(Object.entries(draft.ids).filter(([id, value]) => isIdOf(channel, id) && value !== ''))
  const isSent = (text: string) => mayHaveTerms(channel) && (isChange || text.trim() !== '')
  return {
    ...(isSent(members) ? { members: members.split(',').flatMap((each) => each.trim() || []) } : {}),
    ...(isSent(rate) ? { per_second: readRate(rate, texts.rateRule) } : {}),
    ...(isSent(registrations) ? { registrations: readRegistrations(registrations, texts.registrationsRule) } : {}),
    ids,
  }
}

/** Members, a rate and registrations. */
function mayHaveTerms(channel: Channel): boolean {
  return factsOf(channel).sender === 'number or name'
}

function isIdOf(channel: Channel, id: string): boolean {
  return factsOf(channel).senderIds.some((each) => each === id)
}

function readRate(text: string, rule: string): number | null {
  return text.trim() === '' ? null : readDecimal('per_second', text, rule)
}

type Registrations = Sender['registrations']

/** One value a line: `IN entity 1101234560000012345`. */
function writeRegistrations(registrations: Registrations): string {
  const lines = Object.entries(registrations).flatMap(([country, values]) =>
    Object.entries(values).map(([name, value]) => `${country} ${name} ${value}`),
  )
  return lines.join('\n')
}

/** Throws ApiError beside the field for a line of another form. */
function readRegistrations(text: string, rule: string): Registrations {
  const read: Record<string, Record<string, string>> = {}
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const [, country, name, value] = /^\s*([A-Za-z]{2})\s+([a-z][a-z0-9_]*)\s+(\S.*?)\s*$/.exec(line) ?? []
    if (country === undefined || name === undefined || value === undefined) return refuseField('registrations', rule)
    read[country.toUpperCase()] = { ...read[country.toUpperCase()], [name]: value }
  }
  return read
}

/** Null for all countries. */
function readCountries(text: string): readonly string[] | null {
  const codes = text.split(/[,\s]+/).filter((code) => code !== '')
  return codes.length === 0 ? null : codes.map((code) => code.toUpperCase())
}

export function RejectSenderDialog({ sender, onClose }: { readonly sender: Sender; readonly onClose: () => void }) {
  const texts = useSenderTexts()
  const { account, channel, name } = sender
  const form = useForm({
    initial: { reason: '' },
    send: ({ reason }, key) =>
      api.post('/senders/reject', { body: { account, channel, name, reason: reason.trim() }, key }),
    done: () => {
      invalidate('/senders', '/accounts/{account}')
      toast(texts.rejected(name))
      onClose()
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title={texts.rejectTitle(name)}
      description={texts.rejectHint}
      form={form}
      action={texts.reject}
      kind="danger"
    >
      <TextField label={texts.reason} hint={texts.reasonHint} maxLength={500} {...form.field('reason')} />
    </FormDialog>
  )
}
