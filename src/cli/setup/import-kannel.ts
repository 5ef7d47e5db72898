/** `posthorn import`: creates carriers, routes, logins and inbound numbers from a kannel.conf, after showing them. */
import type { Command } from 'commander'
import { checkCarrierSettings } from '../../app/carriers/carrier-drivers.ts'
import type { Config } from '../../app/settings/config.ts'
import type { AccountId } from '../../domain/ids/account-id.ts'
import { readNetwork } from '../../domain/network/networks.ts'
import { ASKING, answerBy, newCommand } from '../command/command.ts'
import { CannotDo, WrongUsage } from '../command/failure.ts'
import { collect, readAccountId } from '../command/option-readers.ts'
import type { Terminal } from '../command/terminal.ts'
import type { ImportPlan, PlannedLogin, PlannedNumber } from '../kannel/import-plan.ts'
import type { Note } from '../kannel/kannel-file.ts'
import { planImport } from '../kannel/plan-import.ts'
import { askEndpoint } from '../store/ask-endpoint.ts'

interface Options {
  readonly account: AccountId
  readonly number?: readonly string[]
  readonly network?: readonly string[]
  readonly apply?: true
}

/** As the admin API lists them. */
interface Present {
  readonly carriers: readonly { readonly id: string }[]
  readonly routes: readonly { readonly carrier: string }[]
  readonly numbers: readonly NumberKey[]
  readonly logins: ReadonlySet<string>
  readonly senders: ReadonlySet<string>
}

type NumberKey = Pick<PlannedNumber, 'carrier' | 'address' | 'keyword'>

type Ask = (
  name: string,
  input: { readonly params?: object; readonly query?: object; readonly body?: object },
) => Promise<unknown>

export function importCommand(terminal: Terminal): Command {
  const command = newCommand({
    name: 'import',
    summary:
      'create carriers, routes, logins and inbound numbers from a kannel.conf. Prints what it would create (+) and ' +
      'what it cannot translate, with the line; changes nothing without --apply. What exists already stays unchanged',
    examples: [
      'posthorn import kannel.conf --account 1',
      'posthorn import kannel.conf --account 1 --number 80008 --network 10.0.0.0/8 --apply',
    ],
    settings: ASKING,
  })
    .argument('<file>', 'kannel.conf; files that it includes are read as well')
    .requiredOption('--account <id>', 'account of the logins and inbound numbers', readAccountId)
    .option('--number <number>', 'what recipients write to, for services that name no number; may be repeated', collect)
    .option(
      '--network <cidr>',
      'network of the programs, for users without user-allow-ip; may be repeated. Passwords of fewer than 12 characters need one',
      collect,
    )
    .option('--apply', 'create what the command prints without it')
  return answerBy<Options>(command, terminal, async (options, config, [file]) => {
    const { account, apply = false } = options
    const plan = planFrom(String(file), options)
    const ask = asker(config, terminal)
    const present = await loadPresent(ask, account)
    const missing = leaveOut(plan, present)
    const difference = await change(ask, { missing, present, account, apply })
    const json = { applied: apply, difference, notTranslated: plan.notes }
    return { json, text: write(difference, plan.notes, apply) }
  })
}

function planFrom(file: string, { number: numbers = [], network = [] }: Options): ImportPlan {
  const networks = network.map((each) => {
    const read = readNetwork(each)
    if (read === null) throw new WrongUsage(`--network: ${each} is no network such as 10.0.0.0/8`)
    return read
  })
  return planImport(file, { numbers, networks, checkSettings: checkCarrierSettings })
}

function asker(config: Config, terminal: Terminal): Ask {
  return (name, { params = {}, query = {}, body = {} }) => askEndpoint(name, { params, query, body }, config, terminal)
}

async function loadPresent(ask: Ask, account: AccountId): Promise<Present> {
  const configuration = (await ask('exportConfiguration', {})) as Omit<Present, 'logins' | 'senders' | 'numbers'> & {
    readonly inbound_numbers: Present['numbers']
  }
  const { carriers, routes, inbound_numbers: numbers } = configuration
  const logins = new Set<string>()
  for (const { name } of await listAll(ask, 'listLogins', { params: { account } })) logins.add(name)
  const senders = new Set<string>()
  for (const { name, channel } of await listAll(ask, 'listSenders', { query: { account, state: 'approved' } })) {
    if (channel === 'sms') senders.add(name)
  }
  return { carriers, routes, numbers, logins, senders }
}

interface Page {
  readonly data: readonly { readonly name: string; readonly channel?: string }[]
  readonly next: number | null
}

async function listAll(ask: Ask, name: string, input: { readonly params?: object; readonly query?: object }) {
  const all: Page['data'][number][] = []
  for (let after: number | null = 0; after !== null; ) {
    const query = { ...input.query, most: 1_000, ...(after === 0 ? {} : { after }) }
    const page = (await ask(name, { ...input, query })) as Page
    all.push(...page.data)
    after = page.next
  }
  return all
}

