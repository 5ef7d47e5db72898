/** Sets a route as operators do, by its domain fields; those that are not named are at their defaults. */
import type { Route } from '../../src/domain/routing/route.ts'
import { checkItem, defaultsOf, setUpOf } from '../../src/operations/admin/endpoint/resource.ts'
import { ROUTE } from '../../src/operations/admin/routes/route.ts'
import type { SetupStore } from '../../src/ports/stores/setup-store.ts'

export async function addRoute(store: SetupStore, route: Partial<Route>): Promise<void> {
  const wanted = { ...(defaultsOf(ROUTE) as Route), ...route }
  const setUp = setUpOf(await store.loadDirectory(), () => {})
  await store.change(ROUTE.set(checkItem(ROUTE, wanted, setUp)))
}
