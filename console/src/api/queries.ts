/** React hooks that read the admin API: one answer, or a list page by page. */
import { QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type AnswerOf, api, type InputOf, type PathOf } from './api.ts'
import { ApiError } from './problem.ts'

const STALE_MS = 5_000
const TRIES = 2

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      // Hidden tabs do not poll.
      refetchIntervalInBackground: false,
      retry: (failures, error) => failures < TRIES && error instanceof ApiError && error.isUnclear,
    },
  },
})

interface ReadOptions {
  /** False waits, such as for a value that is not chosen yet. */
  readonly enabled?: boolean
  /** Reads again after so many milliseconds while the tab is visible; 5000 at least. */
  readonly every?: number
}

type Get<P extends PathOf<'GET'>> = InputOf<'GET', P>

/** Reads one answer. Its cache key is the path with its input: `invalidate(path)` reads it again. */
export function useApi<P extends PathOf<'GET'>>(path: P, input?: Get<P>, { enabled = true, every }: ReadOptions = {}) {
  return useQuery<AnswerOf<'GET', P>>({
    queryKey: [path, input ?? {}],
    queryFn: ({ signal }) => read(path, { ...input, signal }),
    enabled,
    refetchInterval: every ?? false,
    placeholderData: (before, query) => (paramsIn(query?.queryKey) === paramsIn([input]) ? before : undefined),
  })
}

interface Page<Row> {
  readonly data: readonly Row[]
  /** Rows of all pages, in lists that count them. */
  readonly count?: unknown
  readonly next: number | string | null
}
type RowOf<P extends PathOf<'GET'>> = AnswerOf<'GET', P> extends Page<infer Row> ? Row : never

export interface PagedRows<Row> {
  /** Undefined until the first page is read. */
  readonly rows: readonly Row[] | undefined
  readonly error: Error | null
  readonly isReading: boolean
  readonly hasMore: boolean
  /** Rows of all pages; absent if the list does not count them. */
  readonly count?: number
  readMore(): void
  retry(): void
}

/** Reads a list page by page: pass the result to `DataTable`. */
export function usePages<P extends PathOf<'GET'>>(
  path: P,
  input?: Get<P>,
  { enabled = true, every }: ReadOptions = {},
): PagedRows<RowOf<P>> {
  const readPage = (after: unknown, signal: AbortSignal) => {
    const query = { ...(input as { query?: object } | undefined)?.query, ...(after === null ? {} : { after }) }
    return read(path, { ...input, query, signal }) as Promise<Page<RowOf<P>>>
  }
  return usePagesOf<RowOf<P>>([path, input ?? {}], readPage, { enabled, ...(every === undefined ? {} : { every }) })
}

/** The same for lists that are read by POST, such as searches by phone. */
export function usePagesOf<Row>(
  queryKey: readonly unknown[],
  readPage: (after: number | string | null, signal: AbortSignal) => Promise<Page<Row>>,
  { enabled = true, every }: ReadOptions = {},
): PagedRows<Row> {
  const query = useInfiniteQuery({
    queryKey: ['pages', ...queryKey],
    queryFn: ({ pageParam, signal }) => readPage(pageParam, signal),
    initialPageParam: null as number | string | null,
    getNextPageParam: ({ next }: Page<Row>) => next,
    enabled,
    refetchInterval: every ?? false,
    placeholderData: (before, query) => (paramsIn(query?.queryKey) === paramsIn(queryKey) ? before : undefined),
  })
  const count = query.data?.pages.at(-1)?.count
  return {
    ...(typeof count === 'number' ? { count } : {}),
    rows: query.data?.pages.flatMap(({ data }) => data),
    error: query.error,
    isReading: query.isFetching,
    hasMore: query.hasNextPage,
    readMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  }
}

/** Rows that are in hand already, such as a part of an answer: for `DataTable`. */
export function rowsInHand<Row>(rows: readonly Row[]): PagedRows<Row> {
  return { rows, error: null, isReading: false, hasMore: false, readMore: () => undefined, retry: () => undefined }
}

/** Turns an answer that is not paged into rows for `DataTable`. */
export function asRows<Row>(query: {
  readonly data: { readonly data: readonly Row[] } | undefined
  readonly error: Error | null
  readonly isFetching: boolean
  refetch(): unknown
}): PagedRows<Row> {
  return {
    rows: query.data?.data,
    error: query.error,
    isReading: query.isFetching,
    hasMore: false,
    readMore: () => undefined,
    retry: () => void query.refetch(),
  }
}

/** A change of anything may complete one. */
const CHECKLISTS: readonly PathOf<'GET'>[] = ['/checklist', '/accounts/{account}/checklist']

/** Reads everything of a path again, after a change. */
export function invalidate(...paths: readonly PathOf<'GET'>[]): void {
  for (const path of [...paths, ...CHECKLISTS]) {
    void queryClient.invalidateQueries({ queryKey: [path] })
    void queryClient.invalidateQueries({ queryKey: ['pages', path] })
  }
}

/**
 * Returns the path parameters in a cache key. While a filter changes, the rows of the last one stay; another record
 * never shows the data of the last one.
 */
function paramsIn(key: readonly unknown[] | undefined): string {
  const input = key?.findLast((part) => typeof part === 'object' && part !== null)
  return JSON.stringify((input as { readonly params?: unknown } | undefined)?.params ?? null)
}

function read<P extends PathOf<'GET'>>(path: P, input: object): Promise<AnswerOf<'GET', P>> {
  return (api.get as (path: string, input: object) => Promise<AnswerOf<'GET', P>>)(path, input)
}
