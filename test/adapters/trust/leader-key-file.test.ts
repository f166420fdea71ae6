import {
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { LeaderKeyFile } from '#adapters/trust/leader-key-file.js';
import { isSignedBy, signatureOf } from '#kernel/signature.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

verifies('fleet.trust', 'the key of a leader is made once, for its owner alone', () => {
  const folder = path.join(room('settings'), 'troupe');
  expect(new LeaderKeyFile(folder).read(), 'whoever asks for it makes none').toBeUndefined();
  const [first, second] = [new LeaderKeyFile(folder).open(), new LeaderKeyFile(folder).open()];
  expect(second).toEqual(first);
  expect(new LeaderKeyFile(folder).read()).toEqual(first);
  expect([statSync(path.join(folder, 'leader-key.pem')).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([
    0o600, 0o700,
  ]);
  expect(readdirSync(folder), 'no draft is left').toEqual(['leader-key.pem']);
  expect(first.key).toMatch(/^[A-Za-z0-9_-]{43}$/);
  const signature = signatureOf('text', first.pem);
  expect([isSignedBy('text', first.key, signature), isSignedBy('other', first.key, signature)]).toEqual([true, false]);
});

verifies(
  'fleet.trust',
  'a key that others may have read, or that is none, is not used; once removed there is a new one',
  () => {
    const folder = path.join(room('settings'), 'troupe');
    const file = path.join(folder, 'leader-key.pem');
    const { key, pem } = new LeaderKeyFile(folder).open();
    const refused = (what: RegExp) => {
      expect(() => new LeaderKeyFile(folder).open()).toThrow(
        expect.objectContaining({ code: 'leader_key_unusable', message: expect.stringMatching(what) }),
      );
      expect(readFileSync(file, 'utf8'), 'nothing is put in its place').not.toBe('');
    };
    for (const mode of [0o640, 0o604, 0o660]) {
      chmodSync(file, mode);
      refused(new RegExp(`mode ${mode.toString(8)}`));
    }
    chmodSync(file, 0o600);
    renameSync(file, `${file}.elsewhere`);
    symlinkSync(`${file}.elsewhere`, file);
    refused(/not a plain file/);
    rmSync(file);
    writeFileSync(file, 'nothing of a key', { mode: 0o600 });
    refused(/not hold an ed25519 key/);
    rmSync(file);
    const next = new LeaderKeyFile(folder).open();
    expect([next.key === key, next.pem === pem]).toEqual([false, false]);
  },
);
