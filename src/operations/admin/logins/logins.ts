/** Logins of an account: names and passwords with which programs that exist send. */
import Type, { type Static } from 'typebox'
import { channelsOf } from '../../../contract/channels/send-types.ts'
import { isSenderName } from '../../../contract/fields/kinds.ts'
import {
  isLoginName,
  LOGIN_DEFAULTS,
  LOGIN_NAME_RULE,
  LONG_PASSWORD,
  type Login,
  MAX_LOGIN_NAME,
  MAX_PASSWORD,
  PASSWORD_FORM,
} from '../../../domain/accounts/login.ts'
import { hasApprovedSender } from '../../../domain/accounts/sender.ts'
import type { DirectoryRows } from '../../../domain/directory/directory.ts'
import { type AccountId, toAccountId } from '../../../domain/ids/account-id.ts'
import { describeInboundNumber } from '../../../domain/inbound/inbound-number.ts'
import { loginOf } from '../../../domain/reports/report-target.ts'
import { ChangeRefused } from '../../../ports/records/store-errors.ts'
import type { Random } from '../../../ports/system/random.ts'
import { makeSecrets } from '../../request/logins.ts'
import { isSigningKey } from '../../request/signing-key.ts'
import { entry } from '../endpoint/audit-entry.ts'
import type { ChangeRule, Changes } from '../endpoint/change.ts'
import { CLIENT_ADMINS, CLIENTS } from '../endpoint/client-access.ts'
import { endpoint, knownWithinASecond } from '../endpoint/endpoint.ts'
import { accountRow, UnknownThing } from '../fields/account-row.ts'
import { checkField } from '../fields/field-refused.ts'
import { NETWORKS, readNetworks } from '../fields/networks.ts'
import { isRaised, ONLY_OPERATORS_RAISE, PRIORITY } from '../fields/priority.ts'
import {
  ACCOUNT,
  nullable,
  OPERATORS,
  PAGING,
  pageOf,
  READERS,
  SECRET_INPUT,
  SENDER_NAME,
  SHOWN_ONCE,
  TIME,
  whole,
  writeTime,
} from '../fields/shapes.ts'
import { takePage } from '../fields/take-page.ts'

const LOGIN_NAME = Type.String({
  minLength: 1,
  maxLength: MAX_LOGIN_NAME,
  description: 'system id of SMPP or user name, unique over the installation; SMPP allows 15 characters',
  examples: ['shop'],
})

const PASSWORD = Type.String({
  minLength: 1,
  maxLength: MAX_PASSWORD,
  description: `one that the program has already; many SMPP programs send only 8 characters, and one shorter than ${LONG_PASSWORD} needs networks`,
  ...SECRET_INPUT,
})

const SIGNING_KEY = nullable(Type.String({ minLength: 1, maxLength: 200, ...SECRET_INPUT }), {
  description: 'key with which a login server such as Supabase signs its requests; null for none',
  ...SECRET_INPUT,
})

const SETTINGS = {
  networks: nullable(NETWORKS, {
    description: 'networks in CIDR form from which it is accepted; null for those of the account',
  }),
  type: Type.String({ description: 'how its texts are sent: sms, or channels in their order such as rcs+sms' }),
  sender: nullable(SENDER_NAME, { description: 'sender of messages that name none; null for that of the account' }),
  max_binds: whole({ minimum: 1, maximum: 1_000, description: 'SMPP: maximum of connections at a time' }),
  per_second: nullable(whole({ minimum: 1, maximum: 100_000 }), {
    description: 'messages per second; null for the limit of the account alone',
  }),
  window: whole({ minimum: 1, maximum: 1_000, description: 'SMPP: maximum of requests without an answer' }),
  once_by_reference: Type.Boolean({
    description: 'SMPP: takes messages of the same user_message_reference once within a day',
  }),
  priority: PRIORITY,
}

