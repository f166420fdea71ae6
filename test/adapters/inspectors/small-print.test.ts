import { expect, test } from 'vitest';
import { big } from '#adapters/inspectors/big.js';
import { inventory } from '#adapters/inspectors/inventory.js';
import { leaksIn } from '#adapters/inspectors/secrets.js';
import { TrackedFileReader } from '#adapters/inspectors/tracked-files.js';
import type { ReviewPlan } from '#core/review/plan.js';
import { write } from '../../repository.js';
import { room } from '../../room.js';

function tracked(files: Readonly<Record<string, string>>) {
  const top = room('tracked');
  write(top, files);
  return { top, names: Object.keys(files), reader: new TrackedFileReader(top) };
}
const planOf = (repository: string) => ({ repository, dependencies_from: repository }) as unknown as ReviewPlan;
/** Longer than a name may be anywhere: it can be neither entered nor opened. */
const ENDLESS = 'x'.repeat(300);

const LOCKS: Readonly<Record<string, readonly [text: string, locks: readonly string[]]>> = {
  'package.json': [
    '{"private":true,"dependencies":{"left":"1.0.0"}}',
    ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb'],
  ],
  'pyproject.toml': [
    '[project]\nname = "p"\ndependencies = ["requests>=2"]\n',
    ['poetry.lock', 'uv.lock', 'pdm.lock', 'Pipfile.lock', 'requirements.txt'],
  ],
  'Cargo.toml': ['[package]\nname = "x"\n[dependencies]\nserde = "1.0"\n', ['Cargo.lock']],
  'go.mod': ['module x\n\ngo 1.22\n\nrequire example.org/m v1.0.0\n', ['go.sum']],
};

test('which file locks which manifest, beside it or at the top, and no other', async () => {
  const all = Object.values(LOCKS).flatMap(([, locks]) => locks);
  for (const [manifest, [text, locks]] of Object.entries(LOCKS)) {
    const { top, reader } = tracked({ [`app/${manifest}`]: text });
    const lockedBy = async (lock: string) => {
      // Only whether it is tracked is asked, not what it says.
      const { facts } = await inventory(reader, planOf(top), [`app/${manifest}`, lock]);
      const [row] = facts['manifests'] as { locked: boolean; names: number }[];
      expect(row?.names, manifest).toBe(1);
      return row?.locked;
    };
    const right: string[] = [];
    for (const lock of all) {
      if (await lockedBy(`app/${lock}`)) right.push(lock);
      expect(await lockedBy(`other/${lock}`), `${manifest} ${lock}`).toBe(false);
    }
    expect(right, manifest).toEqual(locks);
    expect(await lockedBy(locks[0] ?? '')).toBe(true);
  }
});

test('a manifest that cannot be parsed says why, in a few words', async () => {
  const { top, names, reader } = tracked({ 'Cargo.lock': 'package = [[[' });
  const { findings } = await inventory(reader, planOf(top), names);
  expect(findings).toEqual([
    expect.objectContaining({ rule: 'manifest-invalid', file: 'Cargo.lock', detail: expect.stringMatching(/\w+ \w+/) }),
  ]);
});

test('a file that cannot be opened is told of by whoever looks at it; one in a place that cannot be entered is none', async () => {
  const { reader } = tracked({ 'a.txt': 'a' });
  const { findings, facts } = await big(reader, ['a.txt', ENDLESS, `${ENDLESS}/b.txt`, 'gone/c.txt', 'a.txt/d.txt']);
  expect(findings.map(({ rule, file }) => [rule, file])).toEqual([['unreadable-file', ENDLESS]]);
  expect(facts).toMatchObject({ files: 1, bytes: 1 });
});

test('an address with a password is made up on a line that says so, or below one, as far as the line is looked at', async () => {
  const address = ['https://deploy:', 'Kq7vR2tZ9w', '@db.corp.io/'].join('');
  const isTold = async (before: string) => (await leaksIn([{ name: 'a', text: `${before}${address}` }], {})).length;
  const rows: [before: string, told: number][] = [
    ['', 1],
    ['ours: ', 1],
    ['an example: ', 0],
    ['an example:\n', 0],
    ['an example:\n    ', 0],
    ['an example:\nours: ', 1],
    ['an example:\n\n', 1],
    [`example${' '.repeat(193)}`, 0],
    [`example${' '.repeat(194)}`, 1],
  ];
  for (const [before, told] of rows) expect(await isTold(before), JSON.stringify(before)).toBe(told);
});
