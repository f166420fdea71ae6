import { effective, type SandboxRules } from './rules.js';

/**
 * Profile for `sandbox-exec -p`; the last matching rule wins. Seatbelt cannot replace a folder: a run reaches the
 * socket of the service itself.
 */
export function seatbeltProfile({ rules, replacements }: SandboxRules): string {
  const lines = effective(rules).map(({ path, access }) => {
    const place = `(subpath ${quoted(path)})`;
    if (access === 'hidden') return `(deny file-read* file-write* ${place})`;
    return `(${access === 'write' ? 'allow' : 'deny'} file-write* ${place})`;
  });
  const sockets = replacements.flatMap(({ path }) => [
    `(deny file-read-data ${`(subpath ${quoted(path)})`})`,
    `(allow file-read-data (literal ${quoted(`${path}/daemon.sock`)}))`,
  ]);
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (subpath "/dev"))',
    ...lines,
    ...sockets,
    '',
  ].join('\n');
}

/** Quotes a string for the profile. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
