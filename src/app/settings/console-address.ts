/** The address of the console as links name it. */

/** `address` is that of the admin port. Browsers allow passkeys for localhost, but not for an IP address. */
export function consoleAddress(address: string): string {
  return address.replace('//127.0.0.1:', '//localhost:')
}
