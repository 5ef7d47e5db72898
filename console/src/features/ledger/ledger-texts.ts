/** Texts of money and postings in the user's language. */
import { useTexts } from '../../texts/texts.ts'
import { LEDGER_DE } from './texts-de.ts'
import { LEDGER_EN } from './texts-en.ts'

const TEXTS = { en: LEDGER_EN, de: LEDGER_DE }

export function useLedgerTexts() {
  return useTexts<typeof LEDGER_EN>(TEXTS)
}
