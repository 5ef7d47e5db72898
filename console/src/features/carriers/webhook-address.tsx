/** The address that a carrier calls with receipts and inbound messages, to copy. */
import { useMe } from '../../api/me.ts'
import { CopyText } from '../../parts/copy.tsx'
import { useFormTexts } from './settings-form/form-texts.ts'
import { asObject, type Json } from './settings-form/setting-schema.ts'

/** Kinds whose service calls us. */
const CALLED: readonly string[] = ['rbm', 'viber', 'whatsapp', 'telegram', 'http']

interface WebhookAddressProps {
  readonly kind: string
  readonly carrier: string
  readonly settings: Json
}

export function WebhookAddress({ kind, carrier, settings }: WebhookAddressProps) {
  const texts = useFormTexts()
  const base = useMe()?.client_api ?? null
  if (base === null || carrier === '' || !CALLED.includes(kind)) return null
  const { receipt, inbound } = settings
  const paths = kind === 'http' ? [['', receipt] as const, ['/inbound', inbound] as const] : [['', undefined] as const]
  const addresses = paths.flatMap(([path, calls]) => {
    if (kind === 'http' && calls === undefined) return []
    // The token is a secret of the settings.
    const isToken = asObject(asObject(calls)['auth'])['kind'] === 'token'
    return `${base}/carriers/${carrier}${path}${isToken ? '/TOKEN' : ''}`
  })
  if (addresses.length === 0) return null
  return (
    <div className="text-sm">
      <span className="font-medium">{texts.webhook}</span>{' '}
      <span className="text-muted">
        {texts.webhookHint} {addresses.some((each) => each.endsWith('/TOKEN')) && texts.webhookToken}
      </span>
      {addresses.map((address) => (
        <div key={address}>
          <CopyText text={address} label={texts.webhook} />
        </div>
      ))}
    </div>
  )
}
