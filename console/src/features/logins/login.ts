/** Logins as the admin API shows them, and the settings that their forms share. */
import type { AnswerOf } from '../../api/api.ts'
import { readWhole } from '../../parts/form/decimal.ts'
import { splitList } from '../../parts/form/split-list.ts'
import type { PriorityInput } from '../keys/priority-field.tsx'

export type Login = AnswerOf<'GET', '/accounts/{account}/logins'>['data'][number]
export type AddedLogin = AnswerOf<'POST', '/accounts/{account}/logins'>

/** As the user types them. */
export interface LoginInputs {
  readonly networks: string
  readonly type: string
  readonly sender: string
  readonly max_binds: string
  readonly per_second: string
  readonly window: string
  readonly once_by_reference: boolean
  readonly priority: PriorityInput
  readonly signing_key: string
}

export const NEW_LOGIN: LoginInputs = {
  networks: '',
  type: 'sms',
  sender: '',
  max_binds: '4',
  per_second: '',
  window: '100',
  once_by_reference: false,
  priority: '',
  signing_key: '',
}

export function writeInputs(login: Login): LoginInputs {
  return {
    networks: (login.networks ?? []).join(', '),
    type: login.type,
    sender: login.sender ?? '',
    max_binds: String(login.max_binds),
    per_second: login.per_second === null ? '' : String(login.per_second),
    window: String(login.window),
    once_by_reference: login.once_by_reference,
    priority: login.priority ?? '',
    signing_key: '',
  }
}

/** Returns the settings as the API takes them. An empty key is left as it is. Throws ApiError for what is no number. */
export function readInputs(inputs: LoginInputs, wrongNumber: string) {
  const { networks, type, sender, per_second: perSecond, signing_key: signingKey } = inputs
  const list = splitList(networks, ',')
  return {
    networks: list.length === 0 ? null : [...list],
    type: type.trim(),
    sender: sender.trim() === '' ? null : sender.trim(),
    max_binds: readWhole('max_binds', inputs.max_binds, wrongNumber),
    per_second: perSecond.trim() === '' ? null : readWhole('per_second', perSecond, wrongNumber),
    window: readWhole('window', inputs.window, wrongNumber),
    once_by_reference: inputs.once_by_reference,
    priority: inputs.priority === '' ? null : inputs.priority,
    ...(signingKey === '' ? {} : { signing_key: signingKey }),
  }
}
