/** Kannel's status page, as far as it concerns the account of a login: enough for monitoring. */
import { VERSION } from '../../ports/system/user-agent.ts'
import { escapeXml } from '../xml/read-xml.ts'

/** Figures of the account, of the last day. */
export interface StatusFacts {
  readonly upMs: number
  readonly asked: number
  readonly taken: number
  readonly delivered: number
  readonly failed: number
  readonly reports: number
}

export function writeStatusText({ upMs, ...facts }: StatusFacts): string {
  const queued = queuedOf(facts)
  return [
    `Posthorn ${VERSION}`,
    '',
    `Status: running, uptime ${uptimeOf(upMs)}`,
    '',
    `SMS: received 0 (0 queued), sent ${facts.taken} (${queued} queued), store size ${queued}`,
    `DLR: received ${facts.delivered + facts.failed}, sent ${facts.reports}`,
    '',
  ].join('\n')
}

export function writeStatusXml({ upMs, ...facts }: StatusFacts): string {
  const queued = queuedOf(facts)
  const received = '<received><total>0</total><queued>0</queued></received>'
  const sent = `<sent><total>${facts.taken}</total><queued>${queued}</queued></sent>`
  const receipts = facts.delivered + facts.failed
  return [
    '<?xml version="1.0"?>',
    '<gateway>',
    `<version>${escapeXml(`Posthorn ${VERSION}`)}</version>`,
    `<status>running, uptime ${uptimeOf(upMs)}</status>`,
    `<sms>${received}${sent}<storesize>${queued}</storesize></sms>`,
    `<dlr><received><total>${receipts}</total></received><sent><total>${facts.reports}</total></sent></dlr>`,
    '</gateway>',
    '',
  ].join('\n')
}

function queuedOf({ asked, taken, failed }: Pick<StatusFacts, 'asked' | 'taken' | 'failed'>): number {
  return Math.max(0, asked - taken - failed)
}

function uptimeOf(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  const days = Math.floor(seconds / 86_400)
  const hours = Math.floor((seconds % 86_400) / 3600)
  return `${days}d ${hours}h ${Math.floor((seconds % 3600) / 60)}m ${seconds % 60}s`
}
