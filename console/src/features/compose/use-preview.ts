/** Asks the gateway what it would do with a draft, once the user pauses. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSettled } from '../../parts/settled.ts'

const PAUSE_MS = 400

interface Asked<Body> {
  /** Names the question among others. */
  readonly name: string
  readonly account: number | null
  readonly body: Body
  /** Whether the draft has what the question needs. */
  readonly isReady: boolean
}

/** The answer before stays until the next one is here. Undefined without a question. */
export function usePreview<Body extends object, Preview>(
  { name, account, body, isReady }: Asked<Body>,
  ask: (account: number, body: Body, signal: AbortSignal) => Promise<Preview>,
): Preview | undefined {
  const settled = useSettled(JSON.stringify(body), PAUSE_MS)
  const enabled = account !== null && isReady
  const { data } = useQuery<Preview>({
    queryKey: [name, account, settled],
    queryFn: ({ signal }) => ask(account ?? 0, JSON.parse(settled) as Body, signal),
    enabled,
    placeholderData: keepPreviousData,
  })
  return enabled ? data : undefined
}
