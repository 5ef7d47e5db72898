/** Walks open messages page by page, each of which looks at a bounded number. */
import type { OpenPage, OpenQuery, QueuedStore } from '../../ports/stores/queued-store.ts'

export async function* openPages(
  store: Pick<QueuedStore, 'openMessages'>,
  query: Omit<OpenQuery, 'after'>,
  begin = 0,
): AsyncGenerator<OpenPage, void> {
  for (let after: number | null = begin; after !== null; ) {
    const page: OpenPage = await store.openMessages({ ...query, after })
    yield page
    after = page.next
  }
}
