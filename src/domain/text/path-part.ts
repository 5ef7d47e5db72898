/** Whether a name may stand in the path of an address: clients resolve `.` and `..`, and ask for another path. */
export function isPathPart(name: string): boolean {
  return !/^\.{0,2}$/.test(name)
}
