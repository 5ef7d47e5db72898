/**
 * What an operator changes in accounts and admin users; what leads messages to carriers is in apply-routing-change.ts.
 * Every rule is asked before anything is written; a change that breaks one is refused with a sentence for the operator.
 */
import type { Sender } from '../../domain/sender.ts'
import type { ChatTemplate } from '../../domain/template.ts'
import type { ChangeRecord } from '../../ports/change-record.ts'
import { type Change, ChangeOvertaken, ChangeRefused } from '../../ports/store.ts'
import { toSenderRow, toTemplateRow } from '../rows/directory-rows.ts'
import { type SealedChange, sealChange } from '../rows/seal-secrets.ts'
import { UNSEEN_CHANGES } from '../rows/unseen-changes.ts'
import { Accounts } from './accounts.ts'
import { AdminUsers } from './admin-users.ts'
import { ApiKeys } from './api-keys.ts'
import { GuardChanges } from './apply-guard-change.ts'
import { RoutingChanges } from './apply-routing-change.ts'
import { bumpRevision, lockRevision } from './load-directory.ts'
import { MoneyChanges } from './money-changes.ts'
import { ChangeRecords } from './record-change.ts'
import { resendReports } from './resend-reports.ts'
import type { Session } from './session.ts'
import { refuse, SetUpRows } from './set-up-rows.ts'
import { sealWith } from './settle-keys.ts'

type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>

export interface ChangeOrder {
  readonly change: Change
  readonly record: ChangeRecord | null
}

/**
 * Each answered with the id of a created account or what else the change answers, otherwise null; or with a ChangeRefused,
 * and then nothing is left of it.
 */
export async function applyChanges(
  session: Session,
  orders: readonly ChangeOrder[],
): Promise<readonly (number | null | ChangeRefused)[]> {
  const changes = new Changes(session)
  const answers: (number | null | ChangeRefused)[] = []
  for (const order of orders) {
    try {
      await session.run('SAVEPOINT change')
      answers.push(await changes.apply(order))
      await session.run('RELEASE SAVEPOINT change')
    } catch (error) {
      if (!(error instanceof ChangeRefused)) throw error
      await session.run('ROLLBACK TO SAVEPOINT change')
      answers.push(error)
    }
  }
  return answers
}

class Changes {
  readonly #session: Session
  readonly #rows: SetUpRows
  readonly #accounts: Accounts
  readonly #keys: ApiKeys
  readonly #users: AdminUsers
  readonly #money: MoneyChanges
  readonly #routing: RoutingChanges
  readonly #guards: GuardChanges
  readonly #records: ChangeRecords

  constructor(session: Session) {
    this.#session = session
    this.#rows = new SetUpRows(session)
    this.#accounts = new Accounts(session)
    this.#keys = new ApiKeys(session)
    this.#users = new AdminUsers(session)
    this.#money = new MoneyChanges(session)
    this.#routing = new RoutingChanges(session)
    this.#guards = new GuardChanges(session)
    this.#records = new ChangeRecords(session)
  }

  /** Changes come one after the other, whichever node they come from. */
  async apply({ change, record }: ChangeOrder): Promise<number | null> {
    const revision = await lockRevision(this.#session)
    if (change.kind === 'all' && revision !== change.revision) {
      throw new ChangeOvertaken('somebody has changed the set-up meanwhile: look again')
    }
    if (record !== null) await this.#records.check(record, revision)
    const sealed = sealChange(change, this.#session.vault)
    const shows = await this.#shows(sealed)
    const answer = await this.#apply(sealed)
    if (record !== null) await this.#records.write(record)
    if (shows) await bumpRevision(this.#session)
    return answer
  }

  /** Whether the change, not made yet, shows in the directory. */
  async #shows(change: SealedChange): Promise<boolean> {
    if (change.kind === 'change opt-outs') return this.#guards.getsFirstOptOut(change.changes)
    return !UNSEEN_CHANGES.has(change.kind)
  }

  #apply(change: SealedChange): Promise<number | null> {
    switch (change.kind) {
      case 'create account':
        return this.#accounts.create(change)
      case 'set account':
        return this.#accounts.set(change)
      case 'set hook secrets':
        return this.#accounts.setHookSecrets(change)
      case 'add key':
        return this.#keys.add(change)
      case 'remove keys':
        return this.#keys.remove(change)
      case 'set sender':
        return this.#setSender(change.sender)
      case 'set chat template':
        return this.#setChatTemplate(change.template)
      case 'top up':
        return this.#money.topUp(change)
      case 'correct':
        return this.#money.correct(change)
      case 'set credit limit':
        return this.#money.setCreditLimit(change)
      case 'resume hook':
        return this.#resumeHook(change)
      case 'resend reports':
        return resendReports(this.#session, change)
      case 'set admin user':
        return this.#users.set(change)
      case 'set admin secrets':
        return this.#users.setSecrets(change)
      case 'add admin token':
      case 'open session':
        return this.#users.addToken(change.token)
      case 'remove admin token':
        return this.#users.removeToken(change)
      case 'prove session':
        return this.#users.proveSession(change)
      case 'count login':
        return this.#users.countLogin(change)
      case 'settle login':
        return this.#users.settleLogin(change)
      case 'all':
        return this.#routing.applyAll(change.changes)
      case 'note forgotten phone':
      case 'note failed login':
        return Promise.resolve(null)
      case 'seal with':
        return sealWith(this.#session, change.keyId)
      case 'change opt-outs':
      case 'set traffic alarm':
        return this.#guards.apply(change)
      default:
        return this.#routing.apply(change)
    }
  }

  async #setSender(sender: Sender): Promise<null> {
    await this.#rows.needAccount(sender.accountId)
    return this.#rows.put('sender', toSenderRow(sender))
  }

  async #setChatTemplate(template: ChatTemplate): Promise<null> {
    const { id, accountId } = template
    await this.#rows.needAccount(accountId)
    const owner = await this.#rows.cell('SELECT account_id FROM chat_template WHERE template_id = ?', id)
    if (owner !== null && owner !== accountId) refuse(`template ${id} belongs to another account`)
    return this.#rows.put('chat_template', toTemplateRow(template))
  }

  async #resumeHook({ hook, at }: ChangeOf<'resume hook'>): Promise<null> {
    const { accountId, address } = hook
    const resume =
      'UPDATE stopped_hook SET stopped = 0, changed_at = ? WHERE account_id = ? AND hash = md5(?) AND stopped = 1'
    if ((await this.#rows.run(resume, at, accountId, address)) === 0) refuse('this hook is not stopped')
    return null
  }
}
