/** The log of a gateway on standard error, by pino: one JSON line per event, or a readable one on a terminal. */
import { type DestinationStream, pino } from 'pino'
import { StoreError } from '../../ports/records/store-errors.ts'
import type { Log, LogFields } from '../../ports/system/log.ts'
import { readableLine } from './readable-line.ts'

/** Lines above that are dropped while they cannot be written. */
const MAX_UNWRITTEN_BYTES = 16 * 1024 * 1024

export function openLog(
  level: string,
  form: 'json' | 'readable' = 'json',
  destination: DestinationStream = standardError(),
): Log {
  const lines = form === 'json' ? destination : { write: (line: string) => void destination.write(readableLine(line)) }
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, lines)
  return {
    debug: (fields, line) => logger.debug(plain(fields), line),
    info: (fields, line) => logger.info(plain(fields), line),
    warn: (fields, line) => logger.warn(plain(fields), line),
    error: (fields, line) => logger.error(plain(fields), line),
  }
}

function standardError(): DestinationStream {
  const destination = pino.destination({ fd: 2, sync: false, maxLength: MAX_UNWRITTEN_BYTES })
  // A closed terminal or a full disk must not end the gateway, nor hold up its end: flushSync tries again without end.
  destination.on('error', () => {
    destination.flushSync = () => {}
  })
  return destination
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
