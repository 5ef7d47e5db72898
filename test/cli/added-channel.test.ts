/**
 * A text channel that exists in this test alone: added to a copy of the sources as docs/guides/adding-a-channel.md
 * describes it, it compiles, is in the documents, and takes part in a chain.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ChildProgram } from '../support/child-program.ts'
import { eventually } from '../support/eventually.ts'

const ROOT = join(import.meta.dirname, '../..')
/** What a compiler and the program need of the repository. */
const COPIED = ['assets', 'bin', 'providers', 'src', 'package.json', 'tsconfig.build.json', 'tsconfig.json']
const TIMEOUT_MS = 180_000

const NEW_FILES: Readonly<Record<string, string>> = {
  'src/domain/channels/pager.ts': `/** Pagers. */
import type { ChannelDescriptor } from './descriptor.ts'

export const PAGER = {
  name: 'pager',
  label: { en: 'Pager', de: 'Funkruf' },
  carries: 'text',
  charged: 'taken',
  sender: 'name',
  senderIds: [],
  inParts: false,
  isRich: false,
  reportsReads: false,
  waitsInChain: 'step lifetime',
} as const satisfies ChannelDescriptor
`,
  'src/contract/channels/pager-form.ts': `/** The fields of a page. */
import { mandatory } from '../fields/fields.ts'
import { sender, text } from '../fields/kinds.ts'
import { channelForm } from './channel-form.ts'

const PAGE_MAX = 80

export const PAGER_FORM = channelForm({
  channel: 'pager',
  called: 'the pager',
  about: 'the page',
  fields: [
    mandatory('pager_signature', sender('pager'), 'Approved sender name.'),
    mandatory('pager_message', text(PAGE_MAX), 'Text of the page.'),
  ],
  timedInSpecChain: false,
  example: { pager_signature: 'PagerTest', pager_message: 'Call back.' },
  plainText: {},
  read: ({ pagerSignature, pagerMessage }) => ({
    sender: pagerSignature,
    content: { kind: 'text', text: pagerMessage },
  }),
  maxText: () => PAGE_MAX,
})
`,
}

const SETUP = `pager: {
      kind: 'http',
      settings: {
        request: {
          address: \`\${pager.address}/v2/messages\`,
          auth: { kind: 'bearer', token: pager.apiKey },
          json: { to: '{{+phone}}', from: '{{sender}}', text: '{{text}}', client_ref: '{{ref}}', validity: '{{#lifetime}}' },
        },
        lifetime: { least: 60, most: 259200 },
        answer: { id: { path: 'messages[0].id' }, statuses: { 422: 'rejected' } },
        receipt: {
          auth: { kind: 'hmac', name: 'X-Signature', prefix: 'sha256=', secret: pager.webhookSecret },
          list: 'results',
          id: 'message.id',
          status: 'state',
          outcomes: { DELIVERED: 'delivered', FAILED: 'undeliverable' },
        },
      },
    },`

type Edit = readonly [path: string, before: string, after: string]

/** The lines of the guide in files that exist. */
const LIST: Edit = ['src/domain/channels/channel.ts', 'const DESCRIPTORS = [', 'const DESCRIPTORS = [PAGER, ']
const OTHERS: readonly Edit[] = [
  ['src/contract/channels/channel-forms.ts', '  sms: SMS_FORM,', '  sms: SMS_FORM,\n  pager: PAGER_FORM,'],
  ['src/sandbox/set-up.ts', 'const PRICES = { ', "const PRICES = { pager: '0.01', "],
  ['src/sandbox/set-up.ts', "  sms: 'sandbox-sms',", "  sms: 'sandbox-sms',\n  pager: 'sandbox-pager',"],
  [
    'src/simulator/simulator-box.ts',
    '    startTelegramDouble(tools),',
    "    startTelegramDouble(tools),\n    startAggregatorDouble({ ...tools, channel: 'pager' }),",
  ],
  [
    'src/simulator/simulator-box.ts',
    'smsc, telegram, phone, whatsapp, numbers] =',
    'smsc, telegram, pager, phone, whatsapp, numbers] =',
  ],
  ['src/simulator/simulator-box.ts', '    telegram: {', `    ${SETUP}\n    telegram: {`],
  [
    'src/simulator/simulator-box.ts',
    '      telegram.setWebhook(',
    `      pager.setWebhook(\`\${address}/carriers/\${ids.pager}\`)\n      telegram.setWebhook(`,
  ],
  ['src/simulator/simulator-box.ts', 'telegram.stop(),', 'telegram.stop(), pager.stop(),'],
]
const IMPORTS: Readonly<Record<string, string>> = {
  'src/domain/channels/channel.ts': "import { PAGER } from './pager.ts'",
  'src/contract/channels/channel-forms.ts': "import { PAGER_FORM } from './pager-form.ts'",
  'src/simulator/simulator-box.ts': "import { startAggregatorDouble } from './http/aggregator.ts'",
}

