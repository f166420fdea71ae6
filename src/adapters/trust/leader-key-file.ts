import { linkSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makePersonalFolder } from '#adapters/disk/personal-folder.js';
import { TroupeError } from '#kernel/errors.js';
import { PRIVATE_FILE } from '#kernel/file-modes.js';
import { freshId } from '#kernel/hash.js';
import { freshPrivateKey, publicKeyOf } from '#kernel/signature.js';

/** Mode bits of group and others. */
const OTHERS = 0o077;

/** A private key in PEM format and its public key. */
export interface SigningKey {
  readonly pem: string;
  readonly key: string;
}

/**
 * `leader-key.pem` in the person's own configuration: as leader of any project, this machine signs its messages to
 * workers with it. Readable by the owner only, and never copied. Errors: `leader_key_unusable`, `read_only`,
 * `disk_full`.
 */
export class LeaderKeyFile {
  private readonly file: string;

  constructor(folder: string) {
    this.file = path.join(folder, 'leader-key.pem');
  }

  /** Returns the key; creates it if it is missing. If several processes create it at once, one wins. */
  open(): SigningKey {
    const there = this.read();
    if (there !== undefined) return there;
    makePersonalFolder(path.dirname(this.file));
    const draft = `${this.file}.${freshId()}.draft`;
    try {
      writeFileSync(draft, freshPrivateKey(), { mode: PRIVATE_FILE, flag: 'wx', flush: true });
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

  /** The existing key; undefined if there is none. */
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
    const key = publicKeyOf(pem);
    if (key === undefined) throw this.unusable('It does not hold an ed25519 key.');
    return { pem, key };
  }

  private unusable(why: string): TroupeError {
    return new TroupeError('leader_key_unusable', { what: `${this.file} cannot be used. ${why}` });
  }
}
