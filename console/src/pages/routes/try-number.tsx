/** Where would a message go, and for how much? Asks the gateway; nothing is sent. */
import { useState } from 'react'
import { type AnswerOf, api } from '../../api/api.ts'
import { AccountField } from '../../features/accounts/account-field.tsx'
import { useCarrierTexts } from '../../features/carriers/carrier-view.tsx'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { Form, SubmitButton, useForm } from '../../parts/form/form.tsx'
import { Card } from '../../parts/page/page.tsx'
import { CHANNEL_LIST, type Channel } from '../../texts/channels.ts'
import { useRouteTexts } from './texts.ts'
import { TrialView } from './trial-view.tsx'

export type Trial = AnswerOf<'POST', '/routes/trial'>

export function TryNumber() {
  const texts = useRouteTexts()
  const carrierTexts = useCarrierTexts()
  const [trial, setTrial] = useState<Trial | null>(null)
  const form = useForm({
    initial: { account: '', phone: '', channels: '' as Channel | '', sender: '', text: '' },
    send: ({ account, phone, channels, sender, text }, key) =>
      api.post('/routes/trial', {
        body: {
          account: Number(account),
          phone: phone.trim(),
          ...(channels === '' ? {} : { channels: [channels] }),
          ...(sender.trim() === '' ? {} : { sender: sender.trim() }),
          ...(text === '' ? {} : { text }),
        },
        key,
      }),
    done: setTrial,
  })
  return (
    <Card title={texts.tryTitle} description={texts.tryHint}>
      <Form form={form}>
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-5">
          <AccountField {...form.field('account')} label={texts.account} />
          <TextField {...form.field('phone')} label={texts.phone} inputMode="tel" placeholder="+49 170 1234500" />
          <SelectField
            {...form.field('channels')}
            label={texts.channels}
            none={texts.allChannels}
            choices={CHANNEL_LIST.map((value) => ({ value, label: carrierTexts.channels[value] }))}
          />
          <TextField {...form.field('sender')} label={texts.senderName} optional />
          <TextField {...form.field('text')} label={texts.text} optional />
        </div>
        <div>
          <SubmitButton form={form} kind="secondary">
            {trial === null ? texts.try : texts.again}
          </SubmitButton>
        </div>
      </Form>
      {trial !== null && (
        <div role="status" className="mt-5 border-t pt-5">
          <TrialView trial={trial} />
        </div>
      )}
    </Card>
  )
}
