/**
 * The rules of every operator change and its audit record: which rows it reads, when it is refused and which rows it
 * writes. Both stores run these rules; only what depends on the database is left to `StoreChanges`.
 */
import type { Sender } from '../../domain/accounts/sender.ts'
import type { ChatTemplate } from '../../domain/text/template.ts'
import type { ChangeRecord } from '../../ports/changes/change-record.ts'
import { ChangeConflict } from '../../ports/records/store-errors.ts'
import type { Change } from '../../ports/stores/setup-store.ts'
import type { Vault } from '../../ports/system/vault.ts'
import { type SealedChange, sealChange } from '../rows/sealing/seal-secrets.ts'
import { DIRECTORY_ROWS } from '../rows/setup/directory-tables.ts'
import { UNSEEN_CHANGES } from '../rows/setup/unseen-changes.ts'
import type { HashPhone } from '../vault/phone-hash.ts'
import { addKey, createAccount, removeKeys, removeLogin, setHookSecrets, setKeys, setLogin } from './accounts.ts'
import {
  addOneTimeToken,
  addToken,
  admitUser,
  openSession,
  proveSession,
  removeToken,
  setAdminSecrets,
  setAdminUser,
  useOneTimeToken,
} from './admin-users.ts'
import { changeAlarm } from './alarms.ts'
import { changeClientHook } from './client-hooks.ts'
import { countLogin, settleLogin } from './logins.ts'
import { correct, refund, setCreditLimit, topUp } from './money.ts'
import { addsFirstOptOut, changeOptOuts } from './opt-outs.ts'
import { addPasskey, removePasskeys, renamePasskey, usePasskey } from './passkeys.ts'
import { addCarrierTimes, setCarrierCheck, setDemotion } from './routing.ts'
import {
  exists,
  find,
  findOne,
  put,
  putAll,
  putItem,
  type Rule,
  refuse,
  requireAccount,
  slicesOf,
  updateRow,
} from './row-step.ts'
import { setUp } from './set-up.ts'

type ChangeOf<Kind extends SealedChange['kind']> = Extract<SealedChange, { kind: Kind }>

/** Changes whose SQL differs between the databases: each store implements them. */
export type StoreChange = ChangeOf<'resend reports' | 'try hook' | 'seal with'>

export interface ChangeTools {
  readonly vault: Vault
  readonly hashPhone: HashPhone
}

/**
 * Returns the id of a created account or another result of the change, otherwise null; returns a StoreChange as it is,
 * for the store to execute. Throws a ChangeRefused, and the store rolls back.
 */
export function* applyChange(
  { change, record }: { readonly change: Change; readonly record: ChangeRecord | null },
  tools: ChangeTools,
): Rule<number | null | StoreChange> {
  const revision = yield* readRevision()
  if (change.kind === 'all') requireRevision(change.revision, revision)
  if (record !== null) yield* checkRecord(record, revision)
  const sealed = sealChange(change, tools.vault)
  const isSeen = yield* changesDirectory(sealed)
  const answer = isStoreChange(sealed) ? sealed : yield* apply(sealed, tools)
  if (record !== null) yield* writeRecord(record)
  if (isSeen) yield* updateRow('meta', { revision: revision + 1 }, { one: 1 })
  return answer
}

