/** The store's part in messengers that name users by ids of their own, with or without the phone. */
import type { Phone } from '../../domain/numbers/phone.ts'

export interface CarrierUserId {
  readonly carrierId: string
  /** The messenger's name of the user, at most 200 characters: an id, or a phone in a form of the messenger's own. */
  readonly userId: string
}

export interface CarrierUser extends CarrierUserId {
  readonly phone: Phone
}

export interface UserStore {
  /** Stores the phones of users, or their newer ones, until USERS_KEPT_MS after `now`. */
  rememberUsers(users: readonly CarrierUser[], now: number): Promise<void>
  /** Returns the phones in the order asked; null for an unknown user. */
  findUsers(ids: readonly CarrierUserId[]): Promise<readonly (Phone | null)[]>
}

/** How long the phone of a user is kept since the messenger has named both last, milliseconds. */
export const USERS_KEPT_MS = 365 * 86_400_000
/** Users above this number are forgotten, those first that were named longest ago. */
export const MAX_USERS = 1_000_000
