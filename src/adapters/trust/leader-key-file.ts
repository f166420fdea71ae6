import { linkSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makePersonalFolder } from '#adapters/disk/personal-folder.js';
import { TroupeError } from '#kernel/errors.js';
import { freshId } from '#kernel/hash.js';
import { freshPrivateKey, publicHalf } from '#kernel/signature.js';

/** Bits of a mode that let others than the owner in. */
const OTHERS = 0o077;

/** A private key and its public half. */
export interface SigningKey {
  readonly pem: string;
  readonly key: string;
}

/**
 * `leader-key.pem` in the person's own configuration: with it this machine signs what it tells workers as a leader, of whichever project.
 * For the owner alone, and never copied anywhere. Errors: `leader_key_unusable`, `read_only`, `disk_full`.
 */
export class LeaderKeyFile {
  private readonly file: string;

  constructor(folder: string) {
    this.file = path.join(folder, 'leader-key.pem');
  }

  /** The key, which is made where there is none. Of several processes that make one at the same time, one does. */
  open(): SigningKey {
    const there = this.read();
    if (there !== undefined) return there;
    makePersonalFolder(path.dirname(this.file));
    const draft = `${this.file}.${freshId()}.draft`;
    try {
      writeFileSync(draft, freshPrivateKey(), { mode: 0o600, flag: 'wx', flush: true });
      linkSync(draft, this.file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
    const made = this.read();
    if (made === undefined) throw this.unusable('It is gone again.');
    return made;
  }

  /** Undefined where none was made yet. */
  read(): SigningKey | undefined {
    const standing = lstatSync(this.file, { throwIfNoEntry: false });
    if (standing === undefined) return undefined;
    if (!standing.isFile()) throw this.unusable('It is not a plain file.');
    if (standing.uid !== process.getuid?.()) throw this.unusable('It belongs to another user.');
    if ((standing.mode & OTHERS) !== 0)
      throw new TroupeError('leader_key_unusable', {
        what: `${this.file} is open to others than its owner (mode ${(standing.mode & 0o777).toString(8)}): they may have read the key.`,
        hint: 'Where nobody else has, `chmod 600` that file; else remove it: a new key is made, and `troupe worker agree` asks for it at each worker.',
      });
    const pem = readFileSync(this.file, 'utf8');
    const key = publicHalf(pem);
    if (key === undefined) throw this.unusable('It does not hold an ed25519 key.');
    return { pem, key };
  }

  private unusable(why: string): TroupeError {
    return new TroupeError('leader_key_unusable', { what: `${this.file} cannot be used. ${why}` });
  }
}
