/** What an import of kannel.conf creates: bodies of the admin API, which checks them. */
import type { SettingsCheck } from '../../operations/admin/fields/carrier-kinds.ts'
import type { Note } from './kannel-file.ts'

export interface ImportPlan {
  readonly carriers: readonly PlannedCarrier[]
  readonly routes: readonly PlannedRoute[]
  readonly logins: readonly PlannedLogin[]
  readonly numbers: readonly PlannedNumber[]
  /** Sender names to approve. */
  readonly senders: readonly string[]
  readonly notes: readonly Note[]
}

export interface PlannedCarrier {
  readonly id: string
  readonly kind: 'smpp' | 'http'
  readonly channel: 'sms'
  readonly settings: Readonly<Record<string, unknown>>
}

export interface PlannedRoute {
  readonly carrier: string
  readonly prefix: string
  readonly priority: number
}

export interface PlannedLogin {
  readonly name: string
  readonly password: string
  readonly sender: string | null
  /** CIDR; null for all. */
  readonly networks: readonly string[] | null
}

export interface PlannedNumber {
  readonly carrier: string
  readonly address: string
  readonly keyword: string | null
  readonly hook: string | null
  /** The text that answers; set after its sender is approved. */
  readonly reply: string | null
}

/** What the file cannot say. */
export interface ImportChoices {
  /** What recipients write to, for services that name no number. */
  readonly numbers: readonly string[]
  /** CIDR, for logins whose user has no user-allow-ip. */
  readonly networks: readonly string[]
  /** Of the drivers: a carrier that they refuse is left out. */
  readonly checkSettings: SettingsCheck
}
