/** The state of an account, and of a sender. */
import { Badge, type BadgeTone } from '../../parts/badge.tsx'
import { useAccountTexts } from './account-texts.ts'

const ACCOUNT_TONES = { active: 'good', suspended: 'warn', closed: 'plain' } as const
const SENDER_TONES: Readonly<Record<SenderState, BadgeTone>> = { approved: 'good', requested: 'info', rejected: 'bad' }

type AccountState = keyof typeof ACCOUNT_TONES
type SenderState = 'requested' | 'approved' | 'rejected'

export function AccountBadge({ state }: { readonly state: AccountState }) {
  const texts = useAccountTexts()
  return (
    <Badge dot tone={ACCOUNT_TONES[state]}>
      {texts[state]}
    </Badge>
  )
}

export function SenderBadge({ state }: { readonly state: SenderState }) {
  const texts = useAccountTexts()
  return (
    <Badge dot tone={SENDER_TONES[state]}>
      {texts[state]}
    </Badge>
  )
}
