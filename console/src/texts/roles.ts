/** Names of roles, for the pages and for the gateway's texts in German. */
export const ROLES_EN = {
  owner: 'Owner',
  operator: 'Operator',
  finance: 'Finance',
  support: 'Support',
  auditor: 'Auditor',
  'client-admin': 'Client admin',
  'client-reader': 'Client reader',
}

export const ROLES_DE: Readonly<Record<keyof typeof ROLES_EN, string>> = {
  owner: 'Inhaber',
  operator: 'Betreiber',
  finance: 'Finanzen',
  support: 'Support',
  auditor: 'Prüfer',
  'client-admin': 'Kunde (Verwalter)',
  'client-reader': 'Kunde (Leser)',
}
