/** The approved senders of an account, by channel. */
import { useMemo } from 'react'
import { useApi } from '../../api/queries.ts'
import { MESSAGE_CHANNELS } from '../../texts/channels.ts'
import type { ComposedChannel, Draft } from './draft.ts'

/** Names that the message may have, by channel. */
export interface Senders extends Readonly<Record<ComposedChannel, readonly string[]>> {
  /** False until they are read: no channel is without senders before. */
  readonly isKnown: boolean
}

/** As many as a page of the list holds. */
const MAX_SENDERS = 200
/** Always approved for test messages. */
export const TEST_SENDER = 'Posthorn'

/** Test messages may have `TEST_SENDER` on any account. */
export function useSenders(account: number | null, mode: Draft['mode']): Senders {
  const query = { account: account ?? 0, state: 'approved', most: MAX_SENDERS } as const
  const { data } = useApi('/senders', { query }, { enabled: account !== null })
  return useMemo(() => {
    const rows = account === null ? [] : (data?.data ?? []).filter((row) => row.account === account)
    const named = MESSAGE_CHANNELS.map((channel) => [channel, rows.filter((row) => row.channel === channel)] as const)
    const names = Object.fromEntries(named.map(([channel, of]) => [channel, namesOf(of, mode)]))
    return { ...(names as Record<ComposedChannel, readonly string[]>), isKnown: account !== null && data !== undefined }
  }, [account, data, mode])
}

function namesOf(rows: readonly { readonly name: string }[], mode: Draft['mode']): readonly string[] {
  const names = rows.map(({ name }) => name)
  return mode === 'test' && !names.includes(TEST_SENDER) ? [...names, TEST_SENDER] : names
}

/**
 * Chooses the first sender of each channel where the user has chosen none that the account has, and leaves out channels
 * for which it has none.
 */
export function withSenders(draft: Draft, senders: Senders): Draft {
  const chosen = MESSAGE_CHANNELS.map((channel) => {
    const name = draft.senders[channel]
    return [channel, senders[channel].includes(name) ? name : (senders[channel][0] ?? '')] as const
  })
  const channels = draft.channels.filter((channel) => !senders.isKnown || senders[channel].length > 0)
  return { ...draft, channels, senders: Object.fromEntries(chosen) as unknown as Draft['senders'] }
}
