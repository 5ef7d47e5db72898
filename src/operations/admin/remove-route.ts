/** Removes a route of a carrier. */
import type { RouteKey } from '../../domain/route.ts'
import type { SetupStore } from '../../ports/setup-store.ts'
import { ChangeRefused } from '../../ports/store-errors.ts'

/** Answers with the key, whose channel is the carrier's. Throws a ChangeRefused when there is no such route. */
export async function removeRoute(store: SetupStore, wish: Omit<RouteKey, 'channel'>): Promise<RouteKey> {
  const { carriers } = await store.loadDirectory()
  const carrier = carriers.find(({ id }) => id === wish.carrierId)
  if (carrier === undefined) throw new ChangeRefused(`there is no carrier ${wish.carrierId}`)
  const route = { channel: carrier.channel, ...wish }
  await store.change({ kind: 'remove route', route })
  return route
}
