/** Supported versions of Node: the first minor version per major version; later major versions are all supported. */
const LINES = [
  { major: 20, minor: 19 },
  { major: 22, minor: 13 },
] as const;

/** Whether a version such as `20.20.2` is supported. */
export function isSupportedNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const line = LINES.find((one) => one.major === major);
  return line === undefined ? major > 22 : minor >= line.minor;
}