function* apply(change: Exclude<SealedChange, StoreChange>, tools: ChangeTools): Rule<number | null> {
  switch (change.kind) {
    case 'create account':
      return yield* createAccount(change)
    case 'set hook secrets':
      return yield* setHookSecrets(change)
    case 'add key':
      return yield* addKey(change)
    case 'set keys':
      return yield* setKeys(change)
    case 'remove keys':
      return yield* removeKeys(change)
    case 'set client login':
      return yield* setLogin(change)
    case 'remove client login':
      return yield* removeLogin(change)
    case 'set sender':
      return yield* setSender(change.sender)
    case 'set chat template':
      return yield* setChatTemplate(change.template)
    case 'top up':
      return yield* topUp(change)
    case 'correct':
      return yield* correct(change)
    case 'refund':
      return yield* refund(change)
    case 'set credit limit':
      return yield* setCreditLimit(change)
    case 'resume hook':
      return yield* resumeHook(change)
    case 'change hook':
      return yield* changeClientHook(change, tools.vault)
    case 'set admin user':
      return yield* setAdminUser(change.user)
    case 'admit user':
      return yield* admitUser(change.user)
    case 'set admin secrets':
      return yield* setAdminSecrets(change)
    case 'add admin token':
      return yield* addToken(change.token)
    case 'open session':
      return yield* openSession(change.token)
    case 'remove admin token':
      return yield* removeToken(change)
    case 'prove session':
      return yield* proveSession(change)
    case 'count login':
      return yield* countLogin(change, tools.hashPhone)
    case 'settle login':
      return yield* settleLogin(change, tools.hashPhone)
    case 'add sign-in link':
    case 'add challenge':
      return yield* addOneTimeToken(change)
    case 'use one-time token':
      return yield* useOneTimeToken(change)
    case 'add passkey':
      return yield* addPasskey(change)
    case 'rename passkey':
      return yield* renamePasskey(change)
    case 'remove passkeys':
      return yield* removePasskeys(change)
    case 'use passkey':
      return yield* usePasskey(change)
    case 'note forgotten phone':
    case 'note bulk':
    case 'note queue':
    case 'note message':
    case 'note test message':
    case 'note failed login':
      return null
    case 'change opt-outs':
      return yield* changeOptOuts(change.changes, tools)
    case 'set traffic alarm':
      return yield* putItem(DIRECTORY_ROWS.trafficAlarms, change.alarm)
    case 'set carrier check':
      return yield* setCarrierCheck(change)
    case 'judge carrier':
    case 'decide demotion':
      return yield* setDemotion(change)
    case 'add carrier times':
      return yield* addCarrierTimes(change)
    case 'raise alarm':
    case 'clear alarm':
    case 'acknowledge alarm':
    case 'resolve alarm':
    case 'delete alarms':
    case 'settle notifications':
      return yield* changeAlarm(change)
    case 'all':
      return yield* setUp(change.changes)
    default:
      return yield* setUp([change])
  }
}

function* setSender(sender: Sender): Rule<null> {
  yield* requireAccount(sender.accountId)
  return yield* putItem(DIRECTORY_ROWS.senders, sender)
}

function* setChatTemplate(template: ChatTemplate): Rule<null> {
  const { id, accountId } = template
  yield* requireAccount(accountId)
  const stored = yield* findOne('chat_template', { template_id: id }, ['account_id'])
  if (stored !== null && stored.account_id !== accountId) refuse(`template ${id} belongs to another account`)
  return yield* putItem(DIRECTORY_ROWS.chatTemplates, template)
}

function* resumeHook({ hook: { accountId, address }, at }: ChangeOf<'resume hook'>): Rule<null> {
  const where = { account_id: accountId, address, stopped: 1 }
  const count = yield* updateRow('stopped_hook', { stopped: 0, changed_at: at }, where)
  return count === 0 ? refuse('this hook is not stopped') : null
}

function isStoreChange(change: SealedChange): change is StoreChange {
  return change.kind === 'resend reports' || change.kind === 'try hook' || change.kind === 'seal with'
}

/** Returns whether the change, not made yet, affects the directory, so that every node has to reload it. */
function* changesDirectory(change: SealedChange): Rule<boolean> {
  if (change.kind === 'change opt-outs') return yield* addsFirstOptOut(change.changes)
  return !UNSEEN_CHANGES.has(change.kind)
}

function* readRevision(): Rule<number> {
  const [meta] = yield* find('meta', { one: 1 }, ['revision'])
  return Number(meta?.revision ?? 0)
}

function requireRevision(expected: number, present: number): void {
  if (expected !== present) throw new ChangeConflict('the configuration was changed concurrently: read it again')
}

function* checkRecord({ revision, request }: ChangeRecord, present: number): Rule<null> {
  requireRevision(revision, present)
  if (request !== null && (yield* exists('admin_request', { actor: request.actor, key: request.key }))) {
    refuse('a request with this Idempotency-Key has been executed')
  }
  return null
}

/** Writes who made the change, and the request that must not be executed again. */
function* writeRecord({ entries, request }: ChangeRecord): Rule<null> {
  for (const slice of slicesOf(entries)) {
    const rows = slice.map(({ at, actor, via, action, subject, before, after }) => {
      return { at, actor, via, action, subject, before: JSON.stringify(before), after: JSON.stringify(after) }
    })
    yield* putAll('audit', rows)
  }
  if (request === null) return null
  const { actor, key, bodyHash, keepUntil } = request
  return yield* put('admin_request', { actor, key, body_hash: bodyHash, answer: null, keep_until: keepUntil })
}
