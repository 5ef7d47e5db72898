/** The address that a carrier calls with receipts and inbound messages, to copy. */
import { useMe } from '../../api/me.ts'
import { CopyText } from '../../parts/copy.tsx'
import { useFormTexts } from './settings-form/form-texts.ts'

/** Kinds whose service calls us. */
const CALLED: readonly string[] = ['rbm', 'viber', 'whatsapp', 'telegram', 'http']

export function WebhookAddress({ kind, carrier }: { readonly kind: string; readonly carrier: string }) {
  const texts = useFormTexts()
  const base = useMe()?.client_api ?? null
  if (base === null || carrier === '' || !CALLED.includes(kind)) return null
  return (
    <p className="text-sm">
      <span className="font-medium">{texts.webhook}</span> <span className="text-muted">{texts.webhookHint}</span>
      <br />
      <CopyText text={`${base}/carriers/${carrier}`} label={texts.webhook} />
    </p>
  )
}