export const LoginView = Type.Object({
  account: ACCOUNT,
  name: LOGIN_NAME,
  ...SETTINGS,
  test: Type.Boolean({ description: 'its messages reach simulated phones only, free of charge' }),
  signs: Type.Boolean({ description: 'it has a signing key' }),
  created_at: TIME,
})

const LOGINS: ChangeRule = { what: 'logins', may: OPERATORS, proof: true }

/** Of an account, by its users. */
const MAX_LOGINS = 100

export const LOGIN_CHANGES = {
  'set client login': {
    ...LOGINS,
    accounts: ({ login }) => [login.accountId],
    refuseClients: ({ login }, { logins }) => {
      const own = logins.filter(({ accountId }) => accountId === login.accountId)
      const before = own.find(({ name }) => name === login.name)
      if (isRaised(login.priority, before?.priority)) return ONLY_OPERATORS_RAISE
      return own.length < MAX_LOGINS || before !== undefined
        ? null
        : `the account has ${own.length} logins: remove one, or ask the operator for more`
    },
    audit: ({ login }, { logins }) => {
      const before = logins.find(({ name }) => name === login.name)
      const after = audited(login, before)
      return entry(subjectOf(login), before === undefined ? null : audited(before), after)
    },
  },
  'remove client login': {
    ...LOGINS,
    accounts: ({ accountId }) => [accountId],
    audit: ({ accountId, name }, { logins }) => {
      const before = logins.find((login) => login.name === name)
      return entry(subjectOf({ accountId, name }), before === undefined ? null : audited(before), null)
    },
  },
} satisfies Changes

function subjectOf({ accountId, name }: Pick<Login, 'accountId' | 'name'>): string {
  return `login ${name} of account ${accountId}`
}

/** `before` is the login that it replaces: says whether the password is another one. */
function audited(login: Login, before?: Login): object {
  const { account: _, name: _name, created_at: _at, ...shown } = viewLogin(login)
  const isNew = before !== undefined && before.secrets.passwordHash !== login.secrets.passwordHash
  return isNew ? { ...shown, password_changed: true } : shown
}

type Settings = Partial<Static<ReturnType<typeof Type.Object<typeof SETTINGS>>>>

const OPTIONAL = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, schema]) => [name, Type.Optional(schema)]),
) as { [Name in keyof typeof SETTINGS]: ReturnType<typeof Type.Optional<(typeof SETTINGS)[Name]>> }

const ChangedLogin = Type.Object({
  ...LoginView.properties,
  warning: Type.Optional(Type.String({ description: 'that the account may not use its sender yet' })),
})

const PATH = '/accounts/{account}/logins'
const NAMED = { path: `${PATH}/{name}`, params: { account: ACCOUNT, name: LOGIN_NAME } }
const BY_ADMINS = {
  may: OPERATORS,
  clients: { may: CLIENT_ADMINS, scope: 'account' },
  hint: knownWithinASecond,
} as const

