/** Messages that the carrier took before a time and of which it sent no receipt: counted, sent again or ended. */
import { useState } from 'react'
import { type AnswerOf, api, makeRequestKey } from '../../api/api.ts'
import { invalidate, useApi } from '../../api/queries.ts'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTextsOfCarrier } from './texts.ts'

type Action = 'send again' | 'end'
const PATH = '/unsettled-messages/settle'

export function SettleDialog({ carrier, onClose }: { readonly carrier: string; readonly onClose: () => void }) {
  const texts = useTextsOfCarrier()
  const formats = useFormats()
  const [until, setUntil] = useState(() => new Date().toISOString())
  const [action, setAction] = useState<Action>('send again')
  const isTime = !Number.isNaN(Date.parse(until))
  const { data: found } = useApi('/unsettled-messages/count', { query: { carrier, until } }, { enabled: isTime })
  const run = async () => {
    let settled = 0
    for (let after: number | null = 0; after !== null; ) {
      const body: { carrier: string; until: string; action: Action; confirm: true; after: number } = {
        carrier,
        until,
        action,
        confirm: true,
        after,
      }
      const answer: AnswerOf<'POST', typeof PATH> = await api.post(PATH, { body, key: makeRequestKey() })
      settled += answer.data.reduce((sum, { messages }) => sum + messages, 0)
      after = answer.next
    }
    invalidate('/unsettled-messages/count')
    toast(texts.settled(settled))
  }
  return (
    <ConfirmDialog open danger onClose={onClose} title={texts.settleTitle(carrier)} action={texts.settle} run={run}>
      <div className="flex flex-col gap-4">
        <TextField
          name="until"
          label={texts.takenBefore}
          hint={texts.takenBeforeHint}
          value={until}
          onValue={setUntil}
        />
        <SelectField<Action>
          name="action"
          label={texts.settleAction}
          value={action}
          onValue={setAction}
          choices={[
            { value: 'send again', label: texts.sendAgain },
            { value: 'end', label: texts.endThem },
          ]}
        />
        <p>{action === 'end' ? texts.endText : texts.sendAgainText}</p>
        {found?.data.length === 0 && <p>{texts.noneUnsettled}</p>}
        {found?.data.map(({ account, messages, charged, held, currency }) => (
          <p key={account}>
            {texts.unsettled(account, messages, formats.money(charged, currency), formats.money(held, currency))}
          </p>
        ))}
      </div>
    </ConfirmDialog>
  )
}
