/** Step 3: names that recipients see. */
import { api } from '../../api/api.ts'
import { invalidate } from '../../api/queries.ts'
import { SenderBadge } from '../../features/accounts/state-badge.tsx'
import { Button } from '../../parts/button.tsx'
import { ChannelName, channelChoices } from '../../parts/channel.tsx'
import { Checkbox, SelectField, TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { MESSAGE_CHANNELS, type MessageChannel } from '../../texts/channels.ts'
import { usePreferences } from '../../texts/language.ts'
import { useNewTexts } from './new-texts.ts'
import type { StepProps } from './step.ts'

export function SenderStep({ account, onDone }: StepProps) {
  const texts = useNewTexts()
  const { language } = usePreferences()
  const { account: number, senders } = account
  const form = useForm({
    initial: { channel: 'sms' as MessageChannel, name: '', isDefault: true },
    send: async ({ channel, name, isDefault }, key) => {
      const sender = await api.post('/senders/approve', { body: { account: number, channel, name: name.trim() }, key })
      if (channel === 'sms' && isDefault) {
        const body = { default_sms_sender: sender.name }
        await api.patch('/accounts/{account}', { params: { account: number }, body })
      }
      return sender
    },
    done: ({ name }) => {
      invalidate('/accounts/{account}', '/senders')
      toast(texts.approved(name))
      form.change({ name: '' })
    },
  })
  const isSms = form.values.channel === 'sms'
  const hasSender = senders.length > 0
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">{texts.senderHint}</p>
      {hasSender && (
        <ul aria-label={texts.senders} className="flex flex-col divide-y rounded-md border">
          {senders.map(({ channel, name, state }) => (
            <li key={`${channel} ${name}`} className="flex items-center justify-between gap-3 px-3 py-2">
              <span className="[overflow-wrap:anywhere]">
                {name}{' '}
                <span className="text-muted">
                  (<ChannelName channel={channel} />)
                </span>
              </span>
              <SenderBadge state={state as 'approved'} />
            </li>
          ))}
        </ul>
      )}
      <Form form={form}>
        <SelectField
          label={texts.channel}
          choices={channelChoices(MESSAGE_CHANNELS, language)}
          {...form.field('channel')}
        />
        <TextField
          label={texts.senderName}
          hint={isSms ? texts.smsRule : texts.otherRule}
          maxLength={100}
          {...form.field('name')}
        />
        {isSms && <Checkbox label={texts.isDefault} {...form.field('isDefault')} />}
        <div className="flex flex-wrap justify-end gap-2">
          {!hasSender && <Button onClick={onDone}>{texts.skip}</Button>}
          <SubmitButton
            form={form}
            kind={hasSender ? 'secondary' : 'primary'}
            disabled={form.values.name.trim() === ''}
          >
            {texts.approve}
          </SubmitButton>
          {hasSender && (
            <Button kind="primary" onClick={onDone}>
              {texts.next}
            </Button>
          )}
        </div>
      </Form>
    </div>
  )
}
