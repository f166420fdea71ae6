import { expect } from 'vitest';
import type { ErrorCode } from '#kernel/error-codes.js';
import { errorCodes, TroupeError } from '#kernel/errors.js';
import { withValues } from '#kernel/hints.js';
import { verifies } from '../verifies.js';

verifies('say.untrue', 'what an error knows stands in the commands of its hint, as one harmless word', () => {
  const error = new TroupeError('wrong_status', { details: { id: 't-1' } });
  expect(error.hint).toBe('Run `troupe show t-1`.');
  expect(new TroupeError('wrong_status').hint).toBe('Run `troupe show ID`.');
  const hint = (text: string, details: Readonly<Record<string, unknown>>) =>
    new TroupeError('bad_input', { hint: text, details }).hint;
  expect(hint('`troupe team show TEAM`, TEAM', { team: 'Red Ants' })).toBe("`troupe team show 'Red Ants'`, TEAM");
  expect(hint('`troupe show ID`', { id: '$(rm -rf /)\u001b' })).toBe("`troupe show '$(rm -rf /)\\u{1b}'`");
  expect(hint('`troupe claim ID --actor NAME`', { id: 'a', name: 3 })).toBe('`troupe claim a --actor NAME`');
  const handIn = hint('`troupe formation hand-in ID --file FILE`', { id: 'a', file: 'runs/r/QA.md' });
  expect(handIn, 'the file is theirs to name').toBe('`troupe formation hand-in a --file FILE`');
  for (const value of ['', 'x'.repeat(201), undefined])
    expect(hint('`troupe show ID`', { id: value })).toBe('`troupe show ID`');
  expect(hint('`TROUPE_ID=1 ID`, `troupe config set MY-ID`', { id: 'a' })).toBe(
    '`TROUPE_ID=1 ID`, `troupe config set MY-ID`',
  );
});

verifies('say.untrue', 'no hint of a code keeps a placeholder whose value the details have', () => {
  for (const [code, { hint }] of Object.entries(errorCodes())) {
    const names = new Set<string>();
    withValues(hint, (name) => names.add(name));
    const details = Object.fromEntries([...names].map((name) => [name.toLowerCase(), 'known']));
    const shown = new TroupeError(code as ErrorCode, { details }).hint;
    for (const name of names) expect(shown, code).not.toMatch(new RegExp(`\`troupe [^\`]*\\b${name}\\b`));
  }
});
