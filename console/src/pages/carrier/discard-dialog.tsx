/** What waits for this carrier and may go by no other: counted, and discarded. */
import { type AnswerOf, api, makeRequestKey } from '../../api/api.ts'
import { invalidate, useApi } from '../../api/queries.ts'
import { ConfirmDialog } from '../../parts/overlay/dialog.tsx'
import { toast } from '../../parts/overlay/toast.tsx'
import { Notice } from '../../parts/page/states.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTextsOfCarrier } from './texts.ts'

const PATH = '/carriers/{carrier}/queue/discard'

export function DiscardDialog({ carrier, onClose }: { readonly carrier: string; readonly onClose: () => void }) {
  const texts = useTextsOfCarrier()
  const formats = useFormats()
  const { data: found, error } = useApi('/carriers/{carrier}/queue', { params: { carrier } })
  const run = async () => {
    let discarded = 0
    for (let after: number | null = 0; after !== null; ) {
      const body: { confirm: true; after: number } = { confirm: true, after }
      const answer: AnswerOf<'POST', typeof PATH> = await api.post(PATH, {
        params: { carrier },
        body,
        key: makeRequestKey(),
      })
      discarded += answer.discarded
      after = answer.next
    }
    invalidate('/carriers/{carrier}/queue')
    toast(texts.discarded(discarded))
  }
  // Nothing is confirmed before it was counted.
  if (found === undefined && error === null) return null
  return (
    <ConfirmDialog open danger onClose={onClose} title={texts.discardTitle(carrier)} action={texts.discard} run={run}>
      <div className="flex flex-col gap-4">
        <p>{texts.discardText}</p>
        {error !== null && <Notice kind="bad">{error.message}</Notice>}
        {found?.data.length === 0 && <p>{texts.noneWaits}</p>}
        {found?.data.map(({ currency, accounts, messages, held }) => (
          <p key={currency} className="font-medium">
            {texts.waitsHere(messages, accounts, formats.money(held, currency))}
          </p>
        ))}
      </div>
    </ConfirmDialog>
  )
}
