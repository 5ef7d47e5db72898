/** Carriers as the live stream shows them, over what was read before. */
import { useMemo } from 'react'
import { type LiveCarrier, useLive } from '../../api/live.ts'
import type { Carrier, LiveState } from './carrier-view.tsx'

/** How often pages read carriers, milliseconds: without the stream, and with it for new and drained ones. */
const UNSTREAMED_MS = 5_000
const STREAMED_MS = 15_000

interface LiveCarriers {
  /** For `useApi` and `usePages`. */
  readonly every: number
  /** Returns the carrier with its live state, if the stream has it. */
  withLive<C extends Pick<Carrier, 'carrier' | 'state'>>(carrier: C): C
}

export function useLiveCarriers(): LiveCarriers {
  const carriers = useLive().at(-1)?.carriers
  return useMemo(() => {
    const live = new Map((carriers ?? []).map((each) => [each.id, each]))
    return {
      every: carriers === undefined ? UNSTREAMED_MS : STREAMED_MS,
      withLive: (carrier) => {
        const found = live.get(carrier.carrier)
        return found === undefined ? carrier : { ...carrier, state: stateOf(found) }
      },
    }
  }, [carriers])
}

/** The stream names the invalid messages of a connection as `/carriers` of the gateway does. */
function stateOf({ id: _, links, ...state }: LiveCarrier): LiveState {
  return { ...state, links: links.map(({ protocolErrors, ...link }) => ({ ...link, misunderstood: protocolErrors })) }
}
