/** The pages of the API reference for clients, by their subjects: docs/reference/api.md and those in docs/reference/api. */
import { type OperationSchema, OTHER_SCHEMAS } from '../../src/contract/operations/operation-schemas.ts'
import { REPORT_SCHEMAS } from '../../src/contract/reference/report-schemas.ts'
import { writeErrors, writeLimits, writeOperation, writeReports, writeSends, writeStatuses } from './api-sections.ts'
import { REFERENCE_TEXTS } from './api-texts.ts'

interface Page {
  /** In docs/reference/api, without its ending. */
  readonly name: string
  readonly title: string
  readonly opening: string
  /** Of the operations on it, `hook/` for all of a family. */
  readonly types: readonly string[]
  /** What stands before the operations. */
  readonly before?: () => string
}

const PAGES: readonly Page[] = [
  {
    name: 'sends',
    title: 'Sends',
    opening: 'Look up what a message may consist of on each channel, how channels are joined, and what a send costs.',
    types: ['price'],
    before: writeSends,
  },
  {
    name: 'messages',
    title: 'Messages and balance',
    opening:
      'Look up how to follow messages, take them back, read the answers of recipients, and see figures and money.',
    types: ['status', 'cancel', 'inbound/list', 'statistics', 'balance', 'posting/list', 'statement/get'],
  },
  {
    name: 'codes',
    title: 'One-time codes',
    opening: 'Look up verifications, in which the gateway draws the code, and calls from a number that ends in it.',
    types: ['verify/', 'call/otp'],
  },
  {
    name: 'templates',
    title: 'Templates',
    opening: 'Look up the SMS templates of the account, and the templates of its chat apps.',
    types: ['template/'],
  },
  {
    name: 'bulks',
    title: 'Bulks',
    opening: 'Look up how one message is sent to many recipients; [Bulk](../../guides/bulk.md) shows it step by step.',
    types: ['bulk/'],
  },
  {
    name: 'hooks',
    title: 'Hooks and the event feed',
    opening: 'Look up how a program manages the addresses that get its reports, or reads the reports instead.',
    types: ['hook/', 'event/list'],
  },
  {
    name: 'numbers',
    title: 'Numbers',
    opening:
      'Look up how to ask for the operator of a number; [Number lookup](../../guides/lookup.md) says what it needs.',
    types: ['lookup', 'hlr'],
  },
  {
    name: 'reports',
    title: 'Contents of reports',
    opening: `Look up the members of each report; [Reports](../reports.md) says when they are sent.`,
    types: [],
    before: writeReports,
  },
  {
    name: 'errors',
    title: 'Errors',
    opening: 'Look up the cause of an error text, and what to do.',
    types: [],
    before: writeErrors,
  },
]

/** Path of each page in the repository, and its text. */
export function apiPages(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/reference/api.md', written([REFERENCE_TEXTS.opening, writeList(), writeStatuses(), writeLimits()])],
    ...PAGES.map((page): [string, string] => [`docs/reference/api/${page.name}.md`, writePage(page)]),
  ])
}

function writePage(page: Page): string {
  const first = new Map<string, string>()
  const operations = operationsOf(page).map((schema) => {
    const earlier = first.get(schema.result) ?? null
    if (earlier === null) first.set(schema.result, schema.type)
    return writeOperation(schema, earlier)
  })
  return written([
    `# ${page.title}`,
    page.opening,
    ...(page.before === undefined ? [] : [page.before()]),
    ...operations,
  ])
}

function operationsOf({ types }: Page): readonly OperationSchema[] {
  return types.flatMap((name) =>
    OTHER_SCHEMAS.filter(({ type }) => (name.endsWith('/') ? type.startsWith(name) : type === name)),
  )
}

/** Lists every operation and report with its page. */
function writeList(): string {
  const rows = PAGES.flatMap((page) => {
    const { name, title } = page
    const link = (type: string) => `[\`${type}\`](api/${name}.md#${type.replace(/[/.]/g, '')})`
    const types =
      name === 'reports' ? REPORT_SCHEMAS.map(({ type }) => type) : operationsOf(page).map(({ type }) => type)
    const others = name === 'errors' ? ['errors of a request, errors of an operation'] : []
    const sends =
      name === 'sends' ? ['[a send](api/sends.md#send-a-message), [rich content](api/sends.md#rich-content)'] : []
    return [`| [${title}](api/${name}.md) | ${[...sends, ...types.map(link), ...others].join(', ')} |`]
  })
  return [
    '## Operations, reports and errors',
    REFERENCE_TEXTS.list,
    ['| page | contents |', '| --- | --- |', ...rows].join('\n'),
  ].join('\n\n')
}

function written(sections: readonly string[]): string {
  return `${sections.join('\n\n')}\n`
}