export const LOGIN_ENDPOINTS = [
  endpoint({
    name: 'listLogins',
    method: 'GET',
    path: PATH,
    command: 'login list',
    summary: 'list the logins of an account: names and passwords for SMPP and the HTTP interfaces of other gateways',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    params: { account: ACCOUNT },
    query: PAGING,
    result: pageOf(LoginView),
    run: async ({ store }, { account, ...paging }) =>
      takePage(loginsOf(await store.loadDirectory(), toAccountId(account)), paging, viewLogin),
  }),
  endpoint({
    ...NAMED,
    name: 'showLogin',
    method: 'GET',
    command: 'login show',
    summary: 'show a login; its password cannot be shown',
    may: READERS,
    clients: { may: CLIENTS, scope: 'account' },
    result: LoginView,
    run: async ({ store }, { account, name }) =>
      viewLogin(findLogin(await store.loadDirectory(), toAccountId(account), name)),
  }),
  endpoint({
    ...BY_ADMINS,
    name: 'addLogin',
    method: 'POST',
    path: PATH,
    command: 'login add',
    summary: 'add a login; without a password one is made and shown once, and only a hash of it is stored',
    params: { account: ACCOUNT },
    body: {
      name: LOGIN_NAME,
      password: Type.Optional(PASSWORD),
      signing_key: Type.Optional(SIGNING_KEY),
      ...OPTIONAL,
      test: Type.Optional(Type.Boolean({ description: 'its messages reach simulated phones only, free of charge' })),
    },
    result: Type.Object({ password: nullable(SHOWN_ONCE), ...ChangedLogin.properties }),
    run: async (
      { store, clock, random },
      { account, name, password, signing_key: signingKey, test = false, ...given },
    ) => {
      const accountId = toAccountId(account)
      const rows = await store.loadDirectory()
      accountRow(rows, accountId)
      checkField('name', isLoginName(name), `must be ${LOGIN_NAME_RULE}`)
      if (rows.logins.some((login) => login.name === name)) {
        throw new ChangeRefused(`there is a login named ${JSON.stringify(name)} already: choose another name`)
      }
      checkSigningKey(signingKey)
      const made = password ?? makePassword(random)
      const secrets = makeSecrets(made, signingKey ?? null, random)
      const fresh: Login = { ...LOGIN_DEFAULTS, name, accountId, secrets, test, createdAt: clock.now() }
      const login = withSettings(fresh, given)
      checkPassword(made, login)
      await store.change({ kind: 'set client login', login })
      return { password: password === undefined ? made : null, ...viewLogin(login), ...warningOf(rows, login) }
    },
  }),
  endpoint({
    ...BY_ADMINS,
    ...NAMED,
    name: 'setLogin',
    method: 'PATCH',
    command: 'login set',
    summary: 'change settings, the password or the signing key of a login; another password closes its connections',
    body: { password: Type.Optional(PASSWORD), signing_key: Type.Optional(SIGNING_KEY), ...OPTIONAL },
    result: ChangedLogin,
    run: async ({ store, random }, { account, name, password, signing_key: signingKey, ...given }) => {
      const rows = await store.loadDirectory()
      const before = findLogin(rows, toAccountId(account), name)
      checkSigningKey(signingKey)
      const key = signingKey === undefined ? before.secrets.signingKey : signingKey
      const secrets =
        password === undefined ? { ...before.secrets, signingKey: key } : makeSecrets(password, key, random)
      const login = withSettings({ ...before, secrets }, given)
      if (password !== undefined) checkPassword(password, login)
      // The present one may be short, and only its hash is known.
      const isWider = before.networks !== null && login.networks === null
      checkField('password', password !== undefined || !isWider, 'required to accept the login from all networks')
      await store.change({ kind: 'set client login', login })
      return { ...viewLogin(login), ...warningOf(rows, login) }
    },
  }),
  endpoint({
    ...BY_ADMINS,
    ...NAMED,
    name: 'removeLogin',
    method: 'DELETE',
    command: 'login remove',
    summary: 'remove a login: it opens nothing any more, and its connections are closed',
    run: async ({ store }, { account, name }) => {
      const rows = await store.loadDirectory()
      const { accountId } = findLogin(rows, toAccountId(account), name)
      checkNoHook(rows, accountId, name)
      await store.change({ kind: 'remove client login', accountId, name })
      return undefined
    },
  }),
]

function loginsOf(rows: DirectoryRows, accountId: AccountId): readonly Login[] {
  accountRow(rows, accountId)
  return rows.logins.filter((login) => login.accountId === accountId)
}

/** Throws UnknownThing. */
function findLogin(rows: DirectoryRows, accountId: AccountId, name: string): Login {
  const login = loginsOf(rows, accountId).find((each) => each.name === name)
  if (login === undefined) throw new UnknownThing(`account ${accountId} has no login named ${JSON.stringify(name)}`)
  return login
}

