import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isMissing } from '#adapters/disk/safe-path.js';
import { rejectionIn } from '#adapters/disk/unreadable-data.js';
import { personReader } from '#core/mail/message.js';
import { namesToPass } from '#core/runs/variables.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { isInside } from '#kernel/paths.js';
import { inSentence } from '#kernel/text.js';
import type { OwnSettings, OwnSettingsSource } from '#ports/settings.js';

const NOTHING: OwnSettings = { allowUnsafe: false, passEnv: [], person: undefined };
/** Returns the trimmed name. Throws if messages cannot be addressed to it. */
function checkedName(name: string): string {
  personReader(name);
  return name.trim();
}

const WRITABLE_BY_OTHERS = 0o022;

/**
 * `config.toml` in the person's own configuration. A file that is inside the project belongs to the project and is
 * ignored.
 */
export class OwnConfigFile implements OwnSettingsSource {
  private readonly file: string;
  private readonly projectFolder: string;

  constructor({ folder, projectFolder }: { readonly folder: string; readonly projectFolder: string }) {
    this.file = path.join(folder, 'config.toml');
    this.projectFolder = projectFolder;
  }

  async read(): Promise<OwnSettings> {
    return await this.settingsOf(this.text());
  }

  /** Only the name of the person. Each command needs it, so a file without one is not parsed. */
  async person(): Promise<string | undefined> {
    const text = this.text();
    return text?.includes('person') ? (await this.settingsOf(text)).person : undefined;
  }

  private async settingsOf(text: string | undefined): Promise<OwnSettings> {
    if (text === undefined) return NOTHING;
    const { allow_unsafe: allowed, executors, person } = await this.parsed(text);
    if (allowed !== undefined && typeof allowed !== 'boolean') throw this.wrong('allow_unsafe must be true or false');
    if (executors !== undefined && !isJsonObject(executors)) throw this.wrong('executors must be a table');
    if (person !== undefined && typeof person !== 'string') throw this.wrong('person must be a name');
    try {
      return {
        allowUnsafe: allowed === true,
        person: person && checkedName(person),
        passEnv: namesToPass(executors?.['pass_env']),
      };
    } catch (error) {
      throw error instanceof TroupeError ? this.wrong(error.message) : error;
    }
  }

  private async parsed(text: string): Promise<JsonObject> {
    const { strictToml } = await import('#adapters/disk/strict-toml.js');
    try {
      return strictToml(text);
    } catch (error) {
      const rejection = rejectionIn(error);
      throw this.wrong(`line ${rejection.line ?? 1}: ${rejection.message}`);
    }
  }

  private text(): string | undefined {
    let descriptor: number;
    try {
      const real = realpathSync(this.file);
      if (isInside(realpathSync(this.projectFolder), real)) return undefined;
      descriptor = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw this.wrong((error as Error).message);
    }
    try {
      const stat = fstatSync(descriptor);
      if (!stat.isFile() || stat.size > TEAM_LIMITS.settingsFileBytes)
        throw this.wrong('it is not a small regular file');
      if ((stat.mode & WRITABLE_BY_OTHERS) !== 0) throw this.wrong('others may write it: `chmod go-w` it first');
      return readFileSync(descriptor, 'utf8');
    } finally {
      closeSync(descriptor);
    }
  }

  private wrong(why: string): TroupeError {
    return new TroupeError('bad_config', {
      what: `${this.file}: ${inSentence(why)}`,
      hint: 'Fix that file or move it away: it is your own, not part of a project.',
    });
  }
}
