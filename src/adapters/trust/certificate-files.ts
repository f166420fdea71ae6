import { createPrivateKey, X509Certificate } from 'node:crypto';
import { lstatSync, readFileSync, statSync } from 'node:fs';
import { TroupeError } from '#kernel/errors.js';

/** Mode bits of group and others. */
const OTHERS = 0o077;

/** A certificate and its key in two files that another program renews. */
export class CertificateFiles {
  private readonly certFile: string;
  private readonly keyFile: string;
  private seen = '';

  constructor({ cert, key }: { readonly cert: string; readonly key: string }) {
    this.certFile = cert;
    this.keyFile = key;
  }

  /**
   * Both texts, in PEM format. Errors: `certificate_unusable` if a file cannot be read, if others than its owner may read
   * the key, or if the two do not belong together.
   */
  read(): { cert: string; key: string } {
    this.refuseOpenKey();
    this.seen = this.standing();
    try {
      const pair = { cert: readFileSync(this.certFile, 'utf8'), key: readFileSync(this.keyFile, 'utf8') };
      if (!new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key)))
        throw new Error('they do not belong together');
      return pair;
    } catch (error) {
      throw unusable(`${this.certFile} and ${this.keyFile} cannot be used: ${(error as Error).message}.`);
    }
  }

  /** Whether a file is another one than when it was read. */
  renewed(): boolean {
    return this.seen !== this.standing();
  }

  private standing(): string {
    return [this.certFile, this.keyFile]
      .map((file) => statSync(file, { throwIfNoEntry: false }))
      .map((stats) => (stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`))
      .join(', ');
  }

  /** The key may be a link, as tools for renewal make it: what it leads to counts. */
  private refuseOpenKey(): void {
    const stats = statSync(this.keyFile, { throwIfNoEntry: false });
    if (stats === undefined) {
      const why = lstatSync(this.keyFile, { throwIfNoEntry: false }) ? 'is a link to nothing' : 'does not exist';
      throw unusable(`${this.keyFile} ${why}.`);
    }
    if (!stats.isFile()) throw unusable(`${this.keyFile} is not a file.`);
    if ((stats.mode & OTHERS) !== 0)
      throw unusable(`${this.keyFile} is open to others than its owner (mode ${(stats.mode & 0o777).toString(8)}).`);
  }
}

function unusable(what: string): TroupeError {
  return new TroupeError('certificate_unusable', { what });
}
