/** Whether an address is one that only this machine has. */
export function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/.test(address);
}
