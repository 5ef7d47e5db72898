/** What every store must do, told as stories. A store's own test calls this with a way to install it. */
import { describe } from 'vitest'
import { describeAccepting } from './store/accepting.ts'
import { describeClaims } from './store/claims.ts'
import { describeLedger } from './store/ledger.ts'
import { describeLinks } from './store/links.ts'
import { describeReceipts } from './store/receipts.ts'
import { describeReports } from './store/reports.ts'
import { describeSetUp } from './store/set-up.ts'
import type { Install } from './store/store-story.ts'
import { describeSweeping } from './store/sweeping.ts'
import { describeTurns } from './store/turns.ts'

export function describeStore(name: string, install: Install): void {
  describe(`${name}, as every store`, () => {
    describeAccepting(install)
    describeTurns(install)
    describeReceipts(install)
    describeClaims(install)
    describeReports(install)
    describeLinks(install)
    describeSetUp(install)
    describeLedger(install)
    describeSweeping(install)
  })
}
