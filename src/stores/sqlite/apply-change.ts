/**
 * What an operator changes in accounts and admin users; what leads messages to carriers is in apply-routing-change.ts.
 * Every rule is asked before anything is written; a change that breaks one is refused with a sentence for the operator.
 */
import type { Sender } from '../../domain/sender.ts'
import type { ChatTemplate } from '../../domain/template.ts'
import type { ChangeRecord } from '../../ports/change-record.ts'
import { type Change, ChangeOvertaken } from '../../ports/store.ts'

import { toSenderRow, toTemplateRow } from '../rows/directory-rows.ts'
import { type SealedChange, sealChange } from '../rows/seal-secrets.ts'
import { UNSEEN_CHANGES } from '../rows/unseen-changes.ts'
import { Accounts } from './accounts.ts'
import { AdminUsers } from './admin-users.ts'
import { ApiKeys } from './api-keys.ts'
import { GuardChanges } from './apply-guard-change.ts'
import { RoutingChanges } from './apply-routing-change.ts'
import { bumpRevision, directoryRevision } from './load-directory.ts'
import { MoneyChanges } from './money-changes.ts'
import { ChangeRecords } from './record-change.ts'
import { type Resending, resendReports } from './resend-reports.ts'
import type { Session } from './session.ts'
import { refuse, SetUpRows } from './set-up-rows.ts'
import { sealWith } from './settle-keys.ts'

type ChangeOf<Kind extends Change['kind']> = Extract<Change, { kind: Kind }>

/** Answers with the id of a created account or what else the change answers, otherwise null. Throws a ChangeRefused. */
export function applyChange(session: Session): (change: Change, record: ChangeRecord | null) => number | null {
  const changes = new Changes(session)
  const records = new ChangeRecords(session)
  const bump = bumpRevision(session)
  return (change, record) => {
    if (record !== null) records.check(record)
    const sealed = sealChange(change, session.vault)
    const shows = changes.show(sealed)
    const id = changes.apply(sealed)
    if (record !== null) records.write(record)
    if (shows) bump()
    return id
  }
}

class Changes {
  readonly #rows: SetUpRows
  readonly #accounts: Accounts
  readonly #keys: ApiKeys
  readonly #users: AdminUsers
  readonly #money: MoneyChanges
  readonly #routing: RoutingChanges
  readonly #guards: GuardChanges
  readonly #revision: () => number
  readonly #resend: (wish: Resending) => number
  readonly #sealWith: (keyId: string) => void

  constructor(session: Session) {
    this.#resend = resendReports(session)
    this.#sealWith = sealWith(session)
    this.#rows = new SetUpRows(session)
    this.#accounts = new Accounts(session)
    this.#keys = new ApiKeys(session)
    this.#users = new AdminUsers(session)
    this.#money = new MoneyChanges(session)
    this.#routing = new RoutingChanges(session)
    this.#guards = new GuardChanges(session)
    this.#revision = directoryRevision(session)
  }

  /** Whether the change, not made yet, shows in the directory. */
  show(change: SealedChange): boolean {
    if (change.kind === 'change opt-outs') return this.#guards.getsFirstOptOut(change.changes)
    return !UNSEEN_CHANGES.has(change.kind)
  }

  apply(change: SealedChange): number | null {
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
        return this.#resend(change)
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
        if (this.#revision() !== change.revision) {
          throw new ChangeOvertaken('somebody has changed the set-up meanwhile: look again')
        }
        return this.#routing.applyAll(change.changes)
      case 'note forgotten phone':
      case 'note failed login':
        return null
      case 'seal with':
        this.#sealWith(change.keyId)
        return null
      case 'change opt-outs':
      case 'set traffic alarm':
        return this.#guards.apply(change)
      default:
        return this.#routing.apply(change)
    }
  }

  #setSender(sender: Sender): null {
    this.#rows.needAccount(sender.accountId)
    return this.#rows.put('sender', toSenderRow(sender))
  }

  #setChatTemplate(template: ChatTemplate): null {
    const { id, accountId } = template
    this.#rows.needAccount(accountId)
    const owner = this.#rows.cell('SELECT account_id FROM chat_template WHERE template_id = ?', id)
    if (owner !== null && owner !== accountId) refuse(`template ${id} belongs to another account`)
    return this.#rows.put('chat_template', toTemplateRow(template))
  }

  #resumeHook({ hook, at }: ChangeOf<'resume hook'>): null {
    const { accountId, address } = hook
    const sql =
      'UPDATE stopped_hook SET stopped = 0, changed_at = ? WHERE account_id = ? AND address = ? AND stopped = 1'
    if (this.#rows.run(sql, at, accountId, address) === 0) refuse('this hook is not stopped')
    return null
  }
}
