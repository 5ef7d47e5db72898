/**
 * What the command statuses of a carrier mean for a message. A carrier's setting `statuses` takes precedence over this
 * table.
 */
import { STATUS } from '../../wire/smpp/command-status.ts'

export const STATUS_MEANINGS = [
  'slow',
  'rejected',
  'undeliverable',
  'account',
  'down',
  'unclear',
  'unclear message',
] as const

/**
 * The message was not taken in any case. `slow`: the carrier requests a pause. `rejected`, `undeliverable`: final for
 * this channel. `account`: our account there can send nothing. `down`: the carrier does not work for this client,
 * whatever the message. `unclear`: the fault may concern all messages; `unclear message`: it concerns this message or
 * number.
 */
export type StatusMeaning = (typeof STATUS_MEANINGS)[number]

const TABLE: Readonly<Record<StatusMeaning, readonly number[]>> = {
  slow: [STATUS.systemError, STATUS.queueFull, STATUS.throttled, STATUS.temporaryAppError],
  rejected: [
    STATUS.badMessageLength,
    STATUS.badPriority,
    STATUS.badRegisteredDelivery,
    STATUS.badSource,
    STATUS.badServiceType,
    STATUS.badEsmClass,
    STATUS.submitFailed,
    STATUS.badSourceTon,
    STATUS.badSourceNpi,
    STATUS.badDestinationTon,
    STATUS.badDestinationNpi,
    STATUS.badSchedule,
    STATUS.badExpiry,
    STATUS.badDefaultMessageId,
    STATUS.permanentAppError,
    STATUS.rejectedByApp,
    STATUS.badTlvStream,
    STATUS.tlvNotAllowed,
    STATUS.badTlvLength,
    STATUS.missingTlv,
    STATUS.badTlvValue,
    STATUS.deliveryFailed,
  ],
  undeliverable: [STATUS.badDestination],
  account: [],
  down: [STATUS.wrongBindState, STATUS.alreadyBound, STATUS.bindFailed, STATUS.badPassword, STATUS.badSystemId],
  unclear: [STATUS.badCommandLength, STATUS.badCommandId, STATUS.unknownError],
  'unclear message': [],
}

const BY_STATUS: ReadonlyMap<number, StatusMeaning> = new Map(
  STATUS_MEANINGS.flatMap((meaning) => TABLE[meaning].map((status) => [status, meaning] as const)),
)

export type OwnMeanings = ReadonlyMap<number, StatusMeaning>

/** Statuses that no table has are defined by the carrier, and mostly concern a number or a text. */
export function statusMeaning(status: number, own: OwnMeanings): StatusMeaning {
  return own.get(status) ?? BY_STATUS.get(status) ?? 'unclear message'
}
