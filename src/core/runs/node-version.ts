/** The versions of Node that can run this program: of these lines the first that do, and every later line. */
const LINES = [
  { major: 20, minor: 19 },
  { major: 22, minor: 13 },
] as const;

/** Whether `20.20.2` is one of them. */
export function isSupportedNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const line = LINES.find((one) => one.major === major);
  return line === undefined ? major > 22 : minor >= line.minor;
}