let folder: string
let program: ChildProgram | null = null
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'posthorn-channel-'))
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const config = JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8'))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, include: ['src'] }))
  for (const [path, text] of Object.entries(NEW_FILES)) writeFileSync(join(folder, path), text)
})
afterAll(() => {
  program?.end()
  rmSync(folder, { recursive: true, force: true })
})

function edit(edits: readonly Edit[]): void {
  for (const [path, before, after] of edits) {
    const text = readFileSync(join(folder, path), 'utf8')
    expect(text, path).toContain(before)
    writeFileSync(join(folder, path), text.replace(before, after))
  }
  for (const path of new Set(edits.map(([each]) => each))) {
    const line = IMPORTS[path]
    const text = readFileSync(join(folder, path), 'utf8')
    if (line !== undefined) writeFileSync(join(folder, path), text.replace('\nimport ', `\n${line}\nimport `))
  }
}

/** Returns the files in which the compiler finds errors. */
function wrongFiles(): readonly string[] {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  try {
    execFileSync(process.execPath, [tsc, '--noEmit'], { cwd: folder, encoding: 'utf8' })
    return []
  } catch (error) {
    const lines = (error as { readonly stdout: string }).stdout.matchAll(/^(\S+)\(\d+,\d+\): error/gm)
    return [...new Set([...lines].map(([, path = '']) => path))].toSorted()
  }
}

test(
  'the compiler names the files that a new channel lacks, and is content with those of the guide',
  () => {
    edit([LIST])
    expect(wrongFiles()).toEqual(expect.arrayContaining(OTHERS.map(([path]) => path)))
    edit(OTHERS)
    expect(wrongFiles()).toEqual([])
    expect(new Set([LIST, ...OTHERS].map(([path]) => path)).size + Object.keys(NEW_FILES).length).toBeLessThanOrEqual(
      15,
    )
  },
  TIMEOUT_MS,
)

test(
  'the document of the API grows by less than 500 lines',
  () => {
    const main = join(folder, 'bin/posthorn.js')
    const printed = execFileSync(process.execPath, [main, 'open-api'], { encoding: 'utf8' })
    const known = readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')
    expect(printed).toContain('"rcs+pager+sms"')
    expect(printed.split('\n').length - known.split('\n').length).toBeLessThan(500)
  },
  TIMEOUT_MS,
)

test(
  'a chain with it is sent, falls back, and is paid for',
  async () => {
    const words = ['sandbox', '--port', '0', '--admin-port', '0', '--json', '--data-dir', join(folder, 'data')]
    program = new ChildProgram(words, {}, [], join(folder, 'bin/posthorn.js'))
    const { address, key: auth } = await program.firstAnswer()
    const ask = async (...data: readonly object[]) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ auth, data })
      const response = await fetch(`${address}/api/json.php`, { method: 'POST', headers, body })
      return ((await response.json()) as { readonly data: readonly { readonly data: Record<string, unknown> }[] }).data
    }
    const texts = { rcs_signature: 'RCSTest', rcs_message: 'Hi', pager_signature: 'RCSTest', pager_message: 'Hi' }
    const [alone, chain] = await ask(
      { type: 'pager', phone: 491701234500, ...texts },
      { type: 'rcs+pager', phone: 491701234501, ...texts },
    )
    const statusOf = async (sent: typeof alone) =>
      (await ask({ type: 'status', msg_id: sent?.data['msg_id'] }))[0]?.data
    await eventually('both to be delivered', async () => {
      const all = [await statusOf(alone), await statusOf(chain)]
      return all.every((each) => each?.['status'] === 'DELIVERED')
    })
    expect(await statusOf(alone)).toMatchObject({ type: 'pager', channel: 'pager', price: 0.01 })
    expect(await statusOf(chain)).toMatchObject({
      type: 'rcs+pager',
      price: 0.01,
      steps: [{ channel: 'rcs' }, { channel: 'pager', status: 'DELIVERED' }],
    })
  },
  TIMEOUT_MS,
)
