/** The log of a running gateway: one JSON line per event on standard error, by pino. */
import { type DestinationStream, pino } from 'pino'
import type { Log, LogFields } from '../ports/log.ts'
import { StoreError } from '../ports/store-errors.ts'

export function openLog(level: string, destination: DestinationStream = pino.destination({ fd: 2, sync: false })): Log {
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
  return {
    debug: (fields, line) => logger.debug(plain(fields), line),
    info: (fields, line) => logger.info(plain(fields), line),
    warn: (fields, line) => logger.warn(plain(fields), line),
    error: (fields, line) => logger.error(plain(fields), line),
  }
}

/**
 * Logs an error's name and text, and its stack, which contains only file names; no stack for a StoreError, which may be
 * frequent and is not a fault of the gateway.
 */
function plain(fields: LogFields): object {
  const { error } = fields
  if (!(error instanceof Error)) return fields
  const line = { ...fields, error: `${error.name}: ${error.message}` }
  return error instanceof StoreError ? line : { ...line, stack: error.stack }
}
