/** Settings are typed as JSON. */
import { lineOfFault } from '../../parts/json-fault.ts'

/** Returns the line of the fault, from 1; null for an object. */
export function faultInObject(text: string): number | null {
  try {
    JSON.parse(text)
  } catch {
    return lineOfFault(text)
  }
  return readJsonObject(text) === null ? 1 : null
}

/** Returns null for anything but an object. */
export function readJsonObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as never) : null
  } catch {
    return null
  }
}
