/** Removes a route of a carrier. */
import type { RouteKey } from '../../domain/route.ts'
import { ChangeRefused, type Store } from '../../ports/store.ts'

/** Answers with the key, whose channel is the carrier's. Throws a ChangeRefused when there is no such route. */
export async function removeRoute(store: Store, wish: Omit<RouteKey, 'channel'>): Promise<RouteKey> {
  const { carriers } = await store.loadDirectory()
  const carrier = carriers.find(({ id }) => id === wish.carrierId)
  if (carrier === undefined) throw new ChangeRefused(`there is no carrier ${wish.carrierId}`)
  const route = { channel: carrier.channel, ...wish }
  await store.change({ kind: 'remove route', route })
  return route
}