/** Throws ChangeRefused if hooks send reports to the login: they would wait for it, and be lost in the end. */
function checkNoHook(rows: DirectoryRows, accountId: AccountId, name: string): void {
  const { defaultHook } = accountRow(rows, accountId).settings
  const isOfLogin = (hook: string | null) => hook !== null && loginOf(hook) === name
  const numbers = rows.inboundNumbers.filter((number) => number.accountId === accountId && isOfLogin(number.hook))
  const hooks = [
    ...(isOfLogin(defaultHook) ? [`account ${accountId}`] : []),
    ...numbers.map((number) => `inbound number ${describeInboundNumber(number)}`),
  ]
  if (hooks.length === 0) return
  const [named, more] = [hooks.slice(0, MAX_NAMED_HOOKS), hooks.length - MAX_NAMED_HOOKS]
  const others = more > 0 ? ` and ${more} more` : ''
  throw new ChangeRefused(`reports go to this login: change the hook of ${named.join(', ')}${others} first`)
}

const MAX_NAMED_HOOKS = 5

/** Returns the login with these settings. Throws ChangeRefused. */
function withSettings(login: Login, given: Settings): Login {
  const { networks, type = login.type, sender = login.sender } = given
  const channels = channelsOf(type)
  checkField('type', channels !== null, 'must be sms, or channels in their order, each once, such as rcs+sms')
  const isSender = sender === null || channels?.some((channel) => isSenderName(channel, sender)) === true
  checkField('sender', isSender, `must be a sender of ${type}`)
  return {
    ...login,
    type,
    sender,
    networks: networks === undefined ? login.networks : networks && readNetworks('networks', networks),
    maxBinds: given.max_binds ?? login.maxBinds,
    perSecond: given.per_second === undefined ? login.perSecond : given.per_second,
    window: given.window ?? login.window,
    onceByReference: given.once_by_reference ?? login.onceByReference,
    priority: given.priority === undefined ? login.priority : given.priority,
  }
}

/** A sender that is not approved yet may be on its way, so it is no error. */
function warningOf({ senders }: DirectoryRows, { accountId, type, sender }: Login): { readonly warning?: string } {
  if (sender === null) return {}
  const missing = (channelsOf(type) ?? []).filter(
    (channel) => isSenderName(channel, sender) && !hasApprovedSender(senders, { accountId, channel, name: sender }),
  )
  if (missing.length === 0) return {}
  return { warning: `the account has no approved sender ${sender} for ${missing.join(', ')}: its messages are refused` }
}

function checkSigningKey(key: string | null | undefined): void {
  const isGood = key == null || isSigningKey(key)
  checkField('signing_key', isGood, 'must have at least 16 bytes in base64 after whsec_: copy the whole secret')
}

/** A short password can be guessed: it is accepted from known networks only. */
function checkPassword(password: string, { networks }: Login): void {
  checkField('password', PASSWORD_FORM.test(password), 'must be ASCII characters')
  const isSafe = password.length >= LONG_PASSWORD || networks !== null
  checkField('networks', isSafe, `required for a password shorter than ${LONG_PASSWORD} characters`)
}

const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const MADE_CHARACTERS = 16

/** Without letters and digits that look alike. */
function makePassword(random: Random): string {
  return Array.from({ length: MADE_CHARACTERS }, () => LETTERS[random.below(LETTERS.length)]).join('')
}

function viewLogin(login: Login): Static<typeof LoginView> {
  const { accountId, name, networks, type, sender, maxBinds, perSecond, window, onceByReference } = login
  const { priority, test } = login
  return {
    account: accountId,
    name,
    networks: networks === null ? null : [...networks],
    type,
    sender,
    max_binds: maxBinds,
    per_second: perSecond,
    window,
    once_by_reference: onceByReference,
    priority,
    test,
    signs: login.secrets.signingKey !== null,
    created_at: writeTime(login.createdAt),
  }
}