/** Returns the plan without what exists. */
function leaveOut(plan: ImportPlan, present: Present): ImportPlan {
  const carriers = new Set(present.carriers.map(({ id }) => id))
  const numbers = new Set(present.numbers.map(keyOf))
  return {
    carriers: plan.carriers.filter(({ id }) => !carriers.has(id)),
    routes: plan.routes.filter(({ carrier }) => !carriers.has(carrier)),
    logins: plan.logins.filter(({ name }) => !present.logins.has(name)),
    numbers: plan.numbers.filter((number) => !numbers.has(keyOf(number))),
    senders: plan.senders.filter((name) => !present.senders.has(name)),
    notes: plan.notes,
  }
}

function keyOf({ carrier, address, keyword }: NumberKey): string {
  return JSON.stringify([carrier, address, keyword])
}

interface Step {
  readonly missing: ImportPlan
  readonly present: Present
  readonly account: AccountId
  readonly apply: boolean
}

/** Returns one line for each item that is missing. An import that fails half-way continues when it is run again. */
async function change(ask: Ask, { missing, present, account, apply }: Step): Promise<readonly string[]> {
  const { difference, review } = await applyConfiguration(ask, { missing, present, account }, null)
  if (difference.some((line) => !line.startsWith('+'))) {
    throw new CannotDo('the configuration has just been changed: run the command again')
  }
  const replies = missing.numbers.filter(({ reply }) => reply !== null)
  const lines = [
    ...missing.senders.map((name) => `+ sender ${name} of account ${account} for sms`),
    ...difference,
    ...replies.map(({ carrier, address, keyword }) => {
      return `+ reply of ${carrier} ${address}${keyword === null ? '' : ` with keyword ${keyword}`}`
    }),
    ...missing.logins.map((login) => `+ ${describeLogin(login, account)}`),
  ]
  if (!apply) return lines
  // First, because the name of a login may be taken by another account, which only the gateway knows.
  for (const login of missing.logins) await addLogin(ask, login, account)
  for (const name of missing.senders) await ask('approveSender', { body: { account, channel: 'sms', name } })
  if (difference.length > 0) await applyConfiguration(ask, { missing, present, account }, review)
  for (const { carrier, address, keyword, reply } of replies) {
    await ask('setInboundNumber', { body: { carrier, address, keyword, reply } })
  }
  return lines
}

interface Applied {
  readonly difference: readonly string[]
  readonly review: string
}

/** Adds to the configuration in one transaction; without a review, only reports what would be added. */
async function applyConfiguration(
  ask: Ask,
  { missing, present, account }: Omit<Step, 'apply'>,
  review: string | null,
): Promise<Applied> {
  const routes = missing.routes.map((route) => ({ channel: 'sms', ...route }))
  const numbers = missing.numbers.map(({ reply: _, ...number }) => ({ ...number, account }))
  const configuration = {
    carriers: [...present.carriers, ...missing.carriers],
    routes: [...present.routes, ...routes],
    inbound_numbers: [...present.numbers, ...numbers],
  }
  const body = { configuration, ...(review === null ? { dry_run: true } : { review }) }
  return (await ask('applyConfiguration', { body }).catch((error: Error) => {
    throw error instanceof CannotDo ? new CannotDo(nameItem(error.message, configuration)) : error
  })) as Applied
}

/** Names the carrier of an error in place of its position in a document that the operator does not see. */
function nameItem(
  message: string,
  { carriers, ...others }: Readonly<Record<'carriers' | 'routes' | 'inbound_numbers', readonly object[]>>,
): string {
  const sections: Readonly<Record<string, readonly object[]>> = { carriers, ...others }
  return message.replace(/^(carriers|routes|inbound_numbers)\[(\d+)\]/, (place, section: string, index: string) => {
    const item = sections[section]?.[Number(index)] as { readonly id?: string; readonly carrier?: string } | undefined
    const id = item?.id ?? item?.carrier
    return id === undefined ? place : `${section}, carrier ${id}`
  })
}

async function addLogin(ask: Ask, login: PlannedLogin, account: AccountId): Promise<void> {
  await ask('addLogin', { params: { account }, body: login }).catch((error: Error) => {
    throw new CannotDo(`login ${login.name}: ${error.message}`)
  })
}

function describeLogin({ name, sender, networks }: PlannedLogin, account: AccountId): string {
  const from = networks === null ? 'everywhere' : networks.join(', ')
  return `login ${name} of account ${account}, from ${from}${sender === null ? '' : `, with sender ${sender}`}`
}

function write(difference: readonly string[], notes: readonly Note[], isApplied: boolean): string {
  const count = `${difference.length} ${difference.length === 1 ? 'item' : 'items'}`
  const applied = isApplied ? `${count} created.` : `${count}, not created: add --apply to create them.`
  return [
    ...difference,
    difference.length === 0 ? 'Nothing to create.' : applied,
    ...(notes.length === 0 ? [] : ['', 'Not translated, or not quite:']),
    ...notes.map(({ file, line, subject, why }) => `${file}:${line}: ${subject}: ${why}`),
  ].join('\n')
}
