import { randomBytes, timingSafeEqual } from 'node:crypto';
import { watch } from 'node:fs';
import * as z from 'zod/mini';
import { makePersonalFolder } from '#adapters/disk/personal-folder.js';
import { ACCESS_TOKEN_PREFIX } from '#kernel/access-token.js';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { AccessToken, AccessTokens } from '#ports/access-tokens.js';
import { SCOPES } from '#ports/callers.js';
import { PersonFile, type PersonFileParts } from './person-file.js';

const SECRET_BYTES = 32;

const STORED = z.object({
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  scope: z.enum(SCOPES),
  person: z.string(),
  made: z.number(),
  until: z.number(),
});
type Stored = z.infer<typeof STORED>;

/** `NAME.tokens.json` beside the sessions of the dashboards. A row that cannot be parsed opens nothing. */
export class AccessTokensFile implements AccessTokens {
  private readonly folder: string;
  private readonly file: PersonFile;

  constructor(parts: PersonFileParts, projectId: string) {
    this.folder = parts.folder;
    this.file = new PersonFile(parts, `${projectId}.tokens`, 'tokens');
  }

  all(): AccessToken[] {
    return this.rows().map(({ token }) => token);
  }

  async add({ name, ...token }: AccessToken): Promise<string> {
    const secret = `${ACCESS_TOKEN_PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`;
    let refused: TroupeError | undefined;
    await this.file.change((current) => {
      if (Object.hasOwn(current, name))
        refused = new TroupeError('token_exists', { what: `There is a token ${name}.` });
      else if (Object.keys(current).length >= SURFACE_LIMITS.accessTokens)
        refused = new TroupeError('too_many', {
          what: `A project has at most ${SURFACE_LIMITS.accessTokens} tokens.`,
          hint: 'Run `troupe token list`, and revoke those that nothing uses.',
        });
      else return { ...current, [name]: { hash: sha256(secret), ...token } satisfies Stored };
      return current;
    });
    if (refused !== undefined) throw refused;
    return secret;
  }

  async revoke(name: string): Promise<AccessToken | undefined> {
    let revoked: AccessToken | undefined;
    await this.file.change((current) => {
      revoked = this.all().find((token) => token.name === name);
      const { [name]: _, ...others } = current;
      return others;
    });
    return revoked;
  }

  ofSecret(secret: string): AccessToken | undefined {
    const hash = Buffer.from(sha256(secret));
    return this.rows().filter((row) => timingSafeEqual(Buffer.from(row.hash), hash))[0]?.token;
  }

  watch(changed: () => void): () => void {
    makePersonalFolder(this.folder);
    const watcher = watch(this.folder, { persistent: false }, changed);
    watcher.on('error', () => undefined); // the folder is gone: each request and heartbeat looks at the file itself
    return () => watcher.close();
  }

  private rows(): { readonly token: AccessToken; readonly hash: string }[] {
    return Object.entries(this.file.read()).flatMap(([name, row]) => {
      const parsed = STORED.safeParse(row);
      if (!parsed.success) return [];
      const { hash, ...token } = parsed.data;
      return [{ token: { name, ...token }, hash }];
    });
  }
}
