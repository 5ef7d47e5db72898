/** Approves, requests and rejects senders. */
import { type AnswerOf, api, type BodyOf } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { channelChoices } from '../../parts/channel.tsx'
import { readDecimal } from '../../parts/form/decimal.ts'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { Dialog, DialogActions } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { factsOf, MESSAGE_CHANNELS } from '../../texts/channels.ts'
import { usePreferences } from '../../texts/language.ts'
import { useSenderTexts } from './sender-texts.ts'

export type Sender = AnswerOf<'GET', '/senders'>['data'][number]
type Channel = Sender['channel']
type Ids = NonNullable<BodyOf<'POST', '/senders/approve'>['ids']>

interface SenderDialogProps {
  readonly account: number
  readonly onClose: () => void
}

export function AddSenderDialog({ account, onClose }: SenderDialogProps) {
  const texts = useSenderTexts()
  const { language } = usePreferences()
  const isApproval = useMay()('approveSender')
  const form = useForm({
    initial: { channel: 'sms' as Channel, name: '', countries: '', members: '', per_second: '', ids: {} as Ids },
    send: ({ channel, name, countries, members, per_second: rate, ids }, key) => {
      const known = Object.fromEntries(Object.entries(ids).filter(([id, value]) => isIdOf(channel, id) && value !== ''))
      const body = { account, channel, name: name.trim(), countries: readCountries(countries) }
      return isApproval
        ? api.post('/senders/approve', {
            body: { ...body, ...readTerms(channel, { members, rate, rateRule: texts.rateRule }), ids: known },
            key,
          })
        : api.post('/senders/request', { body, key })
    },
    done: ({ name, state }) => {
      invalidate('/senders', '/accounts/{account}')
      toast(state === 'approved' ? texts.approved(name) : texts.requested(name))
      onClose()
    },
  })
  const { channel, ids } = form.values
  return (
    <Dialog open onClose={onClose} title={isApproval ? texts.addTitle : texts.requestTitle}>
      <Form form={form}>
        <SelectField
          label={texts.channel}
          choices={channelChoices(MESSAGE_CHANNELS, language)}
          {...form.field('channel')}
        />
        <TextField
          label={texts.name}
          hint={factsOf(channel).sender === 'number or name' ? texts.smsRule : texts.otherRule}
          maxLength={100}
          {...form.field('name')}
        />
        <TextField label={texts.countries} hint={texts.countriesHint} optional {...form.field('countries')} />
        {isApproval && factsOf(channel).sender === 'number or name' && (
          <>
            <TextField label={texts.members} hint={texts.membersHint} optional {...form.field('members')} />
            <TextField
              label={texts.rate}
              hint={texts.rateHint}
              inputMode="decimal"
              optional
              {...form.field('per_second')}
            />
          </>
        )}
        {isApproval && factsOf(channel).senderIds.length > 0 && (
          <fieldset className="flex flex-col gap-4">
            <legend className="mb-2 text-sm text-muted">{texts.ids}</legend>
            {factsOf(channel).senderIds.map((id) => (
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
        )}
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <SubmitButton form={form}>{isApproval ? texts.approve : texts.request}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

function isIdOf(channel: Channel, id: string): boolean {
  return factsOf(channel).senderIds.some((each) => each === id)
}

/** What is left empty stays as it is. */
function readTerms(
  channel: Channel,
  terms: { readonly members: string; readonly rate: string; readonly rateRule: string },
) {
  const { members, rate, rateRule } = terms
  if (factsOf(channel).sender !== 'number or name') return {}
  const names = members.split(',').map((name) => name.trim())
  return {
    ...(members.trim() === '' ? {} : { members: names.filter((name) => name !== '') }),
    ...(rate.trim() === '' ? {} : { per_second: readDecimal('per_second', rate, rateRule) }),
  }
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
    <Dialog open onClose={onClose} title={texts.rejectTitle(name)} description={texts.rejectHint}>
      <Form form={form}>
        <TextField label={texts.reason} hint={texts.reasonHint} maxLength={500} {...form.field('reason')} />
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <SubmitButton form={form} kind="danger">
            {texts.reject}
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
