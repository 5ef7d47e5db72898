/** What a suspended account has queued, and discarding it. */
import { useState } from 'react'
import { type AnswerOf, api, makeRequestKey } from '../../api/api.ts'
import { useMay } from '../../api/me.ts'
import { invalidate, useApi } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Notice } from '../../parts/page/states.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useAccountPageTexts } from './account-texts.ts'

const EVERY_MS = 10_000

export function QueueNotice({ account }: { readonly account: number }) {
  const texts = useAccountPageTexts()
  const formats = useFormats()
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  const { data: queue } = useApi(
    '/accounts/{account}/queue',
    { params: { account } },
    { enabled: may('readQueue'), every: EVERY_MS },
  )
  if (queue === undefined || queue.account !== account || queue.messages === 0) return null
  const action = may('discardQueue') ? <Button onClick={() => setOpen(true)}>{texts.discard}</Button> : undefined
  return (
    <>
      <Notice kind="warn" action={action}>
        {texts.queued(queue.messages, formats.money(queue.held, queue.currency))}
      </Notice>
      {isOpen && <DiscardDialog queue={queue} onClose={() => setOpen(false)} />}
    </>
  )
}

interface DiscardProps {
  readonly queue: AnswerOf<'GET', '/accounts/{account}/queue'>
  readonly onClose: () => void
}

function DiscardDialog({ queue: { account, messages, held, currency }, onClose }: DiscardProps) {
  const texts = useAccountPageTexts()
  const formats = useFormats()
  const run = async () => {
    let discarded = 0
    for (let after: number | null = 0; after !== null; ) {
      const body: { confirm: true; after: number } = { confirm: true, after }
      const answer: AnswerOf<'POST', '/accounts/{account}/queue/discard'> = await api.post(
        '/accounts/{account}/queue/discard',
        { params: { account }, body, key: makeRequestKey() },
      )
      discarded += answer.discarded
      after = answer.next
    }
    invalidate('/accounts/{account}/queue', '/accounts/{account}')
    toast(texts.discarded(discarded))
  }
  return (
    <ConfirmDialog open danger onClose={onClose} title={texts.discardTitle} action={texts.discard} run={run}>
      {texts.queued(messages, formats.money(held, currency))} {texts.discardText}
    </ConfirmDialog>
  )
}
