/** Actions of the audit log in words: names such as `issueKey`, and those of operations such as `hook/create`. */
import { useContext } from 'react'
import type { ChangeName } from '../../api/admin-api.ts'
import { roleMay } from '../../api/me.ts'
import { PRICE_ACTIONS } from '../../features/prices/price-actions.ts'
import { inClientWords } from '../../texts/client-words.ts'
import { usePreferences } from '../../texts/language.ts'
import { IsClient } from '../../texts/texts.ts'
import { ACTIONS_DE } from './actions-de.ts'

const PRICES = { en: 'Prices, groups and moves', de: 'Preise, Gruppen und Wechsel' }

const ACTIONS = Object.keys(ACTIONS_DE) as readonly ChangeName[]

/** The names in the language and the words of the user, and the actions that the user's log may have, for a filter. */
export function useActionNames() {
  const { language } = usePreferences()
  const isClient = useContext(IsClient)
  const german: Readonly<Record<string, string>> = language === 'de' ? ACTIONS_DE : {}
  /** Returns the words of an action: `Issue key`. */
  const nameOf = (action: string) => {
    const name = german[action] ?? inWords(action)
    return isClient ? inClientWords(name, language) : name
  }
  const choices = ACTIONS.filter((action) => !isClient || roleMay('client-admin', action))
    .map((value) => ({ value, label: nameOf(value) }))
    .sort((a, b) => a.label.localeCompare(b.label, language))
  const groups = isClient ? [] : [{ value: PRICE_ACTIONS, label: PRICES[language] }]
  return { nameOf, choices: [...groups, ...choices] }
}

function inWords(action: string): string {
  const words = action.replace(/[/_]/g, ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const text = words.replace(/\bsso\b/, 'SSO').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
