/** The addresses that a carrier's service calls with receipts and inbound messages, to copy. */
import type { AnswerOf } from '../../api/api.ts'
import { CopyText } from '../../parts/copy.tsx'
import { useTextsOfCarrier } from './texts.ts'

interface WebhookAddressesProps {
  readonly webhooks: AnswerOf<'GET', '/carriers/{id}'>['webhooks']
}

export function WebhookAddresses({ webhooks }: WebhookAddressesProps) {
  const texts = useTextsOfCarrier()
  if (webhooks.length === 0) return null
  return (
    <div className="text-sm">
      <span className="font-medium">{texts.webhook}</span>{' '}
      <span className="text-muted">
        {texts.webhookHint} {webhooks.some(({ address }) => address.endsWith('/TOKEN')) && texts.webhookToken}
      </span>
      {webhooks.map(({ calls, address }) => (
        <div key={address} className="flex flex-wrap items-center gap-x-2">
          <CopyText text={address} label={texts.webhook} />
          <span className="text-muted">{texts.webhookCalls[calls]}</span>
        </div>
      ))}
    </div>
  )
}
