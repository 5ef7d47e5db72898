/** English texts of the list of accounts. */
export const LIST_EN = {
  title: 'Accounts',
  description: 'Clients of the gateway, with their money, keys, senders and prices.',
  create: 'New account',
  name: 'Name',
  number: 'Number',
  state: 'State',
  available: 'Available',
  sender: 'Default SMS sender',
  low: 'Low',
  search: 'Name or number',
  none: 'No accounts yet',
  noneHint: 'An account is a client of the gateway: it has its own keys, senders, prices and balance.',
  noMatch: 'No account matches',
  noMatchHint: 'Change the search, or clear the filters.',
}
